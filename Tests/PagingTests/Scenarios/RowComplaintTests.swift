import Foundation
import Loading
import Paging
import PagingTesting
import Testing

/// What users of Paging 3 complain of, about single rows: one that changes, and the one that a reader comes back to.
@Suite(.timeLimit(.minutes(10))) struct RowComplaintTests {
  private let config = PagingConfig(pageSize: 10, initialLoadSize: 10)

  /// A list of which rows 0 to 49 are loaded, with 30 to 39 on screen.
  private func read(_ source: RowSource) async throws -> Pager<Int, Row> {
    let pager = Pager(config: config, source: source)
    await pager.settled()
    for row in [0, 10, 20, 30] { try await pager.see(row..<row + 10) }
    return pager
  }

  @Test func CMP_01_oneRowChangesWithoutALoadAndTheListStaysWhereItIs() async throws {
    let server = ListServer(count: 100)
    let source = server.source()
    let pager = try await read(source)
    let (before, calls) = (pager.snapshot, source.calls.count)
    let edit = pager.edit(33) { $0.title = "saved" }
    #expect(pager.snapshot.changes(from: before) == ListChanges(updates: [33]), "one row, and no other")
    #expect(pager.snapshot.position == before.position)
    let removal = pager.remove(31)
    pager.insert(Row(id: 1_000, title: "new"), at: .after(30))
    #expect(pager.snapshot.ids[30..<34] == [30, 1_000, 32, 33])
    await pager.settled()
    #expect(source.calls.count == calls, "nothing is loaded for it")
    // It outlives what is loaded, until the source has it.
    try await pager.refresh().finished()
    #expect(pager.snapshot.items.first { $0.id == 33 }?.title == "saved")
    #expect(!pager.snapshot.ids.contains(31) && pager.snapshot.ids.contains(1_000))
    server.edit { $0[33].title = "saved by the server" }
    edit.confirm()
    removal.rollback()
    try await pager.refresh().finished()
    #expect(pager.snapshot.items.first { $0.id == 33 }?.title == "saved by the server")
    #expect(pager.snapshot.ids.contains(31))
  }

  @Test func CMP_11_whoComesBackFindsTheListWhereItWasLeft() async throws {
    let server = ListServer(count: 100)
    let pager = try await read(server.source())
    try await pager.see(34..<44)
    let state = try #require(pager.savedState())
    // To a screen that comes back the first snapshot is the list, without a frame in between.
    let loaded = pager.snapshot.ids
    #expect(loaded == Array(0..<60))
    var screen = pager.snapshots().makeAsyncIterator()
    #expect(await screen.next()?.ids == loaded)
    // After a new start of the app the list begins at the row that was on screen, though others came before it.
    let data = try JSONEncoder().encode(state)
    server.edit { $0.insert(contentsOf: (1_000..<1_003).map { Row(id: $0) }, at: 0) }
    let again = Pager(
      config: config, restoring: try JSONDecoder().decode(PagingSavedState<Int, Int>.self, from: data),
      source: server.source())
    let first = try await again.first { $0.phase == .content }
    #expect(first.anchor?.kind == .kept)
    #expect(first.anchor?.index.flatMap { first[$0].item?.id } == 34)
    await again.settled()
    let rows = again.snapshot
    #expect(rows.ids.contains(34) && rows.ids.contains(43), "and all that was on screen with it")
  }
}
