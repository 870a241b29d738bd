import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a source says of replies that no page can be made of.
@Suite struct HTTPPageErrorTests {
  private func load(
    _ transport: StubTransport, key: HTTPPageKey? = nil, url: String = "https://example.com/a/items?token=secret"
  ) async throws -> Page<HTTPPageKey, Row> {
    try await HTTPPageSource(
      try #require(URL(string: url)), convention: .cursor(\Feed.next), transport: transport, items: \.items
    ).load(LoadParams(key == nil ? .refresh : .append, key: key, loadSize: 20))
  }

  private func failure(_ transport: StubTransport, key: HTTPPageKey? = nil) async throws -> HTTPPageError {
    let error = await #expect(throws: HTTPPageError.self) { try await load(transport, key: key) }
    return try #require(error)
  }

  @Test(arguments: [
    (404, #"{"detail":"Invalid page."}"#, "Invalid page."), (500, #"{"error":{"message":"Boom"}}"#, "Boom"),
    (400, #"{"errors":[{"status":"400","title":"T","detail":"Bad"}]}"#, "Bad"),
    (403, #"{"title":"Only title"}"#, "Only title"),
    (422, #"{"detail":[{"loc":["query"],"msg":"too large"}]}"#, "too large"), (418, #"{"message":"M"}"#, "M"),
    (400, #"{"detail":{"code":"no_such_list"}}"#, #"{"detail":{"code":"no_such_list"}}"#),
    (502, "<h1>Bad</h1>", "<h1>Bad</h1>"),
    (400, #"{"error":"invalid_grant","error_description":"Long words"}"#, "Long words"),
  ])
  func H9_refusalsCarryTheServersOwnWords(status: Int, body: String, words: String) async throws {
    let error = try await failure(StubTransport(status, body), key: "k")
    #expect(error.code == .status && error.status == status)
    #expect(error.message.contains(words) && error.message.contains("\(status)"), "\(error)")
    #expect(error.message.contains("/a/items") && !error.message.contains("secret"))
  }

  @Test(arguments: [100, 204, 299, 300, 304, 599, 0, -1, 404])
  func H9_statusesWithoutABody(status: Int) async throws {
    let error = try await failure(StubTransport(status, ""))
    #expect(error.code == ((200..<300).contains(status) ? .emptyBody : .status) && error.status == status)
  }

  @Test(arguments: ["", "  \r\n\t", "\u{feff}"])
  func H9_emptyBodies(body: String) async throws {
    #expect(try await failure(StubTransport(200, body)).code == .emptyBody)
  }

  @Test(arguments: [
    "<!DOCTYPE html><p>Login", "\n <html>", "OK", "\u{0}\u{1}", "{'a': 1}", "{\"items\":[]} trailing", "nope",
  ])
  func H9_whatIsNotJSON(body: String) async throws {
    let error = try await failure(StubTransport(200, body, headers: ["Content-Type": "text/html; charset=utf-8"]))
    #expect(error.code == .notJSON && error.status == 200)
    #expect(error.message.contains(body.contains("<") ? "a web page" : "its declared type is text/html"), "\(error)")
  }

  @Test func H9_truncatedAtEveryByte() async throws {
    let whole = #"{"items":[{"id":1},{"id":2}],"next":"a\"]}\\"}"#
    for length in 1..<whole.utf8.count {
      let error = try await failure(StubTransport(200, String(whole.prefix(length))))
      #expect(error.code == .truncated && error.message.contains("\(length) bytes"), "\(error)")
    }
    #expect(try await load(StubTransport(200, whole)).items.count == 2)
  }

  @Test(arguments: [
    (#"{"rows":[]}"#, HTTPPageError.Code.missing, "\"items\""), (#"{"items":null}"#, .missing, "items"),
    (#"{"items":[{"id":1},{"ID":2}]}"#, .missing, "items[1]"), (#"{"items":[null]}"#, .missing, "items[0]"),
    (#"{"items":{}}"#, .undecodable, "items"), (#"{"items":[{"id":"7"}]}"#, .undecodable, "items[0].id"),
    (#"{"items":[{"id":1.5}]}"#, .undecodable, ""), (#"{"items":[],"next":5}"#, .undecodable, "next"),
    ("[]", .undecodable, "an object"),
    ("7", .undecodable, "an object"), ("null", .missing, "an object"),
  ])
  func H9_wrongShapesNameThePath(body: String, code: HTTPPageError.Code, path: String) async throws {
    let error = try await failure(StubTransport(200, body))
    #expect(
      error.code == code && (path.isEmpty || error.message.contains(path)) && error.cause is DecodingError, "\(error)")
    #expect(
      error.message.contains("/a/items, status 200") && error.message.contains("The body begins: \"\(body.prefix(5))"))
  }

  @Test func H9_bytesThatAreNotText() async throws {
    let server = StubTransport { request in
      var reply = HTTPReply.stub(200, "", for: request)
      reply.body = Data(#"{"items":[{"id":""#.utf8) + Data([0xff, 0xfe, 0x1b]) + Data(#""}]}"#.utf8)
      return reply
    }
    let error = try await failure(server)
    #expect(error.code == .notJSON || error.code == .undecodable)
    #expect(!error.message.utf8.contains(0x1b))
  }

  @Test func H9_messagesStayShortAndPrintable() async throws {
    let long = "{\u{1b}[31m\u{202e}" + String(repeating: "x\n", count: 5_000)
    for server in [
      StubTransport(500, long), StubTransport(200, long),
      StubTransport(500, "{\"error\":\"\(String(repeating: "y", count: 999))\"}"),
    ] {
      let error = try await failure(server)
      #expect(error.message.count < 450, "\(error)")
      #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202e })
    }
  }

  @Test(arguments: [#"{"\u001b[31m":"x"}"#, #"{"a\u202eb":{}}"#])
  func H9_theServersOwnNamesAreMadePrintable(body: String) async throws {
    let source = HTTPPageSource<Row>(
      listURL,
      convention: PageConvention<[String: Int]> { _, _ in
      } keys: { _ in
        PageKeys()
      },
      transport: StubTransport(200, body), items: { _ in [] })
    let error = await #expect(throws: HTTPPageError.self) { try await source.load(LoadParams(.refresh, loadSize: 1)) }
    #expect(error?.code == .undecodable && error?.message.contains(" at ") == true, "\(String(describing: error))")
    #expect(error?.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202e } == true)
  }

  @Test func H12_whatWasDetectedIsPrintable() throws {
    let body = #"{"data":{"a\u001b[2J":{"pageInfo":{"hasNextPage":true,"endCursor":"x"},"edges":[{"node":{}}]}}}"#
    let found = try PageConvention.detect(.stub(200, body, for: URLRequest(url: listURL)))
    #expect(found.kind == .graphQL && found.description.contains("[2J"))
    #expect(!found.description.contains("\u{1b}") && !found.reason.contains("\u{1b}"))
  }

  @Test func H7_goneIsAnExpiredCursorWhereThereWasOne() async throws {
    let gone = StubTransport(410, #"{"detail":"cursor expired"}"#)
    let error = await #expect(throws: PagingError.self) { try await load(gone, key: "k") }
    #expect(error?.code == .cursorExpired && (error?.cause as? HTTPPageError)?.status == 410)
    #expect(try await failure(gone).code == .status)
  }

  @Test func errorsOfOthersPassThrough() async throws {
    let offline = StubTransport { _ in throw HTTPError(.connectionFailed, message: "offline") }
    await #expect(throws: HTTPError.self) { try await load(offline) }
    let stopped = StubTransport { _ in throw CancellationError() }
    await #expect(throws: CancellationError.self) { try await load(stopped) }
    let invalidated = HTTPPageSource(
      listURL, convention: .cursor(\Feed.next), transport: StubTransport(200, #"{"items":[]}"#),
      items: { (_: Feed) -> [Row] in throw PagingError.invalidated })
    await #expect(throws: PagingError.self) { try await invalidated.load(LoadParams(.refresh, loadSize: 1)) }
  }

  @Test func otherDecodersErrorsAreSorted() async throws {
    struct Odd: Error {}
    for (body, code) in [("<p>", HTTPPageError.Code.notJSON), ("[1", .truncated), ("[1]", .undecodable)] {
      let source = HTTPPageSource<Row>(
        listURL,
        convention: PageConvention<Int> { _, _ in
        } keys: { _ in
          PageKeys()
        }, transport: StubTransport(200, body),
        decode: { _ in throw Odd() }, items: { _ in [] })
      let error = await #expect(throws: HTTPPageError.self) { try await source.load(LoadParams(.refresh, loadSize: 1)) }
      #expect(error?.code == code && error?.cause is Odd)
    }
  }

  @Test func aCancelledLoadThrowsCancellation() async throws {
    let server = StubTransport { request in
      withUnsafeCurrentTask { $0?.cancel() }
      return .stub(200, #"{"items":[]}"#, for: request)
    }
    let task = Task { try await load(server) }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
