import Loading
import Testing

@testable import Paging

/// A row that can be compared.
struct Note: Identifiable, Equatable, Sendable {
  var id: Int
  var text = ""
}

/// A row that can't.
struct Opaque: Identifiable, Sendable {
  var id: Int
  var text = ""
}

/// What a screen shows of a row.
struct Shown: Equatable {
  var id: Int?
  var text: String
}

extension PageSequence {
  init(_ pages: [[Item]]) {
    self.init()
    for page in pages { append(PageBox(page)) }
  }
}

extension PagingSnapshot {
  init(
    origin: SnapshotOrigin = SnapshotOrigin(), generation: UInt64 = 1, version: UInt64 = 1, pages: [[Item]],
    before: Int = 0, after: Int = 0, states: LoadStates = .idle, mediator: LoadStates? = nil
  ) {
    self.init(
      SnapshotBody(
        origin: origin, generation: generation, version: version, pages: PageSequence(pages), firstOrdinal: 0,
        replacements: 0, firstCoordinate: 0, placeholdersBefore: before, placeholdersAfter: after,
        states: CombinedLoadStates(source: states, mediator: mediator), total: nil,
        position: PagingPosition(rowsBefore: 0, pageIndex: 0), anchor: nil))
  }
}

extension PagingSnapshot<Note> {
  var shown: [Shown] { map { Shown(id: $0.item?.id, text: $0.item?.text ?? "") } }
}

extension PagingSnapshot<Opaque> {
  var shown: [Shown] { map { Shown(id: $0.item?.id, text: $0.item?.text ?? "") } }
}

/// Does to `old` what the changes say, as a screen does, and takes from `new` only what was inserted or updated.
func apply(_ changes: ListChanges, to old: [Shown], new: [Shown]) -> [Shown] {
  #expect(changes.removals == Array(Set(changes.removals)).sorted(), "removals ascend")
  #expect(changes.insertions == Array(Set(changes.insertions)).sorted(), "insertions ascend")
  #expect(changes.updates == Array(Set(changes.updates)).sorted(), "updates ascend")
  #expect(changes.moves.map(\.to) == Array(Set(changes.moves.map(\.to))).sorted(), "moves ascend")
  #expect(Set(changes.insertions).isDisjoint(with: changes.updates), "what is inserted is not updated too")
  var rows = old
  for index in (changes.removals + changes.moves.map(\.from)).sorted(by: >) { rows.remove(at: index) }
  let placed =
    changes.insertions.map { ($0, new[$0]) } + changes.moves.map { ($0.to, old[$0.from]) }
  for (index, row) in placed.sorted(by: { $0.0 < $1.0 }) { rows.insert(row, at: index) }
  for index in changes.updates { rows[index] = new[index] }
  return rows
}

/// A list as the engine keeps it, with the events that change it, for random scripts.
struct ListModel {
  let origin = SnapshotOrigin()
  var generation: UInt64 = 1
  var version: UInt64 = 0
  var pages = PageSequence<Note>()
  var firstOrdinal = 0
  var replacements: UInt64 = 0
  var layout: UInt64 = 0
  var firstCoordinate = 0
  var before = 0
  var after = 0
  var nextID = 0
  /// Rows of pages that were dropped at the front and the back, nearest last.
  var droppedFront: [[Note]] = []
  var droppedBack: [[Note]] = []

  mutating func fresh(_ count: Int) -> [Note] {
    defer { nextID += count }
    return (nextID..<nextID + count).map { Note(id: $0, text: "v0") }
  }

  mutating func append(_ items: [Note]) {
    pages.append(PageBox(items))
    after = max(0, after - items.count)
  }

  mutating func prepend(_ items: [Note]) {
    pages.prepend(PageBox(items))
    firstOrdinal -= 1
    firstCoordinate -= items.count
    before = max(0, before - items.count)
  }

  mutating func dropFirst(leavingPlaceholders: Bool) {
    guard pages.pageCount > 1, let box = pages.removeFirst() else { return }
    firstOrdinal += 1
    firstCoordinate += box.count
    if leavingPlaceholders { before += box.count }
    droppedFront.append(box.items)
  }

  mutating func dropLast(leavingPlaceholders: Bool) {
    guard pages.pageCount > 1, let box = pages.removeLast() else { return }
    if leavingPlaceholders { after += box.count }
    droppedBack.append(box.items)
  }

  mutating func edit(using random: inout SeededGenerator) {
    guard !pages.isEmpty else { return }
    let index = Int.random(in: 0..<pages.pageCount, using: &random)
    let box = pages.page(at: index)
    var items = box.items
    for offset in items.indices where Int.random(in: 0..<4, using: &random) == 0 { items[offset].text += "+" }
    pages.replacePage(at: index, with: PageBox(items, hashes: box.hashes))
    replacements += 1
  }

  /// Takes rows out of a page, moves some, puts new ones in, or leaves nothing of it.
  mutating func restructure(using random: inout SeededGenerator) {
    guard !pages.isEmpty else { return }
    let index = Int.random(in: 0..<pages.pageCount, using: &random)
    var items = pages.page(at: index).items.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
    items.shuffle(using: &random)
    for item in fresh(Int.random(in: 0...2, using: &random)) {
      items.insert(item, at: Int.random(in: 0...items.count, using: &random))
    }
    pages.replacePage(at: index, with: PageBox(items))
    layout += 1
  }

  mutating func snapshot() -> PagingSnapshot<Note> {
    version += 1
    return PagingSnapshot(
      SnapshotBody(
        origin: origin, generation: generation, version: version, pages: pages, firstOrdinal: firstOrdinal,
        replacements: replacements, layout: layout, firstCoordinate: firstCoordinate, placeholdersBefore: before,
        placeholdersAfter: after, states: CombinedLoadStates(source: .idle), total: nil,
        position: PagingPosition(rowsBefore: 0, pageIndex: 0), anchor: nil))
  }
}
