import Loading
import Paging
import PagingTesting
import Testing

/// P27: rows that come and go by edits, and where everything else is then.
@Suite(.timeLimit(.minutes(10))) struct EditedRowsContracts {
  private let config = PagingConfig(pageSize: 10, initialLoadSize: 10)

  private func loaded(_ count: Int, counts: Bool = false) async -> (ListServer, Pager<Int, Row>) {
    let server = ListServer(count: count)
    let pager = Pager(config: config, source: server.source(counts: counts))
    await pager.settled()
    return (server, pager)
  }

  @Test func P27_aRemovalEndsWithTheFirstRefreshAfterItsConfirmation() async throws {
    let (_, pager) = await loaded(30)
    let removal = pager.remove(3)
    #expect(pager.snapshot.ids == [0, 1, 2, 4, 5, 6, 7, 8, 9])
    try await pager.refresh().finished()
    #expect(!pager.snapshot.ids.contains(3))
    removal.confirm()
    #expect(!pager.snapshot.ids.contains(3))
    try await pager.load(.append).finished()
    #expect(!pager.snapshot.ids.contains(3), "a page at an edge is no refresh")
    // The server has not done it after all.
    try await pager.refresh().finished()
    #expect(pager.snapshot.ids.contains(3))
  }

  @Test func P27_anInsertionEndsWithTheFirstRefreshAfterItsConfirmation() async throws {
    let (_, pager) = await loaded(10)
    let insertion = pager.insert(Row(id: 100), at: .start)
    #expect(pager.snapshot.ids.first == 100)
    try await pager.refresh().finished()
    #expect(pager.snapshot.ids.first == 100)
    insertion.confirm()
    #expect(pager.snapshot.ids.first == 100)
    try await pager.refresh().finished()
    #expect(pager.snapshot.ids == Array(0..<10), "the source does not have it")
  }

  @Test func P27_insertedRowsStandWhereTheyWerePutTheLastOneNearest() async throws {
    let (_, pager) = await loaded(3)
    for id in [10, 11] { pager.insert(Row(id: id), at: .start) }
    for id in [20, 21] { pager.insert(Row(id: id), at: .end) }
    for id in [30, 31] { pager.insert(Row(id: id), at: .before(1)) }
    for id in [40, 41] { pager.insert(Row(id: id), at: .after(1)) }
    let last = pager.insert(Row(id: 50), at: .after(40))
    #expect(pager.snapshot.ids == [11, 10, 0, 30, 31, 1, 41, 40, 50, 2, 20, 21])
    let hidden = pager.remove(40)
    #expect(pager.snapshot.ids == [11, 10, 0, 30, 31, 1, 41, 50, 2, 20, 21], "50 keeps its place")
    hidden.rollback()
    pager.edit(50) { $0.title = "edited" }
    #expect(pager.snapshot.items[8] == Row(id: 50, title: "edited"))
    last.rollback()
    #expect(pager.snapshot.ids == [11, 10, 0, 30, 31, 1, 41, 40, 2, 20, 21])
    pager.insert(Row(id: 2, title: "twice"), at: .start)
    pager.insert(Row(id: 60), at: .after(999))
    #expect(pager.snapshot.ids == [11, 10, 0, 30, 31, 1, 41, 40, 2, 20, 21])
    pager.remove(2)
    pager.insert(Row(id: 2, title: "moved"), at: .start)
    #expect(pager.snapshot.ids == [2, 11, 10, 0, 30, 31, 1, 41, 40, 20, 21], "removed and inserted is moved")
  }

  @Test func P27_rowsAtTheEndsShowWhereTheEndsAreLoaded() async throws {
    let server = ListServer(count: 30)
    let source = TraitedSource(server.source()) { $0.keyForIndex = { $0 } }
    let config = PagingConfig(pageSize: 10, prefetchDistance: 1, initialLoadSize: 10)
    let pager = Pager(config: config, initialKey: 10, source: source)
    await pager.settled()
    pager.insert(Row(id: 100), at: .start)
    pager.insert(Row(id: 101), at: .end)
    #expect(pager.snapshot.ids == Array(10..<20))
    try await pager.see(9..<10)
    #expect(pager.snapshot.ids == Array(10..<30) + [101])
    try await pager.see(0..<1)
    #expect(pager.snapshot.ids == [100] + Array(0..<30) + [101])
  }

  @Test func P27_anEmptyListTakesRows() async throws {
    let (server, pager) = await loaded(0)
    #expect(pager.snapshot.phase == .empty)
    let before = pager.snapshot
    pager.insert(Row(id: 100), at: .start)
    let end = pager.insert(Row(id: 101), at: .end)
    pager.insert(Row(id: 102), at: .before(101))
    #expect(pager.snapshot.ids == [100, 102, 101])
    #expect(pager.snapshot.phase == .content)
    #expect(pager.snapshot.changes(from: before) == ListChanges(insertions: [0, 1, 2]))
    try await pager.see(0..<3)
    try await pager.jump(toItem: 102).finished()
    server.edit { $0 = [Row(id: 0), Row(id: 1)] }
    try await pager.refresh().finished()
    #expect(pager.snapshot.ids == [100, 0, 1, 102, 101])
    end.rollback()
    #expect(pager.snapshot.ids == [100, 0, 1])
  }

  @Test func P27_whereAllRowsAreRemovedNoneShows() async throws {
    let (_, pager) = await loaded(3)
    try await pager.see(0..<3)
    let edits = (0..<3).map { pager.remove($0) }
    #expect(pager.snapshot.isEmpty)
    #expect(pager.snapshot.phase == .empty)
    #expect(pager.snapshot.position == PagingPosition(rowsBefore: 0, pageIndex: 0))
    pager.look(at: 0..<0)
    try await pager.refresh().finished()
    #expect(pager.snapshot.isEmpty)
    #expect(pager.snapshot.anchor?.index == nil)
    for edit in edits { edit.rollback() }
    #expect(pager.snapshot.ids == [0, 1, 2])
  }

  // MARK: - The server's identity

  @Test func P27_anInsertedRowKeepsItsRowWhenItGetsItsServerIdentity() async throws {
    let (server, pager) = await loaded(20)
    let insertion = pager.insert(Row(id: -1, title: "draft"), at: .start)
    pager.insert(Row(id: -2), at: .after(-1))
    let drafted = pager.snapshot
    let row = drafted[0].id
    #expect(row.item == -1)
    insertion.confirm(as: Row(id: 4_711, title: "sent"))
    #expect(pager.snapshot.ids.prefix(3) == [4_711, -2, 0])
    #expect(pager.snapshot[0].id == row)
    #expect(pager.snapshot[0].id.item == 4_711)
    #expect(Set([pager.snapshot[0].id, row]).count == 1)
    #expect(pager.snapshot.changes(from: drafted) == ListChanges(updates: [0]))
    #expect(pager.snapshot.index(ofItem: 4_711) == 0)
    #expect(pager.snapshot.index(ofItem: -1) == nil)

    server.edit { $0.insert(Row(id: 4_711, title: "kept"), at: 0) }
    let sent = pager.snapshot
    try await pager.refresh().finished()
    let refreshed = pager.snapshot
    #expect(refreshed.items.first == Row(id: 4_711, title: "kept"))
    #expect(refreshed.ids.count { $0 == 4_711 } == 1)
    #expect(refreshed[0].id == row)
    #expect(refreshed.map(\.id).first == row)
    #expect(refreshed.changes(from: sent).removals == [11], "row 9 is not loaded yet")
    #expect(refreshed.changes(from: sent).updates == [0])
    #expect(refreshed[1].item?.id == -2, "it stays at what it was put at")
    pager.edit(-1) { $0.title += ", edited" }
    pager.edit(4_711) { $0.title += " twice" }
    #expect(pager.snapshot.items.first?.title == "kept, edited twice")
    try await pager.jump(toItem: -1).finished()
    #expect(Set(pager.snapshot.map(\.id)).count == pager.snapshot.count)
  }

  @Test func P27_aNewRowMayTakeAnIdentityThatAnotherGoesBy() async throws {
    let (server, pager) = await loaded(3)
    pager.insert(Row(id: -1), at: .start).confirm(as: Row(id: 10))
    server.edit { $0.insert(Row(id: 10), at: 0) }
    try await pager.refresh().finished()
    let before = pager.snapshot
    pager.insert(Row(id: -1), at: .start).confirm(as: Row(id: 11))
    #expect(pager.snapshot.ids == [11, 10, 0, 1, 2])
    #expect(Set(pager.snapshot.map(\.id)).count == 5)
    #expect(pager.snapshot[0].id == before[0].id)
    #expect(
      pager.snapshot.changes(from: before).updates.count + pager.snapshot.changes(from: before).insertions.count > 0)
  }

  // MARK: - Where everything else is

  @Test func P27_aReportAmongEditedRowsMeansTheRowsOnScreen() async throws {
    let (server, pager) = await loaded(60)
    try await pager.see(0..<10)
    for id in [100, 101, 102] { pager.insert(Row(id: id), at: .after(4)) }
    pager.remove(1)
    // 0 2 3 4 | 102 101 100 | 5 …
    #expect(pager.snapshot.ids.prefix(8) == [0, 2, 3, 4, 102, 101, 100, 5])
    try await pager.see(5..<9)
    server.edit { $0.insert(contentsOf: (200..<203).map { Row(id: $0) }, at: 0) }
    try await pager.refresh().finished()
    let shown = pager.snapshot
    let anchor = try #require(shown.anchor)
    #expect(anchor.kind == .kept)
    #expect(anchor.index.map { shown[$0].item?.id } == 5, "the first of the source's rows on screen")
    #expect(shown[shown.position.rowsBefore].item?.id == 101)
  }

  @Test func P27_aRemovedRowIsNoAnchor() async throws {
    let (_, pager) = await loaded(60)
    try await pager.see(0..<10)
    try await pager.see(5..<15)
    pager.remove(5)
    pager.remove(6)
    try await pager.refresh().finished()
    let shown = pager.snapshot
    #expect(shown.anchor?.kind == .kept)
    #expect(shown.anchor?.index.map { shown[$0].item?.id } == 7)
    #expect(shown[shown.position.rowsBefore].item?.id == 7)
  }

  @Test func P27_aReportOfASnapshotBeforeTheEditIsUnderstood() async throws {
    let (_, pager) = await loaded(60)
    try await pager.see(0..<10)
    let old = pager.snapshot
    for id in 100..<105 { pager.insert(Row(id: id), at: .start) }
    pager.viewportChanged(to: 3..<8, of: old)
    await pager.settled()
    try await pager.refresh().finished()
    #expect(pager.snapshot.anchored == 3)
    pager.remove(3)
    pager.viewportChanged(to: 3..<8, of: old)
    try await pager.refresh().finished()
    #expect(pager.snapshot.anchored == 4)
  }

  @Test func P27_insertedRowsAloneOnScreenKeepTheirPlace() async throws {
    let (_, pager) = await loaded(5)
    for id in (100..<120).reversed() { pager.insert(Row(id: id), at: .after(4)) }
    try await pager.see(10..<14)
    pager.edit(0) { $0.title = "a snapshot says where it is looked at" }
    #expect(pager.snapshot.position.rowsBefore == 10)
    for id in (200..<220).reversed() { pager.insert(Row(id: id), at: .start) }
    #expect(pager.snapshot.count == 45)
    try await pager.see(2..<6)
    pager.edit(0) { $0.title = "another one" }
    #expect(pager.snapshot.position.rowsBefore == 2)
  }

  @Test func P27_removedRowsAreNoneToScrollTo() async throws {
    let server = ListServer(count: 100)
    let config = PagingConfig(pageSize: 10, prefetchDistance: 10, initialLoadSize: 30)
    let pager = Pager(config: config, source: server.source())
    await pager.settled()
    try await pager.see(0..<5)
    #expect(pager.snapshot.count == 30)
    for id in 5..<30 { pager.remove(id) }
    await pager.settled()
    #expect(pager.snapshot.ids == Array(0..<5) + Array(30..<40), "or the reader would be at an end that is none")
  }

  @Test func P27_jumpsCountEditedRows() async throws {
    let server = ListServer(count: 100)
    let asked = Box<[Int]>([])
    let source = TraitedSource(server.source(counts: true)) { traits in
      traits.keyForIndex = { index in
        asked.change { $0.append(index) }
        return index
      }
    }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    pager.insert(Row(id: 100), at: .start)
    pager.insert(Row(id: 101), at: .after(3))
    pager.remove(5)
    #expect(pager.snapshot.count == 101)
    try await pager.jump(toItem: 101).finished()
    try await pager.jump(toIndex: 10).finished()
    #expect(asked.value.isEmpty, "it is loaded")
    let refused = pager.jump(toItem: 5)
    await #expect { try await refused.finished() } throws: { ($0 as? PagingError)?.code == .itemNotFound }
    try await pager.jump(toIndex: 51).finished()
    #expect(asked.value == [50])
    #expect(pager.snapshot.ids.first == 50)
  }
}
