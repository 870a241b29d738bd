import Foundation
import LoadingHTTP
import Paging
import Testing

@testable import PagingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Cursors and links.
@Suite struct LinkConventionTests {
  private struct Linked: Decodable, Sendable {
    var items: [Row]
    var next: URL?
    var previous: URL?
  }

  private func load(
    _ convention: PageConvention<Feed>, _ transport: StubTransport, key: HTTPPageKey? = nil, url: URL = listURL,
    config: HTTPPageSourceConfig = .init()
  ) async throws -> Page<HTTPPageKey, Row> {
    try await HTTPPageSource(url, convention: convention, config: config, transport: transport, items: \.items)
      .load(LoadParams(key == nil ? .refresh : .append, key: key, loadSize: 20))
  }

  // MARK: - Cursors

  @Test(arguments: [
    "plain", "a+b/c==", "a%2Bb%3D", "100%", "é&x=1#?", "{\"id\":7}", " ", "a b+c", "+", "%", "https://example.com/x",
  ])
  func H6_cursorsArriveAsTheyWere(cursor: String) async throws {
    let body = String(decoding: try JSONEncoder().encode(["next": cursor]), as: UTF8.self).dropFirst()
    let server = StubTransport(200, "{\"items\":[],\(body)")
    let url = try #require(URL(string: "https://example.com/items?q=1%2B1&cursor=old&x#top"))
    let first = try await load(.cursor(\.next), server, url: url)
    #expect(first.nextKey == HTTPPageKey(cursor))
    _ = try await load(.cursor(\.next), server, key: first.nextKey, url: url)
    let sent = try #require(server.urls.last)
    #expect(sent.hasPrefix("https://example.com/items?q=1%2B1&x&cursor=") && sent.hasSuffix("#top"))
    // As servers read it: a plus is a space, and percent-encoding is undone once.
    let value = sent.dropFirst("https://example.com/items?q=1%2B1&x&cursor=".count).dropLast("#top".count)
    #expect(value.replacing("+", with: " ").removingPercentEncoding == cursor)
    #expect(URL(string: sent)?.queryValue("cursor") == cursor)
  }

  @Test func cursorsBothWaysAndTheirEnd() async throws {
    let server = StubTransport(200, #"{"items":[{"id":1}],"next":"n","previous":"p"}"#)
    let both = try await load(.cursor(\.next, previous: \.previous, parameter: "page[after]", size: "limit"), server)
    #expect(both.nextKey == "n" && both.previousKey == "p" && both.items == [Row(id: 1)])
    #expect(server.urls == ["https://example.com/items?limit=20"])
    _ = try await load(.cursor(\.next, parameter: "page[after]"), server, key: "n")
    #expect(server.urls.last == "https://example.com/items?page%5Bafter%5D=n")
    for end in ["\"next\":null", "\"next\":\"\"", "\"other\":1"] {
      let last = try await load(.cursor(\.next, previous: \.previous), StubTransport(200, "{\"items\":[],\(end)}"))
      #expect(last.nextKey == nil && last.previousKey == nil)
    }
  }

  @Test func H5_anEmptyPageWithACursorIsNotTheEnd() async throws {
    #expect(try await load(.cursor(\.next), StubTransport(200, #"{"items":[],"next":"n"}"#)).nextKey == "n")
  }

  // MARK: - Links

  @Test func linkHeadersBothWaysAndTheirEnd() async throws {
    for previous in ["prev", "previous"] {
      let server = StubTransport(
        200, "[{\"id\":1}]", headers: ["Link": "<?page=3>; rel=next, <?page=1>; rel=\(previous)"])
      let source = HTTPPageSource(listURL, convention: .linkHeader, transport: server, of: Row.self)
      let page = try await source.load(LoadParams(.refresh, loadSize: 20))
      #expect(page.nextKey?.url?.absoluteString == "https://example.com/items?page=3")
      #expect(page.previousKey?.url?.absoluteString == "https://example.com/items?page=1")
      _ = try await source.load(LoadParams(.append, key: page.nextKey, loadSize: 20))
      #expect(server.urls == ["https://example.com/items", "https://example.com/items?page=3"])
    }
    let last = try await load(.linkHeader, StubTransport(200, "{\"items\":[]}", headers: ["Link": "<?>; rel=first"]))
    #expect(last.nextKey == nil && last.previousKey == nil)
  }

  @Test func theLoadSizeGoesIntoTheFirstRequestOnly() async throws {
    let server = StubTransport(200, "{\"items\":[]}")
    _ = try await load(.linkHeader(size: "per_page"), server)
    _ = try await load(.linkHeader(size: "per_page"), server, key: HTTPPageKey(listURL))
    _ = try await load(.linkHeader(size: "per_page"), server, url: try #require(URL(string: "\(listURL)?per_page=7")))
    #expect(server.urls == ["\(listURL)?per_page=20", "\(listURL)", "\(listURL)?per_page=7"])
  }

  @Test func nextURLsAreResolvedAgainstTheReply() async throws {
    let server = StubTransport { request in
      var reply = HTTPReply.stub(
        200, #"{"items":[],"next":"page-2.json","previous":"https://example.com/a?b=c%2B"}"#, for: request)
      reply.url = reply.url.appending(path: "moved/page-1.json")
      return reply
    }
    let source = HTTPPageSource(
      listURL, convention: .nextURL(\Linked.next, previous: \.previous), transport: server, items: \.items)
    let page = try await source.load(LoadParams(.refresh, loadSize: 20))
    #expect(page.nextKey?.text == "https://example.com/items/moved/page-2.json")
    #expect(page.previousKey?.text == "https://example.com/a?b=c%2B")
    let end = HTTPPageSource(
      listURL, convention: .nextURL(\Linked.next), transport: StubTransport(200, #"{"items":[],"next":null}"#),
      items: \.items)
    #expect(try await end.load(LoadParams(.refresh, loadSize: 20)).nextKey == nil)
  }

  @Test func aKeyThatIsNoURLIsInvalid() async throws {
    for key: HTTPPageKey in [7, "abc", "/items?page=2", "", "ftp://example.com/"] {
      let error = await #expect(throws: PagingError.self) {
        try await load(.linkHeader, StubTransport(200, "{\"items\":[]}"), key: key)
      }
      #expect(error?.code == .invalidKey)
    }
  }

  // MARK: - Origins

  @Test(arguments: [
    "https://evil.example/items", "http://example.com/items", "https://example.com:8443/items",
    "https://example.com@evil.example/", "https://sub.example.com/", "//evil.example/x",
  ])
  func H6_otherOriginsAreRefusedAndNothingIsSent(link: String) async throws {
    let server = StubTransport(200, "{\"items\":[{\"id\":1}]}", headers: ["Link": "<\(link)>; rel=next"])
    let first = try await load(.linkHeader, server)
    #expect(first.items == [Row(id: 1)])
    let error = await #expect(throws: HTTPPageError.self) { try await load(.linkHeader, server, key: first.nextKey) }
    #expect(error?.code == .foreignOrigin)
    #expect(error?.message.contains("https://example.com") == true)
    #expect(server.requests.count == 1)
  }

  @Test func H6_originsAllowedByNameGetTheHeaders() async throws {
    let server = StubTransport(200, "{\"items\":[]}")
    var config = HTTPPageSourceConfig(headers: ["Authorization": "Bearer t", "X-A": "1", "x-a": "2"])
    config.allowedOrigins = [try #require(URL(string: "https://API.example.org/whatever"))]
    let other = HTTPPageKey(try #require(URL(string: "https://api.example.org:443/next")))
    _ = try await load(.linkHeader, server, config: config)
    _ = try await load(.linkHeader, server, key: HTTPPageKey(listURL), config: config)
    _ = try await load(.linkHeader, server, key: other, config: config)
    #expect(server.requests.count == 3)
    for request in server.requests {
      #expect(request.urlRequest.value(forHTTPHeaderField: "Authorization") == "Bearer t")
      #expect(request.urlRequest.value(forHTTPHeaderField: "X-A")?.contains("2") == true)
      #expect(request.urlRequest.value(forHTTPHeaderField: "Accept") == "application/json")
      // What a redirect to another origin must not take along.
      #expect(request.credentialHeaders.contains("Authorization") && request.credentialHeaders.contains("X-A"))
    }
  }

  @Test func H6_theSameHostMayBecomeSecure() async throws {
    let plain = try #require(URL(string: "http://example.com/items"))
    let server = StubTransport(200, "{\"items\":[]}")
    _ = try await load(.linkHeader, server, key: HTTPPageKey(listURL), url: plain)
    #expect(server.urls == ["https://example.com/items"])
    let otherPort = HTTPPageKey(try #require(URL(string: "https://example.com:8443/items")))
    await #expect(throws: HTTPPageError.self) { try await load(.linkHeader, server, key: otherPort, url: plain) }
  }

  @Test(arguments: ["file:///etc/passwd", "ftp://example.com/", "mailto:a@b", "items", "https:///x"])
  func aListURLThatIsNotOfTheWebIsRefused(text: String) async throws {
    let server = StubTransport(200, "{\"items\":[]}")
    let error = await #expect(throws: HTTPPageError.self) {
      try await load(.cursor(\.next), server, url: try #require(URL(string: text)))
    }
    #expect(error?.code == .invalidURL && server.requests.isEmpty)
  }
}
