import Loading
import Testing

@testable import Paging

typealias Separated = SeparatedRow<Note, Int>

/// What a screen shows of a row of any kind: an item by its identity, a separator by a number below zero.
extension Shown {
  init(_ row: Separated?) {
    switch row {
    case .item(let note): self.init(id: note.id, text: note.text)
    case .separator(let value): self.init(id: -1 - value, text: "separator")
    case nil: self.init(id: nil, text: "")
    }
  }
}

extension PagingSnapshot<Separated> {
  var shown: [Shown] { map { Shown($0.item) } }
  /// The same without the numbers that tell equal separators apart.
  var plain: [Shown] { map { $0.item?.separator.map { Shown(id: -1 - $0, text: "") } ?? Shown($0.item) } }
}

/// A list model whose ends can be reached.
struct EndedModel {
  var list = ListModel()
  var startsHere = false
  var endsHere = false

  mutating func snapshot() -> PagingSnapshot<Note> {
    let body = list.snapshot().body
    return PagingSnapshot(
      SnapshotBody(
        origin: body.origin, generation: body.generation, version: body.version, pages: body.pages,
        firstOrdinal: body.firstOrdinal, replacements: body.replacements, layout: body.layout,
        firstCoordinate: body.firstCoordinate, placeholdersBefore: body.placeholdersBefore,
        placeholdersAfter: body.placeholdersAfter,
        states: CombinedLoadStates(
          source: LoadStates(
            refresh: .notLoading(endReached: false), prepend: .notLoading(endReached: startsHere),
            append: .notLoading(endReached: endsHere))), total: .exact(1_000), position: body.position, anchor: nil))
  }

  /// One random event.
  mutating func step(using chance: inout SeededGenerator, edits: Bool = true, placeholders: Bool = true) -> String {
    switch Int.random(in: 0..<(edits ? 15 : 12), using: &chance) {
    case 0...2 where !endsHere:
      list.append(list.fresh(Int.random(in: 1...4, using: &chance)))
      return "append"
    case 3...4 where !startsHere:
      list.prepend(list.fresh(Int.random(in: 1...4, using: &chance)))
      return "prepend"
    case 5, 6:
      guard list.pages.pageCount > 1 else { return "nothing" }
      list.dropFirst(leavingPlaceholders: placeholders && Bool.random(using: &chance))
      startsHere = false
      return "drop first"
    case 7, 8:
      guard list.pages.pageCount > 1 else { return "nothing" }
      list.dropLast(leavingPlaceholders: placeholders && Bool.random(using: &chance))
      endsHere = false
      return "drop last"
    case 9:
      startsHere.toggle()
      if startsHere { list.before = 0 }
      return "start \(startsHere)"
    case 10:
      endsHere.toggle()
      if endsHere { list.after = 0 }
      return "end \(endsHere)"
    case 11:
      guard Int.random(in: 0..<6, using: &chance) == 0 else { return "nothing" }
      list.generation += 1
      list.nextID = max(0, list.nextID - 10)
      (list.pages, list.firstOrdinal, list.firstCoordinate, list.replacements) = (PageSequence(), 0, 0, 0)
      (list.layout, list.before, list.after) = (0, 0, 0)
      (startsHere, endsHere) = (Bool.random(using: &chance), Bool.random(using: &chance))
      if placeholders, !startsHere { list.before = 5 }
      if placeholders, !endsHere { list.after = 7 }
      if Bool.random(using: &chance) { list.append(list.fresh(6)) }
      return "refresh"
    case 12:
      list.edit(using: &chance)
      return "edit"
    case 13, 14:
      list.restructure(using: &chance)
      return "restructure"
    default: return "nothing"
    }
  }
}

/// Whether no row takes another's place as if it were the same row, from one snapshot to the next.
func expectIdentitiesKept(_ changes: ListChanges, from before: [Shown], to after: [Shown]) throws {
  var structure = changes
  structure.updates = []
  let rows = apply(structure, to: before, new: after)
  let mistaken = changes.updates.first { index in
    rows[index].id != after[index].id && rows[index].id != nil && after[index].id != nil
  }
  #expect(mistaken == nil, "an update is of the same row")
  if mistaken != nil { throw NeverCame() }
}

/// What separators are to show, made of the plain snapshot anew every time.
func naiveSeparators(_ rows: [Note?], startsHere: Bool, endsHere: Bool, _ ask: (Note?, Note?) -> Int?) -> [Shown] {
  var shown: [Shown] = []
  func put(_ before: Note?, _ after: Note?) {
    if let separator = ask(before, after) { shown.append(Shown(id: -1 - separator, text: "")) }
  }
  let loaded = rows.indices.filter { rows[$0] != nil }
  guard let first = loaded.first, let last = loaded.last else {
    if rows.isEmpty, startsHere, endsHere { put(nil, nil) }
    return shown + rows.map { _ in Shown(id: nil, text: "") }
  }
  for (index, row) in rows.enumerated() {
    if index == first {
      if startsHere { put(nil, row) }
    } else if let row {
      put(rows[index - 1], row)
    }
    shown.append(Shown(id: row?.id, text: row?.text ?? ""))
    if index == last, endsHere { put(row, nil) }
  }
  return shown
}

/// The snapshots of one transformation, each checked against some that came before.
struct TransformChecker<Transform: PageTransform> {
  var pages: TransformedPages<Transform>
  let origin = SnapshotOrigin()
  let shown: (PagingSnapshot<Transform.Output>) -> [Shown]
  private(set) var snapshots: [PagingSnapshot<Transform.Output>] = []

  init(_ transform: Transform, shown: @escaping (PagingSnapshot<Transform.Output>) -> [Shown]) {
    pages = TransformedPages(transform)
    self.shown = shown
  }

  mutating func next(
    _ above: PagingSnapshot<Transform.Input>, using chance: inout SeededGenerator
  ) throws -> PagingSnapshot<Transform.Output> {
    pages.advance(to: above.body)
    let body = try #require(pages.body(of: origin, version: UInt64(snapshots.count) + 1))
    let snapshot = PagingSnapshot(body)
    let rows = shown(snapshot)
    let identities = snapshot.map(\.id)
    #expect(Set(identities).count == identities.count, "every row has an identity of its own")
    #expect(body.pages.pageCount == above.body.pages.pageCount || above.body.pages.isEmpty)
    var older = snapshots.suffix(1)
    if let any = snapshots.randomElement(using: &chance) { older.append(any) }
    for old in older {
      for (from, to) in [(old, snapshot), (snapshot, old)] {
        let changes = to.changes(from: from)
        let (before, after) = (shown(from), shown(to))
        let applied = apply(changes, to: before, new: after)
        #expect(applied == after)
        if applied != after { throw NeverCame() }
        if old.version == snapshot.version - 1 { try expectIdentitiesKept(changes, from: before, to: after) }
      }
    }
    snapshots.append(snapshot)
    #expect(rows.count == snapshot.count)
    return snapshot
  }
}
