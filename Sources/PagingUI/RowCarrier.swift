import Paging

/// Finds the rows of one snapshot in a later one of the same list.
struct RowCarrier<Item: Identifiable & Sendable> where Item.ID: Sendable {
  private let older: PagingSnapshot<Item>
  private let newer: PagingSnapshot<Item>

  init(from older: PagingSnapshot<Item>, to newer: PagingSnapshot<Item>) {
    self.older = older
    self.newer = newer
  }

  /// The index in the newer snapshot of a row of the older one; nil when it is gone.
  ///
  /// A placeholder is where its place is, whether it was filled or not. Constant where the row hasn't moved, else linear in the loaded
  /// rows, at one comparison of integers for each.
  func place(of row: Int) -> Int? {
    let id = older[row].id
    if newer.indices.contains(row), newer[row].id == id { return row }
    return newer.index(ofRow: id)
  }

  /// The index in the newer snapshot of the row that is to be where the first one on screen was; nil where nothing says
  /// which.
  ///
  /// - Parameters:
  ///   - first: The index of the first row on screen, in the older snapshot.
  ///   - visible: Those of all that may stand in for it, the best first.
  func place(ofFirst first: Int, in visible: [Int]) -> Int? {
    if newer.isSameGeneration(as: older) { return place(of: first) ?? firstKept(of: visible) }
    // From the start, whatever row that shows.
    guard let anchor = newer.anchor else { return newer.isEmpty ? nil : min(first, newer.count - 1) }
    // What was to stay was there before; where it wasn't, somebody jumped to it. Another screen's row may be the one that
    // is named, so this one's own come first.
    if let index = anchor.index, older.index(ofRow: newer[index].id) == nil { return index }
    return place(of: first) ?? firstKept(of: visible) ?? anchor.index
  }

  private func firstKept(of rows: [Int]) -> Int? {
    rows.lazy.compactMap(place(of:)).first
  }
}
