/// Which rows of a stored list a page source has handed out: what a change must touch to matter.
struct LoadedRows: Hashable, Sendable {
  /// What a change means to whoever shows the rows.
  enum Effect: Hashable, Sendable {
    case none
    /// These items show something else, in place.
    case items(Set<Int64>)
    /// Rows came, went or moved, or a gap did.
    case everything
  }

  /// The list's number; nil: no window was read, or the list didn't exist.
  private(set) var list: Int64?
  /// How often it had been emptied.
  private(set) var epoch: Int64 = 0
  /// The stretches that were read, up to the rows beside them.
  private(set) var spans: [ClosedRange<Position>] = []
  /// Where each item stands that was handed out.
  private(set) var positions: [Int64: Position] = [:]
  /// Whether it begins with the newest row that is shown.
  private(set) var reachesHead = false
  /// The item below each gap that was handed out, by the gap's number.
  private var belowGaps: [Int64: Int64] = [:]

  /// A window was read.
  mutating func add(_ window: Window) {
    if list != window.list || epoch != window.epoch { self = LoadedRows() }
    (list, epoch) = (window.list, window.epoch)
    var span = window.span
    spans.removeAll { other in
      guard other.overlaps(span) else { return false }
      span = min(span.lowerBound, other.lowerBound)...max(span.upperBound, other.upperBound)
      return true
    }
    spans.append(span)
    for row in window.rows { positions[row.item] = row.position }
    reachesHead = reachesHead || !window.hasNewer
    for gap in window.gaps where gap.index < window.rows.count {
      belowGaps[gap.lower.number] = window.rows[gap.index].item
    }
  }

  /// Where an item stood when it was read; nil: it wasn't.
  func standing(of item: Int64) -> ListKey.Standing? {
    guard let list, let position = positions[item] else { return nil }
    return ListKey.Standing(list: list, epoch: epoch, position: position)
  }

  /// The item that stood below a gap when it was read; nil: it wasn't.
  func row(below gap: Int64) -> Int64? { belowGaps[gap] }

  /// What a change means to the rows of a list. Where no order was there to be read, whatever happens to the list
  /// matters.
  func effect(of change: StoreChange, on name: ListName) -> Effect {
    if change.isEverything || change.switched.contains(name) { return .everything }
    guard let list else { return change.names.contains(name) ? .everything : .none }
    if let change = change.lists[list], isTouched(by: change) { return .everything }
    let items =
      change.items.count < positions.count
      ? change.items.filter { positions[$0] != nil } : Set(positions.keys.filter { change.items.contains($0) })
    return items.isEmpty ? .none : .items(items)
  }

  private func isTouched(by change: ListChange) -> Bool {
    if change.isEverything { return true }
    if change.shownChanged, reachesHead { return true }
    return change.ranges.contains { range in spans.contains { $0.overlaps(range) } }
  }
}
