import Foundation
import LoadingHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportTests {
  @Suite struct TransportRedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func H3_redirectsAreFollowed(status: Int) async throws {
      let server = try LoopbackServer { request, connection in
        switch request.target {
        case "/a": connection.reply(status, headers: [("Location", "b?x=1")], text: "moved")
        case "/b?x=1": connection.reply(status, headers: [("Location", "/c")])
        default: connection.reply(text: "\(request.method) \(request.body.count)")
        }
      }
      let transport = URLSessionTransport()
      let reply = try await transport.send(HTTPRequest(server.url("/a")))
      #expect(reply.status == 200 && reply.url == server.url("/c"))
      #expect(reply.body == Data("GET 0".utf8))
      var post = URLRequest(url: server.url("/a"))
      post.httpMethod = "POST"
      post.httpBody = Data("form".utf8)
      post.setValue("text/plain", forHTTPHeaderField: "Content-Type")
      let answer = try await transport.send(HTTPRequest(post))
      #expect(answer.body == Data((status < 307 ? "GET 0" : "POST 4").utf8))
      #expect(server.requests.last?.header("content-type") == (status < 307 ? nil : "text/plain"))
      let streamed = try await transport.stream(HTTPRequest(server.url("/a")))
      #expect(streamed.head.url == server.url("/c"))
      var body = Data()
      for try await piece in streamed.body { body += piece }
      #expect(body == Data("GET 0".utf8))
    }

    @Test func H3_aLoopEndsAtTheBound() async throws {
      let server = try LoopbackServer { _, connection in
        connection.reply(302, headers: [("Location", "/loop?key=secret")])
      }
      let transport = URLSessionTransport(config: HTTPTransportConfig(maxRedirects: 3))
      let error = await failure { try await transport.send(HTTPRequest(server.url("/loop"))) }
      #expect(error?.code == .tooManyRedirects)
      #expect(error?.message.contains("/loop") == true && error?.message.contains("secret") == false)
      #expect(server.requests.count == 4)
      let none = URLSessionTransport(config: HTTPTransportConfig(maxRedirects: 0))
      #expect(await failure { try await none.send(HTTPRequest(server.url())) }?.code == .tooManyRedirects)
    }

    private func withCredentials(_ url: URL) -> HTTPRequest {
      var request = URLRequest(url: url)
      request.setValue("Bearer t", forHTTPHeaderField: "Authorization")
      request.setValue("a=b", forHTTPHeaderField: "Cookie")
      request.setValue("p", forHTTPHeaderField: "Proxy-Authorization")
      request.setValue("k", forHTTPHeaderField: "X-Api-Key")
      request.setValue("text/html", forHTTPHeaderField: "Accept")
      return HTTPRequest(request, credentialHeaders: ["x-api-key"])
    }

    @Test func H3_credentialsStayOnTheirOrigin() async throws {
      let other = try LoopbackServer { _, connection in connection.reply(text: "other") }
      let elsewhere = other.url("/z").absoluteString
      let server = try LoopbackServer { request, connection in
        switch request.target {
        case "/same": connection.reply(302, headers: [("Location", "/end")])
        case "/away": connection.reply(302, headers: [("Location", elsewhere)])
        default: connection.reply(text: "end")
        }
      }
      let transport = URLSessionTransport()
      #expect(try await transport.send(withCredentials(server.url("/same"))).body == Data("end".utf8))
      let kept = try #require(server.requests.last)
      #expect(kept.target == "/end" && kept.header("authorization") == "Bearer t" && kept.header("cookie") == "a=b")
      #expect(kept.header("proxy-authorization") == "p" && kept.header("x-api-key") == "k")
      #expect(try await transport.send(withCredentials(server.url("/away"))).body == Data("other".utf8))
      let seen = try #require(other.requests.first)
      for name in ["authorization", "cookie", "proxy-authorization", "x-api-key"] {
        #expect(seen.header(name) == nil, "\(name) went to another origin")
      }
      #expect(seen.header("accept") == "text/html")
    }

    @Test func H3_credentialsDoNotComeBackByADetour() async throws {
      let target = Signal()
      let server = try LoopbackServer { request, connection in
        if request.target == "/start" {
          connection.reply(302, headers: [("Location", "http://localhost:\(request.header("x-port") ?? "")/back")])
        } else if request.target == "/back" {
          let port = request.header("x-port") ?? ""
          connection.reply(302, headers: [("Location", "http://127.0.0.1:\(port)/end")])
        } else {
          target.fire()
          connection.reply()
        }
      }
      var request = withCredentials(server.url("/start"))
      request.urlRequest.setValue("\(server.port)", forHTTPHeaderField: "X-Port")
      _ = try await URLSessionTransport().send(request)
      #expect(target.isFired)
      #expect(server.requests.dropFirst().allSatisfy { $0.header("authorization") == nil })
    }

    @Test(arguments: [
      "/x?a=%zz", "/x?q=[b]|", "//", "http:", "http://", "/a b", "/é", "#", "http://[::1", "foo:bar", ":", "%",
      "http://a b/",
      "http:///x", "a:b:c", "/x#a#b", "ftp://127.0.0.1/", "\u{FFFD}",
    ])
    func anyLocationIsARedirectOrAReplyAndNeverATrap(location: String) async throws {
      let server = try LoopbackServer { request, connection in
        if request.target == "/start" {
          connection.reply(302, headers: [("Location", location)], text: "moved")
        } else {
          connection.reply(text: "end")
        }
      }
      do {
        let reply = try await URLSessionTransport().send(HTTPRequest(server.url("/start")))
        #expect(reply.status == 200 || reply.status == 302)
      } catch let error as HTTPError {
        #expect(
          [.insecureRedirect, .connectionFailed, .invalidURL, .tooManyRedirects].contains(error.code), "\(error)")
      }
    }

    @Test func aRedirectWithoutALocationIsAReply() async throws {
      let server = try LoopbackServer { _, connection in connection.reply(302, headers: [("X-A", "1")]) }
      let reply = try await URLSessionTransport().send(HTTPRequest(server.url()))
      #expect(reply.status == 302 && reply.headers["x-a"] == "1")
    }

    /// The session has a window between a redirect and its answer in which a cancellation must not end the process.
    @Test func H3_cancellingAnywhereInAChainOfRedirects() async throws {
      let server = try LoopbackServer { _, connection in connection.reply(302, headers: [("Location", "/again")]) }
      let transport = URLSessionTransport(config: HTTPTransportConfig(maxRedirects: 20))
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<150 {
          group.addTask {
            let task = Task { try await transport.send(HTTPRequest(server.url("/start"))) }
            // Yields spread the cancellations over the chain.
            for _ in 0..<(number * 7 % 150) { await Task.yield() }
            task.cancel()
            switch await task.result {
            case .success: Issue.record("an endless chain ended")
            case .failure(let error):
              #expect(error is CancellationError || (error as? HTTPError)?.code == .tooManyRedirects, "\(error)")
            }
          }
        }
      }
    }
  }
}
