import Loading
import Paging
import PagingTesting
import Testing

@testable import PagingUI

@MainActor @Suite(.timeLimit(.minutes(10))) struct RowBatchTests {
  private let config = PagingConfig(pageSize: 10, prefetchDistance: 5, initialLoadSize: 10)

  /// Random lists of numbers that become others: the old index of an updated row is where its number was.
  @Test(arguments: [1, 2, 3] as [UInt64]) func U4_theOldIndexOfAnUpdatedRowIsWhereItWas(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let old = Array(0..<Int.random(in: 1...30, using: &random))
      let kept = old.filter { _ in Bool.random(using: &random) }
      let moved = kept.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      var new = kept.filter { !moved.contains($0) }
      for number in moved + Array(100..<100 + Int.random(in: 0...10, using: &random)) {
        new.insert(number, at: Int.random(in: 0...new.count, using: &random))
      }
      let changes = ListChanges(
        removals: old.indices.filter { !new.contains(old[$0]) },
        insertions: new.indices.filter { new[$0] >= 100 },
        moves: new.indices.filter { moved.contains(new[$0]) }.map { .init(from: new[$0], to: $0) },
        updates: new.indices.filter { new[$0] < 100 && Bool.random(using: &random) })
      let found = changes.oldIndicesOfUpdates
      #expect(found.map(\.new) == changes.updates)
      #expect(found.map(\.old) == changes.updates.map { new[$0] }, "\(old) became \(new)")
    }
  }

  @Test func U4_aPageThatComesIsInsertedAndNothingElse() async {
    let pager = Pager(config: config, source: ListRows(0..<30).source())
    await pager.settled()
    let older = pager.snapshot
    try? await pager.load(.append).finished()
    let newer = pager.snapshot
    let batch = RowBatch(newer.changes(from: older), from: older, to: newer)
    #expect(batch.insertions == Array(10..<20))
    #expect(batch.removals.isEmpty && batch.moves.isEmpty && batch.reconfigured.isEmpty && batch.replaced.isEmpty)
    #expect(!batch.keepsNothing)
  }

  @Test func U4_aPlaceholderThatIsFilledNeedsAnotherCell() async {
    let source = OffsetPageSource<SampleItem> { range in
      PageSlice(range.clamped(to: 0..<30).map { SampleItem(id: $0) }, total: 30)
    }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    let older = pager.snapshot
    #expect(older.placeholdersAfter == 20)
    try? await pager.load(.append).finished()
    let newer = pager.snapshot
    let batch = RowBatch(newer.changes(from: older), from: older, to: newer)
    #expect(batch.replaced == Array(10..<20))
    #expect(batch.reconfigured.isEmpty && batch.insertions.isEmpty && batch.removals.isEmpty)
  }

  @Test func U4_anEditedRowKeepsItsCell() async {
    let pager = Pager(config: config, source: ListRows(0..<30).source())
    await pager.settled()
    let older = pager.snapshot
    pager.edit(3) { $0.title = "edited" }
    let newer = pager.snapshot
    let batch = RowBatch(newer.changes(from: older), from: older, to: newer)
    #expect(batch.reconfigured == [3])
    #expect(batch.replaced.isEmpty && batch.insertions.isEmpty && batch.removals.isEmpty)
  }

  @Test func U4_aListOfWhichNothingStaysIsShownAnew() async {
    let rows = ListRows(0..<10)
    let pager = Pager(config: config, source: rows.source())
    await pager.settled()
    let older = pager.snapshot
    rows.change { $0 = Array(50..<60) }
    try? await pager.refresh(from: .start).finished()
    let newer = pager.snapshot
    #expect(RowBatch(newer.changes(from: older), from: older, to: newer).keepsNothing)
  }

  @Test func U4_movedRowsGoAndComeWhereChangesAreAppliedInTurn() {
    let none = PagedList(Pager(config: config, source: ListRows([]).source())).rows
    let changes = ListChanges(removals: [4], insertions: [0], moves: [.init(from: 1, to: 3)])
    let batch = RowBatch(changes, from: none, to: none)
    #expect(batch.takenOut == [1, 4])
    #expect(batch.putIn == [0, 3])
  }
}
