import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import TestSupport
import Testing

private struct Node: Numbered, Decodable {
  var id: String
  var number: Int
}

/// Either of the lists, under one name.
private struct Reply: Decodable, Sendable {
  struct Lists: Decodable, Sendable { var list: GraphQLConnection<Node> }
  var data: Lists
}

private func query(_ field: String) -> String {
  """
  query($first: Int, $after: String, $last: Int, $before: String) {
    list: \(field)(first: $first, after: $after, last: $last, before: $before) {
      totalCount edges { node { id number } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
  """
}

private func source(_ server: RealServer, _ field: String, _ cursors: GraphQLCursors) -> HTTPPageSource<Node> {
  HTTPPageSource(
    server.url,
    convention: PageConvention<Reply>.graphQL(query(field), cursors: cursors, total: \.data.list.totalCount) {
      $0.data.list.pageInfo
    }, transport: Shared.transport, items: \.data.list.nodes)
}

private func offset(_ number: Int) -> HTTPPageKey {
  HTTPPageKey(Data("arrayconnection:\(number)".utf8).base64EncodedString())
}

@Suite(
  .enabled(if: RealServer.Kind.strawberry.isInstalled, "Strawberry is not installed"), .serialized,
  .timeLimit(.minutes(10)))
struct StrawberryTests {
  private func styles(_ server: RealServer) -> [FeedStyle] {
    [
      FeedStyle("offsets", source(server, "items", .offsets()), drift: .shifts, cap: nil, hasTotal: true),
      FeedStyle("opaque offsets", source(server, "items", .opaque), drift: .shifts, cap: nil, hasTotal: true),
      FeedStyle("keyset", source(server, "itemsKeyset", .opaque), drift: .none, cap: 100, hasTotal: true),
    ]
  }

  @Test func everyRowComesOnce() async throws {
    let server = try await RealServers.shared.server(.strawberry)
    for style in styles(server) where style.name != "opaque offsets" {
      try await FeedChecks.everyRowOnce(style, of: server)
    }
  }

  @Test func rowsThatComeAndGo() async throws {
    let server = try await RealServers.shared.server(.strawberry)
    for style in styles(server) { try await FeedChecks.drift(style, of: server) }
  }

  @Test func edges() async throws {
    let server = try await RealServers.shared.server(.strawberry)
    for style in styles(server) { try await FeedChecks.edges(style, of: server) }
  }

  @Test(arguments: ["items", "itemsKeyset"]) func theWayBack(field: String) async throws {
    let server = try await RealServers.shared.server(.strawberry, rows: 100)
    let source = source(server, field, field == "items" ? .offsets() : .opaque)
    var page = try await source.first(size: 15)
    for _ in 0..<3 { page = try await source.load(LoadParams(.append, key: page.nextKey, loadSize: 15)) }
    var ids: [Int] = []
    while let key = page.previousKey {
      page = try await source.load(LoadParams(.prepend, key: key, loadSize: 15))
      ids = page.items.map(\.number) + ids
    }
    #expect(ids == Array((56...100).reversed()), "\(field)")
  }

  @Test func aRowThatCameInAboveIsReachedByTheWayBack() async throws {
    let server = try await RealServers.shared.server(.strawberry, rows: 100)
    let source = source(server, "itemsKeyset", .opaque)
    let first = try await source.first(size: 15, key: (try await source.first(size: 1)).nextKey)
    try await server.tell("insert 2 top")
    let above = try await source.load(LoadParams(.prepend, key: first.previousKey, loadSize: 15))
    #expect(above.items.map(\.number) == [102, 101, 100])
  }

  @Test func jumpsByOffset() async throws {
    let server = try await RealServers.shared.server(.strawberry, rows: 100)
    let source = source(server, "items", .offsets())
    for index in [0, 40, 99] {
      let page = try await source.first(size: 3, key: source.key(forIndex: index))
      #expect(page.items.first?.number == 100 - index && page.itemsBefore == index)
      #expect(page.itemsAfter == 100 - index - page.items.count)
    }
  }

  @Test func H7_badCursorsAndTheEnd() async throws {
    let server = try await RealServers.shared.server(.strawberry, rows: 50)
    #expect(await source(server, "items", .offsets()).code(key: "garbage!") == .invalidKey)
    #expect(await source(server, "itemsKeyset", .opaque).code(key: "garbage!") == .invalidKey)
    // Without a word that is known, it is a refusal in the server's words.
    let error = await #expect(throws: HTTPPageError.self) {
      try await source(server, "items", .opaque).load(LoadParams(.append, key: "garbage!", loadSize: 5))
    }
    #expect(error?.code == .refused)
    let beyond = try await source(server, "items", .offsets()).load(LoadParams(.append, key: offset(999), loadSize: 5))
    #expect(beyond.items.isEmpty && beyond.nextKey == nil)
  }
}

@Suite(
  .enabled(if: RealServer.Kind.graphene.isInstalled, "Graphene is not installed"), .serialized, .timeLimit(.minutes(10))
)
struct GrapheneTests {
  private func style(_ server: RealServer) -> FeedStyle {
    FeedStyle("graphene", source(server, "items", .offsets()), drift: .shifts, cap: 5000, hasTotal: true)
  }

  @Test func everyRowComesOnce() async throws {
    let server = try await RealServers.shared.server(.graphene)
    try await FeedChecks.everyRowOnce(style(server), of: server)
  }

  @Test func rowsThatComeAndGo() async throws {
    let server = try await RealServers.shared.server(.graphene)
    try await FeedChecks.drift(style(server), of: server)
  }

  @Test func edges() async throws {
    let server = try await RealServers.shared.server(.graphene)
    try await FeedChecks.edges(style(server), of: server)
  }

  @Test func H7_pageOneInTheAnswerToABadCursor() async throws {
    let server = try await RealServers.shared.server(.graphene, rows: 50)
    let offsets = source(server, "items", .offsets())
    #expect(await offsets.code(key: "garbage!") == .invalidKey)
    #expect(await offsets.code(key: offset(999)) == .cursorExpired)
    let first = try await offsets.first(size: 20)
    try await server.tell("rows 10")
    #expect(await offsets.code(key: first.nextKey) == .cursorExpired)
    // What the server does, and what can't be told where cursors are not to be looked into.
    let opaque = try await source(server, "items", .opaque).load(LoadParams(.append, key: "garbage!", loadSize: 5))
    #expect(opaque.items.first?.number == 10)
  }

  @Test func theWayBackIsThereThoughTheFlagSaysNo() async throws {
    let server = try await RealServers.shared.server(.graphene, rows: 50)
    let source = source(server, "items", .offsets())
    let second = try await source.load(
      LoadParams(.append, key: (try await source.first(size: 10)).nextKey, loadSize: 10))
    let back = try await source.load(LoadParams(.prepend, key: second.previousKey, loadSize: 10))
    #expect(back.items.map(\.number) == Array((41...50).reversed()) && back.previousKey == nil)
  }
}
