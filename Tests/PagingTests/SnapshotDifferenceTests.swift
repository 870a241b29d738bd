import Loading
import Testing

@testable import Paging

@Suite struct SnapshotDifferenceTests {
  private func expectApplies(_ old: PagingSnapshot<Note>, _ new: PagingSnapshot<Note>) {
    let changes = new.changes(from: old)
    #expect(apply(changes, to: old.shown, new: new.shown) == new.shown)
  }

  // MARK: - Within a generation

  @Test(arguments: 0..<12 as Range<UInt64>)
  func P26_changesWithinAGenerationGiveTheNewRows(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let placeholders = seed % 2 == 0
    var model = ListModel()
    model.append(model.fresh(6))
    if placeholders {
      model.before = 30
      model.after = 50
    }
    var kept = [model.snapshot()]
    for _ in 0..<150 {
      let count = Int.random(in: 1...5, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1: model.append(model.droppedBack.popLast() ?? model.fresh(count))
      case 2, 3: model.prepend(model.droppedFront.popLast() ?? model.fresh(count))
      case 4: model.dropFirst(leavingPlaceholders: placeholders)
      case 5: model.dropLast(leavingPlaceholders: placeholders)
      case 6: model.edit(using: &random)
      case 7:
        // A dropped page comes back with other rows, and as many or fewer of them.
        if let page = model.droppedBack.popLast() { model.append(model.fresh(max(1, page.count - 1))) }
      default:
        if let page = model.droppedFront.popLast() { model.prepend(model.fresh(page.count)) }
      }
      let snapshot = model.snapshot()
      if let last = kept.last { expectApplies(last, snapshot) }
      if let any = kept.randomElement(using: &random) {
        expectApplies(any, snapshot)
        expectApplies(snapshot, any)
      }
      kept.append(snapshot)
    }
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func P26_changesOfTheLayoutGiveTheNewRows(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let placeholders = seed % 2 == 0
    var model = ListModel()
    for _ in 0..<Int.random(in: 1...80, using: &random) { model.append(model.fresh(3)) }
    if placeholders {
      model.before = 9
      model.after = 9
    }
    var kept = [model.snapshot()]
    for _ in 0..<100 {
      let count = Int.random(in: 1...5, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: model.append(model.droppedBack.popLast() ?? model.fresh(count))
      case 1: model.prepend(model.droppedFront.popLast() ?? model.fresh(count))
      case 2: model.dropFirst(leavingPlaceholders: placeholders)
      case 3: model.dropLast(leavingPlaceholders: placeholders)
      case 4: model.edit(using: &random)
      default: model.restructure(using: &random)
      }
      let snapshot = model.snapshot()
      if let last = kept.last { expectApplies(last, snapshot) }
      if let any = kept.randomElement(using: &random) {
        expectApplies(any, snapshot)
        expectApplies(snapshot, any)
      }
      kept.append(snapshot)
    }
  }

  @Test func P26_aRowRemovedFarInTellsOfNoOther() {
    var model = ListModel()
    for _ in 0..<500 { model.append(model.fresh(4)) }
    let old = model.snapshot()
    let page = model.pages.page(at: 250)
    model.pages.replacePage(at: 250, with: PageBox(Array(page.items.dropFirst())))
    model.layout += 1
    #expect(model.snapshot().changes(from: old) == ListChanges(removals: [1000]))
    #expect(old.changes(from: model.snapshot()) == ListChanges(insertions: [1000]))
  }

  @Test func P16_fillingPlaceholdersUpdatesThemInPlace() {
    var model = ListModel()
    model.append(model.fresh(3))
    model.before = 5
    model.after = 5
    let old = model.snapshot()
    model.append(model.fresh(2))
    let appended = model.snapshot()
    #expect(appended.changes(from: old) == ListChanges(updates: [8, 9]))
    model.prepend(model.fresh(2))
    #expect(model.snapshot().changes(from: old) == ListChanges(updates: [3, 4, 8, 9]))
    #expect(old.changes(from: model.snapshot()) == ListChanges(updates: [3, 4, 8, 9]))
  }

  @Test func appendsAndDropsWithoutPlaceholdersAreInsertionsAndRemovals() {
    var model = ListModel()
    model.append(model.fresh(3))
    let old = model.snapshot()
    model.append(model.fresh(2))
    model.prepend(model.fresh(1))
    #expect(model.snapshot().changes(from: old) == ListChanges(insertions: [0, 4, 5]))
    model.dropFirst(leavingPlaceholders: false)
    model.dropFirst(leavingPlaceholders: false)
    #expect(model.snapshot().changes(from: old) == ListChanges(removals: [0, 1, 2], insertions: [0, 1]))
  }

  @Test func onlyEditedRowsAreUpdates() {
    var model = ListModel()
    for _ in 0..<1_500 { model.append(model.fresh(4)) }
    let old = model.snapshot()
    let box = model.pages.page(at: 700)
    var items = box.items
    items[1].text = "edited"
    model.pages.replacePage(at: 700, with: PageBox(items, hashes: box.hashes))
    model.replacements += 1
    #expect(model.snapshot().changes(from: old) == ListChanges(updates: [2_801]))
  }

  /// A page that was dropped and came back with other rows is seen, though nothing was replaced in place.
  @Test func aPageThatCameBackOtherwiseIsUpdated() {
    var model = ListModel()
    model.append(model.fresh(3))
    model.append(model.fresh(3))
    let old = model.snapshot()
    model.dropLast(leavingPlaceholders: true)
    model.append(model.fresh(3))
    #expect(model.snapshot().changes(from: old) == ListChanges(updates: [3, 4, 5]))
  }

  // MARK: - Across generations

  @Test(arguments: 0..<50 as Range<UInt64>)
  func P26_changesOfARefreshGiveTheNewRows(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func pages(_ rows: [Note]) -> [[Note]] {
      var rest = rows[...]
      var pages: [[Note]] = []
      while !rest.isEmpty {
        let page = Array(rest.prefix(Int.random(in: 1...20, using: &random)))
        pages.append(page)
        rest = rest.dropFirst(page.count)
      }
      return pages
    }
    let placeholders = seed % 3 != 0
    func some() -> Int { placeholders ? Int.random(in: 0...40, using: &random) : 0 }
    var rows = (0..<Int.random(in: 0...200, using: &random)).map { Note(id: $0, text: "v0") }
    let origin = SnapshotOrigin()
    var old = PagingSnapshot(origin: origin, pages: pages(rows), before: some(), after: some())
    for generation in 2...6 as ClosedRange<UInt64> {
      rows.removeAll { _ in Int.random(in: 0..<12, using: &random) == 0 }
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let id = 1_000 * Int(generation) + rows.count * 10 + Int.random(in: 0..<10, using: &random)
        guard !rows.contains(where: { $0.id == id }) else { continue }
        rows.insert(Note(id: id, text: "v0"), at: Int.random(in: 0...rows.count, using: &random))
      }
      for index in rows.indices where Int.random(in: 0..<10, using: &random) == 0 { rows[index].text += "+" }
      for _ in 0..<Int.random(in: 0...4, using: &random) where rows.count > 1 {
        let row = rows.remove(at: .random(in: rows.indices, using: &random))
        rows.insert(row, at: Int.random(in: 0...rows.count, using: &random))
      }
      if Int.random(in: 0..<5, using: &random) == 0 { rows.shuffle(using: &random) }
      let window = rows.dropFirst(min(rows.count, some())).dropLast(min(rows.count, some()))
      let new = PagingSnapshot(
        origin: origin, generation: generation, pages: pages(Array(window)), before: some(), after: some())
      expectApplies(old, new)
      let changes = new.changes(from: old)
      // No row that stays is called changed unless it is, and no identity changes hands but with a placeholder.
      let was = Dictionary(old.items.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      let same = changes.updates.filter { index in new[index].item.map { was[$0.id] == $0 } ?? false }
      #expect(same == [])
      let gone = changes.removals.compactMap { old[$0].item?.id }
      #expect(Set(gone).isDisjoint(with: new.items.map(\.id)))
      old = new
    }
  }

  @Test func aRefreshThatBringsTheSameRowsChangesNothing() {
    let rows = (0..<50).map { Note(id: $0) }
    let old = PagingSnapshot(pages: [rows], after: 10)
    let new = PagingSnapshot(generation: 2, pages: [Array(rows[..<20]), Array(rows[20...])], after: 10)
    #expect(new.changes(from: old).isEmpty)
  }

  @Test func withoutEquatableEveryRowThatWasLoadedAgainIsAnUpdate() {
    let rows = (0..<6).map { Opaque(id: $0) }
    let old = PagingSnapshot(pages: [rows])
    let new = PagingSnapshot(generation: 2, pages: [[Opaque(id: 9)] + rows.dropLast()])
    #expect(new.changes(from: old) == ListChanges(removals: [5], insertions: [0], updates: [1, 2, 3, 4, 5]))
  }

  @Test func aMovedRowThatChangedIsAMoveAndAnUpdate() {
    let old = PagingSnapshot(pages: [(0..<5).map { Note(id: $0) }])
    let new = PagingSnapshot(
      generation: 2, pages: [[Note(id: 4, text: "new")], (0..<4).map { Note(id: $0) }])
    #expect(new.changes(from: old) == ListChanges(moves: [.init(from: 4, to: 0)], updates: [0]))
  }

  @Test func P16_aJumpInsidePlaceholdersMovesNoRow() {
    let old = PagingSnapshot(pages: [(0..<60).map { Note(id: $0) }], after: 940)
    let new = PagingSnapshot(generation: 2, pages: [(490..<550).map { Note(id: $0) }], before: 490, after: 450)
    #expect(new.changes(from: old) == ListChanges(updates: Array(0..<60) + Array(490..<550)))
    let longer = PagingSnapshot(generation: 3, pages: [(0..<80).map { Note(id: $0) }], after: 920)
    #expect(longer.changes(from: old) == ListChanges(updates: Array(60..<80)))
  }

  @Test func placeholdersWithoutRowsArePairedInOrder() {
    let old = PagingSnapshot<Note>(pages: [], before: 3, after: 4)
    let new = PagingSnapshot(generation: 2, pages: [[Note(id: 1)]], before: 1, after: 6)
    #expect(new.changes(from: old) == ListChanges(insertions: [7], updates: [1]))
    #expect(old.changes(from: new) == ListChanges(removals: [7], updates: [1]))
  }
}
