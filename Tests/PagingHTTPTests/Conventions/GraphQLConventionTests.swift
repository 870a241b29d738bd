import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct GraphQLConventionTests {
  private struct Reply: Decodable, Sendable {
    struct Lists: Decodable, Sendable { var items: GraphQLConnection<Row> }
    var data: Lists
  }

  private let query =
    "query($first: Int, $after: String, $last: Int, $before: String) { items { edges { node { id } } } }"

  private func source(
    _ server: StubTransport, cursors: GraphQLCursors = .opaque, names: GraphQLVariables = GraphQLVariables()
  ) -> HTTPPageSource<Row> {
    HTTPPageSource(
      listURL,
      convention: PageConvention<Reply>.graphQL(
        query, variables: ["tag": "sea"], names: names, cursors: cursors, total: \.data.items.totalCount
      ) { $0.data.items.pageInfo }, transport: server, items: \.data.items.nodes)
  }

  private static func offset(_ number: Int) -> String { Data("arrayconnection:\(number)".utf8).base64EncodedString() }

  /// Rows 0 to 7; cursors are `c3`, or offsets in Base64. `resets`: a cursor that is not known gives page one, as Graphene.
  private func server(offsets: Bool = false, resets: Bool = false, rows count: Int = 8) -> StubTransport {
    let cursor = { @Sendable (row: Int) in offsets ? Self.offset(row) : "c\(row)" }
    return StubTransport { request in
      let variables = try #require(request.json?["variables"])
      let place = { (name: String) in
        variables[name]?.text.flatMap { text in (-1..<count).first { cursor($0) == text } }
      }
      var range: Range<Int>
      if let size = variables["last"]?.integer {
        let end = place("before") ?? 0
        range = max(0, end - size)..<end
      } else {
        let start = place("after").map { $0 + 1 } ?? (resets || variables["after"] == nil ? 0 : count)
        range = min(start, count)..<min(count, start + (variables["first"]?.integer ?? 0))
      }
      let edges = range.map { "{\"cursor\":\"\(cursor($0))\",\"node\":{\"id\":\($0)}}" }.joined(separator: ",")
      let ends =
        range.isEmpty ? ("null", "null") : ("\"\(cursor(range.lowerBound))\"", "\"\(cursor(range.upperBound - 1))\"")
      // The flag of the side that was not asked for says nothing here, as the specification allows.
      let isBack = variables["last"] != nil
      return .stub(
        200,
        "{\"data\":{\"items\":{\"totalCount\":\(count),\"edges\":[\(edges)],\"pageInfo\":{\"hasNextPage\":"
          + "\(!isBack && range.upperBound < count),\"hasPreviousPage\":\(isBack && range.lowerBound > 0),"
          + "\"startCursor\":\(ends.0),\"endCursor\":\(ends.1)}}}}", for: request)
    }
  }

  @Test func forwardByPost() async throws {
    let server = server()
    #expect(try await source(server).walked().map { $0.map(\.id) } == [[0, 1, 2], [3, 4, 5], [6, 7]])
    let requests = server.requests.map(\.urlRequest)
    #expect(requests.allSatisfy { $0.httpMethod == "POST" && $0.url == listURL })
    #expect(requests.allSatisfy { $0.value(forHTTPHeaderField: "Content-Type") == "application/json" })
    #expect(requests[0].json?["query"] == .string(query))
    #expect(requests[0].json?["variables"] == ["tag": "sea", "first": 3])
    #expect(requests[2].json?["variables"] == ["tag": "sea", "first": 3, "after": "c5"])
  }

  @Test func backwardFromTheMiddle() async throws {
    let server = server()
    let source = source(server)
    let middle = try await source.first(key: "c4")
    #expect(middle.items.map(\.id) == [5, 6, 7] && middle.previousKey == "<c5" && middle.nextKey == nil)
    let back = try await source.load(LoadParams(.prepend, key: "<c5", loadSize: 3))
    #expect(back.items.map(\.id) == [2, 3, 4] && back.nextKey == "c4" && back.previousKey == "<c2")
    let top = try await source.load(LoadParams(.prepend, key: "<c2", loadSize: 3))
    #expect(top.items.map(\.id) == [0, 1] && top.previousKey == nil)
    #expect(server.requests.last?.urlRequest.json?["variables"] == ["tag": "sea", "last": 3, "before": "c2"])
    #expect(try await source.first().previousKey == nil)
  }

  @Test func forwardOnlyHasNoWayBack() async throws {
    let source = source(server(), names: .forwardOnly)
    #expect(try await source.first(key: "c4").previousKey == nil)
    #expect(await source.code(.prepend, key: "<c5") == .invalidKey)
  }

  @Test func offsetsTellPlacesAndJumps() async throws {
    let source = source(server(offsets: true), cursors: .offsets())
    let page = try await source.first(key: HTTPPageKey(Self.offset(2)))
    #expect(page.itemsBefore == 3 && page.itemsAfter == 2 && page.total == .exact(8))
    #expect(source.keyKind == .offset)
    for index in [0, 5] {
      let key = try #require(source.key(forIndex: index))
      #expect(try await source.first(size: 2, key: key).items.map(\.id) == [index, index + 1])
    }
    #expect(try await source.walked().joined().map(\.id) == Array(0..<8))
  }

  @Test func H7_aCursorThatIsAnsweredWithPageOneIsNoticed() async throws {
    let server = server(offsets: true, resets: true)
    let source = source(server, cursors: .offsets())
    #expect(await source.code(key: HTTPPageKey(Self.offset(99))) == .cursorExpired)
    for foreign: HTTPPageKey in ["garbage!", HTTPPageKey(Data("other:5".utf8).base64EncodedString()), "<nonsense"] {
      #expect(await source.code(key: foreign) == .invalidKey)
    }
    // Foreign cursors are not even sent.
    #expect(server.requests.count == 1)
  }

  @Test func H9_errorsInAReplyOfSuccess() async throws {
    let body = #"{"data":null,"errors":[{"message":"Incorrect padding","locations":[{"line":1,"column":25}]}]}"#
    for key: HTTPPageKey? in [nil, "c2"] {
      let error = await #expect(throws: HTTPPageError.self) {
        try await source(StubTransport(200, body)).load(LoadParams(.append, key: key, loadSize: 3))
      }
      #expect(error?.code == .refused && error?.message.contains("Incorrect padding") == true)
    }
    // Rows beside errors are not taken for all there is.
    let partial =
      #"{"data":{"items":{"edges":[],"pageInfo":{"hasNextPage":false}}},"errors":[{"message":"half of it"}]}"#
    let error = await #expect(throws: HTTPPageError.self) { try await source(StubTransport(200, partial)).first() }
    #expect(error?.code == .refused)
    // And a list without any is no failure.
    let whole = #"{"data":{"items":{"edges":[],"pageInfo":{"hasNextPage":false}}},"errors":[]}"#
    #expect(try await source(StubTransport(200, whole)).first().items.isEmpty)
  }

  @Test func H7_aBadCursorInAReplyOfSuccess() async throws {
    let body = #"{"data":null,"errors":[{"message":"Invalid cursor"}]}"#
    #expect(await source(StubTransport(200, body)).code(key: "x") == .invalidKey)
    let expired = #"{"errors":[{"message":"no","extensions":{"code":"CURSOR_EXPIRED"}}]}"#
    #expect(await source(StubTransport(200, expired)).code(key: "x") == .cursorExpired)
  }

  @Test func H9_moreWithoutACursorIsAnError() async throws {
    let body = #"{"data":{"items":{"edges":[],"pageInfo":{"hasNextPage":true,"endCursor":null}}}}"#
    let error = await #expect(throws: HTTPPageError.self) { try await source(StubTransport(200, body)).first() }
    #expect(error?.code == .unreadableNext)
  }

  @Test func edgesWithoutNodesAreNoRows() async throws {
    let body = #"{"data":{"items":{"edges":[null,{"node":null},{"node":{"id":4}}],"pageInfo":{"hasNextPage":false}}}}"#
    #expect(try await source(StubTransport(200, body)).first().items == [Row(id: 4)])
  }
}
