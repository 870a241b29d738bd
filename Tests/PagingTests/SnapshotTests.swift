import Testing

@testable import Paging

@Suite struct SnapshotTests {
  private func notes(_ ids: Range<Int>) -> [Note] { ids.map { Note(id: $0, text: "t\($0)") } }

  @Test func rowsAndPlaceholdersByIndex() {
    let snapshot = PagingSnapshot(pages: [notes(0..<3), notes(3..<5)], before: 2, after: 1)
    #expect(snapshot.count == 8)
    let ids = [nil, nil, 0, 1, 2, 3, 4, nil]
    #expect(snapshot.map { $0.item?.id } == ids)
    #expect(snapshot.indices.map { snapshot[$0].item?.id } == ids)
    #expect(snapshot.indices.map { snapshot[$0].id.item } == ids)
    #expect(Set(snapshot.map(\.id)).count == 8)
    #expect(snapshot.map(\.id) == snapshot.indices.map { snapshot[$0].id })
    #expect(snapshot.items.map(\.id) == [0, 1, 2, 3, 4])
    #expect(snapshot.items.indices.map { snapshot.items[$0].id } == [0, 1, 2, 3, 4])
    #expect(snapshot.pages.map(\.count) == [3, 2])
    #expect(snapshot.pages.indices.map { snapshot.pages[$0].count } == [3, 2])
    #expect(snapshot.index(ofItem: 4) == 6)
    #expect(snapshot.index(ofItem: 7) == nil)
  }

  @Test func P3_readingOutsideTheRowsDoesNotTrap() {
    let snapshot = PagingSnapshot(pages: [notes(0..<3)], before: 2)
    for index in [-1, 5, Int.min, Int.max] { #expect(snapshot[index].item == nil) }
  }

  @Test func placeholdersKeepTheirIdentityWithinAGeneration() {
    var model = ListModel()
    model.before = 4
    model.after = 4
    model.append(model.fresh(3))
    model.before = 4
    let old = model.snapshot()
    model.prepend(model.fresh(2))
    let new = model.snapshot()
    #expect(new.count == old.count)
    #expect(new[0].id == old[0].id)
    #expect(new[1].id == old[1].id)
    #expect(new[3].id != old[3].id)
    #expect(new[6].id == old[6].id)
    #expect(new.last?.id == old.last?.id)
  }

  @Test func theEmptySnapshotIsInitial() {
    let snapshot = PagingSnapshot<Note>()
    #expect(snapshot.isEmpty)
    #expect(snapshot.phase == .initial)
    #expect(snapshot.changes(from: PagingSnapshot<Note>()).isEmpty)
    #expect(snapshot.index(ofItem: 0) == nil)
  }

  @Test func P22_phaseFoldsRowsAndStates() {
    struct Broken: Error {}
    let failures = (1...3).map { LoadFailure(number: $0, error: Broken()) }
    let idle = LoadState.notLoading(endReached: false)
    let end = LoadState.notLoading(endReached: true)
    func phase(
      _ refresh: LoadState, _ prepend: LoadState, _ append: LoadState, rows: Int = 0, before: Int = 0,
      mediator: LoadStates? = nil
    ) -> PagingPhase {
      PagingSnapshot(
        pages: rows == 0 ? [] : [notes(0..<rows)], before: before,
        states: LoadStates(refresh: refresh, prepend: prepend, append: append), mediator: mediator
      ).phase
    }
    #expect(phase(idle, idle, idle) == .initial)
    #expect(phase(idle, end, idle) == .initial)
    #expect(phase(idle, end, end) == .empty)
    #expect(phase(.loading, end, end) == .loading)
    #expect(phase(idle, end, .loading) == .loading)
    #expect(phase(.failed(failures[0]), .loading, end) == .loading)
    #expect(phase(.failed(failures[0]), .failed(failures[1]), .failed(failures[2])) == .failed(failures[0]))
    #expect(phase(idle, .failed(failures[1]), .failed(failures[2])) == .failed(failures[1]))
    #expect(phase(idle, end, .failed(failures[2])) == .failed(failures[2]))
    #expect(phase(.failed(failures[0]), .loading, end, rows: 1) == .content)
    #expect(phase(.loading, idle, idle, before: 1) == .content)
    #expect(phase(idle, end, end, mediator: .idle) == .initial)
    #expect(phase(idle, end, end, mediator: LoadStates(refresh: idle, prepend: end, append: end)) == .empty)
  }

  @Test func copiesShareOneBody() {
    let snapshot = PagingSnapshot(pages: [notes(0..<3)])
    let copy = snapshot
    #expect(copy.body === snapshot.body)
    #expect(copy.changes(from: snapshot).isEmpty)
  }
}
