import Loading

@testable import Paging

// What a user changes.
extension ModelScript {
  /// Some items are named again and again, so that edits meet.
  private mutating func someItem() -> Int {
    if let inserted = madeItems.randomElement(using: &chance), Int.random(in: 0..<4, using: &chance) == 0 {
      return inserted
    }
    let shown = model.shown?.rows ?? 0..<0
    return Int.random(in: 0..<6, using: &chance) > 0
      ? shown.randomElement(using: &chance) ?? 0 : Int.random(in: 0...65, using: &chance)
  }

  mutating func editStep() -> String {
    let open = model.edits.filter { $0.confirmed == nil }.map(\.number)
    if !open.isEmpty, open.count > 6 || Int.random(in: 0..<5, using: &chance) < 2 { return endEdit(open) }
    switch Int.random(in: 0..<7, using: &chance) {
    case 0..<2: return give(someItem(), .remove)
    case 2..<5:
      return give(someItem(), .patch(["a", "b", "c"].randomElement(using: &chance) ?? ""))
    default:
      let isNew = Int.random(in: 0..<4, using: &chance) > 0
      let item = isNew ? 5_000 + madeItems.count : someItem()
      if isNew { madeItems.append(item) }
      let other = someItem()
      let points: [InsertionPoint<Int>] = [.start, .end, .before(other), .after(other)]
      return give(item, .insert(title: "i", at: points.randomElement(using: &chance) ?? .start))
    }
  }

  private mutating func give(_ item: Int, _ kind: ModelEdit.Kind) -> String {
    let change: EditOverlay.Change =
      switch kind {
      case .patch(let word): .patch(RowPatch<Row> { $0.title += word })
      case .remove: .removal
      case .insert(let title, let point):
        .insertion(row: PageBox([Row(id: item, title: title)]), at: Self.place(point))
      }
    var number: UInt64?
    harness.perform { state, now in
      let given = state.editGiven(SoughtItem(item, of: Row.self), change, now: now)
      number = given.edit
      return given.actions
    }
    if let number { model.give(number, item, kind) } else { model.advance() }
    return "\(item): \(kind)"
  }

  private static func place(_ point: InsertionPoint<Int>) -> EditOverlay.Point {
    switch point {
    case .start: .start
    case .end: .end
    case .before(let id): .before(SoughtItem(id, of: Row.self))
    case .after(let id): .after(SoughtItem(id, of: Row.self))
    }
  }

  private mutating func endEdit(_ open: [UInt64]) -> String {
    let number = open.randomElement(using: &chance) ?? 0
    let edit = model.edits.first { $0.number == number }
    if Int.random(in: 0..<3, using: &chance) == 0 {
      harness.perform { $0.editRolledBack(number, now: $1) }
      model.rollBack(number)
      return "roll back \(number)"
    }
    guard case .insert? = edit?.kind, Bool.random(using: &chance) else {
      harness.perform { $0.editConfirmed(number, as: nil, now: $1) }
      model.confirm(number)
      return "confirm \(number)"
    }
    // What the server calls it may be there already, or come with a later page. No edit names it: a confirmed edit of an
    // item that isn't loaded has nothing to show when it ends, and the model ends it later than the engine.
    let server = Int.random(in: 0...65, using: &chance)
    let isOnServer = Bool.random(using: &chance) && !model.edits.contains { $0.item == server }
    let sent = Row(id: isOnServer ? server : 5_000 + madeItems.count, title: "s")
    if !isOnServer { madeItems.append(sent.id) }
    harness.perform {
      $0.editConfirmed(number, as: (row: PageBox([sent]), item: SoughtItem(sent.id, of: Row.self)), now: $1)
    }
    model.confirm(number, as: (sent.id, sent.title))
    return "confirm \(number) as \(sent.id)"
  }

  /// In what the rows that the engine shows are not what the model says; nil: nothing.
  var editsDifference: String? {
    guard let order = model.order else {
      // A row may go by another identity than its item's; it is the same row.
      if harness.state.overlay.presented == nil || harness.presentedRows == harness.rows.map({ Row(id: $0) }) {
        return nil
      }
      return "P27: rows are edited though there are no edits"
    }
    let rows = harness.presentedRows
    let expected = order.lazy.filter(\.isVisible).map { Row(id: $0.item, title: $0.title) }
    if !rows.elementsEqual(expected) { return "P27: shown are \(rows), the model says \(Array(expected))" }
    return nil
  }
}
