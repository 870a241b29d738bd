import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The presets that ask by a body: AWS's tokens and Elasticsearch's `search_after`.
@Suite struct BodyConventionTests {
  private struct Answer: Decodable, Sendable {
    var events: [Row]?
    var items: [Row]?
    var token: JSONValue?
    var isTruncated: Bool?
    enum CodingKeys: String, CodingKey {
      case events
      case items = "Items"
      case token = "Token"
      case isTruncated = "IsTruncated"
    }
    var rows: [Row] { events ?? items ?? [] }
  }

  private func source(_ server: StubTransport, _ convention: PageConvention<Answer>) -> HTTPPageSource<Row> {
    HTTPPageSource(listURL, convention: convention, transport: server, items: \.rows)
  }

  // MARK: - AWS

  @Test func dynamosKeyIsAnObjectAndPagesMayBeEmpty() async throws {
    let server = StubTransport { request in
      let start = request.json?.value(at: ["ExclusiveStartKey", "id", "N"])?.text.flatMap { Int($0) } ?? 0
      let token = start < 6 ? ",\"Token\":{\"id\":{\"N\":\"\(start + 2)\"}}" : ""
      // The second page is empty: the filter left nothing of what was read.
      return .stub(200, "{\"Items\":\(rows(start == 2 ? [] : [start]))\(token)}", for: request)
    }
    let source = source(
      server,
      .awsToken(
        \.token, parameter: "ExclusiveStartKey", size: "Limit", operation: "DynamoDB_20120810.Query",
        body: ["TableName": "feed"]))
    #expect(try await source.walked(size: 2).map { $0.map(\.id) } == [[0], [], [4], [6]])
    let requests = server.requests.map(\.urlRequest)
    #expect(requests.allSatisfy { $0.httpMethod == "POST" })
    #expect(requests.allSatisfy { $0.value(forHTTPHeaderField: "X-Amz-Target") == "DynamoDB_20120810.Query" })
    #expect(requests[0].json == ["TableName": "feed", "Limit": 2])
    #expect(requests[1].json == ["TableName": "feed", "Limit": 2, "ExclusiveStartKey": ["id": ["N": "2"]]])
  }

  @Test func H5_logsEndWhereTheTokenStays() async throws {
    let server = StubTransport { request in
      let token = request.json?["nextToken"]?.text ?? "f/0"
      let next = min(2, (Int(token.dropFirst(2)) ?? 0) + 1)
      return .stub(200, "{\"events\":\(rows(token == "f/2" ? [] : [next])),\"Token\":\"f/\(next)\"}", for: request)
    }
    let logs = source(
      server,
      .awsToken(\.token, parameter: "nextToken", size: "limit", operation: "Logs.GetLogEvents", repeatedTokenEnds: true)
    )
    #expect(try await logs.walked().map { $0.map(\.id) } == [[1], [2], []])
    // Without that rule the token goes round, which is the walk's to notice.
    let strict = source(server, .awsToken(\.token, parameter: "nextToken", operation: "Logs.GetLogEvents"))
    let failure = await #expect(throws: PageWalkFailure<HTTPPageKey>.self) {
      for try await _ in strict.pages(pageSize: 1) {}
    }
    #expect((failure?.cause as? PagingError)?.code == .keyCycle)
  }

  @Test(arguments: ["", #","Token":null"#, #","Token":"""#, #","Token":"more","IsTruncated":false"#])
  func H5_everyFormOfTheEnd(end: String) async throws {
    let server = StubTransport(200, "{\"Items\":[]\(end)}")
    let page = try await source(server, .awsToken(\.token, isTruncated: \.isTruncated)).first()
    #expect(page.nextKey == nil)
  }

  @Test(arguments: ["a+b/c==", "{\"looks\":\"like JSON\"}", "\"quoted\"", "plain"])
  func tokensComeBackAsTheyWere(token: String) async throws {
    let body = try JSONEncoder().encode(["Token": token])
    let server = StubTransport(200, String(decoding: body, as: UTF8.self))
    for operation in [nil, "X.Y"] {
      let source = source(server, .awsToken(\.token, operation: operation))
      let key = try #require(try await source.first().nextKey)
      _ = try await source.load(LoadParams(.append, key: key, loadSize: 3))
      let request = try #require(server.requests.last?.urlRequest)
      #expect((operation == nil ? request.query("NextToken") : request.json?["NextToken"]?.text) == token)
      #expect((request.httpMethod == "POST") == (operation != nil))
    }
  }

  @Test func H7_awsWordsForABadToken() async throws {
    for (body, code) in [
      (
        #"{"__type":"InvalidParameterException","message":"The specified nextToken is invalid."}"#,
        PagingError.Code.invalidKey
      ),
      (#"{"__type":"com.amazonaws#InvalidNextTokenException"}"#, .invalidKey),
      (#"{"__type":"ExpiredNextTokenException","message":"x"}"#, .cursorExpired),
    ] {
      #expect(await source(StubTransport(400, body), .awsToken(\.token)).code(key: "t") == code)
    }
    // Of credentials, not of a page's key.
    let credentials = StubTransport(
      400, #"{"__type":"ExpiredTokenException","message":"The security token is expired"}"#)
    await #expect(throws: HTTPPageError.self) {
      try await source(credentials, .awsToken(\.token)).load(LoadParams(.append, key: "t", loadSize: 1))
    }
  }

  // MARK: - Elasticsearch

  /// Five documents; the point in time has another name after every page.
  private func search(expires: Bool = false) -> StubTransport {
    StubTransport { request in
      guard let body = request.json else {
        return request.url?.path() == "/items/_pit"
          ? .stub(200, #"{"id":"pit0"}"#, for: request) : .stub(404, "{}", for: request)
      }
      if expires, body["search_after"] != nil {
        return .stub(
          404,
          #"{"error":{"root_cause":[{"type":"search_context_missing_exception","reason":"No search context"}]},"status":404}"#,
          for: request)
      }
      let start = body["search_after"]?.elements?.last?.integer ?? 0
      let pit = Int(body.value(at: ["pit", "id"])?.text?.dropFirst(3) ?? "") ?? -1
      let hits = (start..<min(5, start + 2)).map { "{\"_source\":{\"id\":\($0)},\"sort\":[\"2026\",\($0 + 1)]}" }
      return .stub(
        200,
        "{\"pit_id\":\"pit\(pit + 1)\",\"hits\":{\"total\":{\"value\":5,\"relation\":\"gte\"},"
          + "\"hits\":[\(hits.joined(separator: ","))]}}", for: request)
    }
  }

  private func hits(_ server: StubTransport) -> HTTPPageSource<Row> {
    HTTPPageSource(
      listURL, convention: .searchAfter(query: ["match_all": [:]], sort: [["created_at": "desc"]]), transport: server,
      items: \SearchPage<Row>.items)
  }

  @Test func searchAfterRenewsItsPointInTime() async throws {
    let server = search()
    #expect(try await hits(server).walked(size: 2).map { $0.map(\.id) } == [[0, 1], [2, 3], [4], []])
    let requests = server.requests.map(\.urlRequest)
    #expect(
      requests.map { $0.url?.absoluteString }.prefix(2) == [
        "https://example.com/items/_pit?keep_alive=1m", "https://example.com/_search",
      ])
    #expect(requests.allSatisfy { $0.httpMethod == "POST" })
    #expect(
      requests[1].json == [
        "size": 2, "sort": [["created_at": "desc"]], "query": ["match_all": [:]],
        "pit": ["id": "pit0", "keep_alive": "1m"],
      ])
    #expect(requests[2].json?["pit"] == ["id": "pit1", "keep_alive": "1m"])
    #expect(requests[2].json?["search_after"] == ["2026", 2])
    #expect(requests[3].json?.value(at: ["pit", "id"]) == "pit2")
    #expect(try await hits(server).first().total == .atLeast(5))
  }

  @Test func H7_aPointInTimeThatRanOutIsAnExpiredKey() async throws {
    let source = hits(search(expires: true))
    #expect(await source.code(key: try? await source.first().nextKey) == .cursorExpired)
    #expect(await source.code(key: "not a place") == .invalidKey)
  }

  @Test func H9_aPointInTimeThatDoesNotOpen() async throws {
    for (status, body, code) in [
      (404, #"{"error":"no such index"}"#, HTTPPageError.Code.status), (200, "{}", .missing), (200, "<p>", .missing),
    ] {
      let error = await #expect(throws: HTTPPageError.self) { try await hits(StubTransport(status, body)).first() }
      #expect(error?.code == code)
    }
  }
}
