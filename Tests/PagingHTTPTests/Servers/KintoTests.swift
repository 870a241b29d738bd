import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import TestSupport
import Testing

private struct Record: Numbered, Decodable {
  var id: String
  var n: Int
  var lastModified: Int
  var number: Int { n }
  enum CodingKeys: String, CodingKey {
    case id, n
    case lastModified = "last_modified"
  }
}

@Suite(.enabled(if: RealServer.Kind.kinto.isInstalled, "Kinto is not installed"), .serialized, .timeLimit(.minutes(10)))
struct KintoTests {
  private func source(
    _ server: RealServer, _ convention: PageConvention<KintoPage<Record>> = .kinto(), sort: String = "-created,-n"
  ) -> HTTPPageSource<Record> {
    HTTPPageSource(
      server.url("?_sort=\(sort)"), convention: convention, transport: Shared.transport, items: \.items)
  }

  private func style(_ server: RealServer) -> FeedStyle {
    FeedStyle("kinto", source(server), drift: .none, cap: 100, hasTotal: true)
  }

  @Test func everyRowComesOnce() async throws {
    let server = try await RealServers.shared.server(.kinto)
    try await FeedChecks.everyRowOnce(style(server), of: server)
  }

  @Test func rowsThatComeAndGo() async throws {
    let server = try await RealServers.shared.server(.kinto)
    try await FeedChecks.drift(style(server), of: server)
  }

  @Test func edges() async throws {
    let server = try await RealServers.shared.server(.kinto)
    try await FeedChecks.edges(style(server), of: server)
  }

  @Test func H7_badTokens() async throws {
    let server = try await RealServers.shared.server(.kinto, rows: 30)
    for token in ["garbage", "Z2FyYmFnZQ=="] {
      #expect(await source(server).code(key: HTTPPageKey(server.url("?_limit=2&_token=\(token)"))) == .invalidKey)
    }
  }

  @Test func H8_aChangeInMidWalk() async throws {
    let server = try await RealServers.shared.server(.kinto, rows: 50)
    let source = source(server, .kinto().detectingChanges())
    #expect(try await source.walked(size: 20).joined().count == 50)
    let first = try await source.first(size: 20)
    try await server.tell("insert 1 top")
    #expect(await source.code(key: first.nextKey) == .invalidated)
    #expect(try await source.walked(size: 20).joined().count == 51)
    let again = try await source.first(size: 20)
    try await server.tell("delete 7")
    #expect(await source.code(key: again.nextKey) == .invalidated)
  }

  @Test func newerRecordsAndTheirNumber() async throws {
    let server = try await RealServers.shared.server(.kinto, rows: 50)
    let source = HTTPHeadSource(
      source(server, sort: "-last_modified"), head: .kinto(lastModified: \.lastModified))
    let newest = try #require(try await source.first(size: 5).items.first)
    #expect(newest.number == 50)
    #expect(try await source.countNewer(than: newest, limit: 99) == .exact(0))
    try await server.tell("insert 3 top")
    #expect(try await source.newer(than: newest, limit: 10).items.map(\.number) == [53, 52, 51])
    #expect(try await source.countNewer(than: newest, limit: 99) == .exact(3))
    #expect(try await source.countNewer(than: newest, limit: 2) == .atLeast(2))
  }

  @Test func changesSinceAToken() async throws {
    let server = try await RealServers.shared.server(.kinto, rows: 30)
    let log = HTTPChangeLogSource(
      source(server), at: server.url("?"), log: .kinto(of: Record.self, pageSize: 7))
    var numbers: [String: Int] = [:]
    let apply = { (page: ChangeLogPage<Record>) in
      for gone in page.deletions { numbers[gone] = nil }
      for record in page.upserts { numbers[record.id] = record.number }
    }
    let start = try await log.catchUp(since: nil, apply: apply)
    #expect(Set(numbers.values) == Set(1...30) && !start.hasMore)
    let still = try await log.changes(since: start.nextToken)
    #expect(still.upserts.isEmpty && still.deletions.isEmpty)
    try await server.tell("insert 9 top")
    try await server.tell("delete 3,4,35")
    let end = try await log.catchUp(since: start.nextToken, apply: apply)
    #expect(Set(numbers.values) == Set(1...39).subtracting([3, 4, 35]))
    #expect(try await log.changes(since: end.nextToken).upserts.isEmpty)
    #expect(try await log.changes(since: "nonsense").needsFullReload)
  }
}
