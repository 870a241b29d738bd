import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import TestSupport
import Testing

@Suite(
  .enabled(if: RealServer.Kind.datasette.isInstalled, "Datasette is not installed"), .serialized,
  .timeLimit(.minutes(10)))
struct DatasetteTests {
  private func source(_ server: RealServer, _ query: String = "") -> HTTPPageSource<PlainRow> {
    HTTPPageSource(
      server.url(query), convention: .datasette(), transport: Shared.transport, items: \DatasettePage<PlainRow>.items)
  }

  private func styles(_ server: RealServer) -> [FeedStyle] {
    [
      FeedStyle("by key", source(server), drift: .none, cap: 1000, isOldestFirst: true, hasTotal: true),
      FeedStyle("by id, down", source(server, "?_sort_desc=id"), drift: .none, cap: 1000, hasTotal: true),
      FeedStyle(
        "array and header",
        HTTPPageSource(
          server.url("?_shape=array&_sort_desc=id"), convention: .linkHeader(size: "_size"),
          transport: Shared.transport, of: PlainRow.self), drift: .none, cap: nil, hasTotal: false),
    ]
  }

  @Test func everyRowComesOnce() async throws {
    let server = try await RealServers.shared.server(.datasette)
    for style in styles(server) { try await FeedChecks.everyRowOnce(style, of: server) }
  }

  @Test func rowsThatComeAndGo() async throws {
    let server = try await RealServers.shared.server(.datasette)
    for style in styles(server) { try await FeedChecks.drift(style, of: server) }
  }

  @Test func edges() async throws {
    let server = try await RealServers.shared.server(.datasette)
    for style in styles(server) { try await FeedChecks.edges(style, of: server) }
  }

  /// What the preset's page says of a cursor of another list.
  @Test func aForeignCursorGivesNoRows() async throws {
    let server = try await RealServers.shared.server(.datasette, rows: 50)
    let page = try await source(server).load(LoadParams(.append, key: "zzz", loadSize: 20))
    #expect(page.items.isEmpty && page.nextKey == nil)
  }

  @Test func countingCanBeLeftOut() async throws {
    let server = try await RealServers.shared.server(.datasette, rows: 50)
    let page = try await source(server, "?_nocount=1").first(size: 20)
    #expect(page.total == nil && page.items.count == 20 && page.nextKey != nil)
  }
}
