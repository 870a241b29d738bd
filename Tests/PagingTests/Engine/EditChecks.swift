@testable import Paging

/// What a screen has of a row: nothing but that it is there, for a placeholder.
struct SeenRow: Equatable {
  var id: PagingRow<Entry>.ID?
  var item: Entry?
}

extension PagingSnapshot<Entry> {
  var seen: [SeenRow] { map { SeenRow(id: $0.item == nil ? nil : $0.id, item: $0.item) } }
}

extension EditHarness {
  /// What is wrong with the newest snapshot; nil: nothing.
  var problem: String? {
    let rows = latest.seen
    let loaded = rows.filter { $0.item != nil }
    let expected = naive
    if loaded.map(\.item) != expected.map(\.item) {
      return "shown are \(loaded.map { Self.text($0.item) }), not \(expected.map { Self.text($0.item) })"
    }
    for (row, wanted) in zip(loaded, expected) where row.id != Self.id(wanted.row) {
      return "row \(wanted.item.id) does not go by \(wanted.row)"
    }
    if Set(loaded.compactMap(\.id)).count != loaded.count { return "two rows have one identity" }
    if zip(latest.indices, rows).contains(where: { latest[$0].item != $1.item }) {
      return "a row by index is another one"
    }
    if zip(latest, latest.indices).contains(where: { $0.id != latest[$1].id }) { return "an identity by index differs" }
    for row in loaded {
      guard let item = row.item else { continue }
      if row.id?.item != item.id { return "the identity of \(item.id) does not know its item" }
      if latest.index(ofItem: item.id).map({ latest[$0].item }) != item { return "\(item.id) is not found" }
    }
    return anchorProblem ?? positionProblem
  }

  /// A row's identity as a screen knows it.
  static func id(_ row: Int) -> PagingRow<Entry>.ID { PagingRow(Entry(id: row), alias: nil).id }

  private static func text(_ entry: Entry?) -> String { entry.map { "\($0.id)\($0.text)" } ?? "-" }

  private var anchorProblem: String? {
    let items = latest.items.map(\.id)
    if let index = latest.anchor?.index, !latest.indices.contains(index) { return "the anchor is at \(index)" }
    if latest.anchor?.kind == .lost, latest.anchor?.index != nil { return "a lost anchor has an index" }
    guard let viewport = state.anchoringViewport, let anchor = state.shown.anchor(of: viewport) else { return nil }
    let id = anchor.row.item(as: Entry.self).id
    let own = Set(naive.filter(\.isOwn).map(\.item.id))
    if !own.contains(id), items.contains(where: own.contains) { return "the anchor \(id) is hidden" }
    return nil
  }

  private var positionProblem: String? {
    let position = latest.position
    if position.rowsBefore < 0 || position.rowsBefore > max(0, latest.count) { return "\(position) of \(latest.count)" }
    if position.pageIndex != 0, position.pageIndex >= latest.pages.count {
      return "\(position) of \(latest.pages.count)"
    }
    return nil
  }

  /// What is wrong with what a screen does to come from an older snapshot to the newest; nil: nothing.
  ///
  /// - Parameter isEdit: Whether nothing but an edit lies between the two: then no row is taken out and put in again.
  func problem(comingFrom older: PagingSnapshot<Entry>, isEdit: Bool = false) -> String? {
    let changes = latest.changes(from: older)
    let (old, new) = (older.seen, latest.seen)
    var rows = old
    for index in (changes.removals + changes.moves.map(\.from)).sorted(by: >) {
      guard rows.indices.contains(index) else { return "row \(index) is removed of \(old.count)" }
      rows.remove(at: index)
    }
    let placed = changes.insertions.map { ($0, new[$0]) } + changes.moves.map { ($0.to, old[$0.from]) }
    for (index, row) in placed.sorted(by: { $0.0 < $1.0 }) {
      guard index <= rows.count else { return "row \(index) is put in at \(rows.count)" }
      rows.insert(row, at: index)
    }
    for index in changes.updates {
      guard rows.indices.contains(index) else { return "row \(index) is updated of \(rows.count)" }
      if isEdit, let old = rows[index].id, let new = new[index].id, old != new {
        return "row \(index) became another one"
      }
      rows[index] = new[index]
    }
    if rows != new { return "\(changes) makes \(rows.map { Self.text($0.item) }) of \(old.map { Self.text($0.item) })" }
    if isEdit {
      let stay = Set(new.compactMap(\.id))
      if let again = changes.removals.first(where: { old[$0].id.map(stay.contains) == true }) {
        return "row \(again) stays, and is taken out and put in again"
      }
    }
    return nil
  }
}
