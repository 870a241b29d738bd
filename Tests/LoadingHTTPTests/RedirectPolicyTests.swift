import Foundation
import Testing

@testable import LoadingHTTP

@Suite struct RedirectPolicyTests {
  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func hop(
    _ status: Int, _ location: String?, from: String = "https://a.example/x/y?q=1", method: String = "GET"
  ) throws -> RedirectPolicy.Hop? {
    var policy = RedirectPolicy(limit: 10)
    guard case .follow(let hop) = policy.decide(status: status, location: location, from: try url(from), method: method)
    else { return nil }
    return hop
  }

  private func refusal(_ location: String, from: String) throws -> HTTPError? {
    var policy = RedirectPolicy(limit: 10)
    guard case .refuse(let error) = policy.decide(status: 302, location: location, from: try url(from), method: "GET")
    else { return nil }
    return error
  }

  @Test func H3_neverFromHTTPSToHTTP() throws {
    let error = try #require(try refusal("http://a.example/x?secret=1", from: "https://u:p@a.example/from?token=2"))
    #expect(error.code == .insecureRedirect)
    #expect(error.status == 302)
    #expect(error.message.contains("a.example/from"))
    #expect(!error.message.contains("token") && !error.message.contains("secret") && !error.message.contains("u:p"))
    #expect(try refusal("HTTP://a.example/", from: "HTTPS://a.example/")?.code == .insecureRedirect)
    #expect(try refusal("https://a.example/", from: "http://a.example/") == nil)
    #expect(try refusal("http://b.example/", from: "http://a.example/") == nil)
  }

  @Test(arguments: ["ftp://a.example/", "file:///etc/passwd", "mailto:a@b", "data:,x", "foo:bar", "http:///x"])
  func H3_onlyToHTTP(location: String) throws {
    #expect(try refusal(location, from: "http://a.example/")?.code == .insecureRedirect)
  }

  @Test func H3_methodsChangeAsRFC9110Says() throws {
    let table: [(Int, String, String, Bool)] = [
      (301, "GET", "GET", false), (301, "POST", "GET", true), (301, "PUT", "PUT", false), (302, "POST", "GET", true),
      (302, "DELETE", "DELETE", false), (303, "POST", "GET", true), (303, "PUT", "GET", true),
      (303, "HEAD", "HEAD", false), (303, "GET", "GET", false), (307, "POST", "POST", false),
      (308, "POST", "POST", false), (301, "HEAD", "HEAD", false),
    ]
    for (status, method, next, dropsBody) in table {
      let hop = try #require(try hop(status, "/z", method: method))
      #expect(hop.method == next, "\(status) \(method)")
      #expect(hop.dropsBody == dropsBody, "\(status) \(method)")
    }
  }

  @Test func H3_anotherOriginIsAnotherSchemeHostOrPort() throws {
    let from = "https://a.example/x"
    let table: [(String, Bool)] = [
      ("https://a.example/y", false), ("https://A.EXAMPLE:443/y", false), ("//a.example/y", false), ("y", false),
      ("https://b.example/y", true), ("https://a.example:444/y", true), ("https://www.a.example/y", true),
      ("https://a.example.evil/y", true), ("https://a.example@evil.example/y", true), ("//evil.example/y", true),
    ]
    for (location, leaves) in table {
      #expect(try hop(302, location, from: from)?.leavesOrigin == leaves, "\(location)")
    }
    #expect(try hop(302, "https://a.example/", from: "http://a.example/")?.leavesOrigin == true)
  }

  @Test func H3_locationsAreResolvedAgainstTheReply() throws {
    #expect(try hop(302, "/z")?.url.absoluteString == "https://a.example/z")
    #expect(try hop(302, "z?a=b")?.url.absoluteString == "https://a.example/x/z?a=b")
    #expect(try hop(302, "?a=b")?.url.absoluteString == "https://a.example/x/y?a=b")
    #expect(try hop(302, "/z", from: "https://a.example/#part")?.url.absoluteString == "https://a.example/z#part")
    #expect(try hop(302, "/z#new", from: "https://a.example/#part")?.url.absoluteString == "https://a.example/z#new")
  }

  @Test func messagesHoldNothingThatSteersATerminal() throws {
    // Who redirects writes the URL of the next refusal.
    let url = try url("https://a.example/%1b%5b2J%e2%80%ae")
    let error = try #require(try refusal("http://b.example/", from: url.absoluteString))
    #expect(error.message.contains("/%1b%5b2J%e2%80%ae"), "\(error)")
    #expect(url.hostAndPath.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7f })
  }

  @Test func whatIsNoRedirectIsDelivered() throws {
    for status in [200, 204, 300, 304, 305, 306, 404, 500] { #expect(try hop(status, "/z") == nil) }
    #expect(try hop(302, nil) == nil)
    #expect(try hop(302, "") == nil)
    #expect(try hop(302, "http://[::1") == nil)
  }

  @Test func H3_aChainIsBounded() throws {
    var policy = RedirectPolicy(limit: 2)
    let url = try url("http://a.example/loop")
    for _ in 0..<2 {
      guard case .follow = policy.decide(status: 302, location: "/loop", from: url, method: "GET") else {
        Issue.record("not followed")
        return
      }
    }
    guard case .refuse(let error) = policy.decide(status: 302, location: "/loop", from: url, method: "GET") else {
      Issue.record("followed without bound")
      return
    }
    #expect(error.code == .tooManyRedirects)
    guard case .deliver = policy.decide(status: 200, location: nil, from: url, method: "GET") else {
      Issue.record("the end of a full chain is not delivered")
      return
    }
  }
}
