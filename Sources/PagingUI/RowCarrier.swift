import Paging

/// Finds the rows of one snapshot in a later one of the same list.
struct RowCarrier<Item: Identifiable & Sendable> where Item.ID: Sendable {
  private let older: PagingSnapshot<Item>
  private let newer: PagingSnapshot<Item>

  init(from older: PagingSnapshot<Item>, to newer: PagingSnapshot<Item>) {
    self.older = older
    self.newer = newer
  }

  /// Whether nothing was loaded anew between the two.
  var isSameGeneration: Bool { newer.isSameGeneration(as: older) }

  /// The index in the newer snapshot of a row of the older one; nil when it is gone.
  ///
  /// A placeholder is where its place is, whether it was filled or not. Constant where the row hasn't moved, else linear in the loaded
  /// rows, at one comparison of integers for each.
  func place(of row: Int) -> Int? {
    let id = older[row].id
    if newer.indices.contains(row), newer[row].id == id { return row }
    return newer.index(ofRow: id)
  }

  /// The index in the newer snapshot of the first of some rows that is still there.
  func firstKept(of rows: Range<Int>) -> Int? {
    rows.lazy.compactMap(place(of:)).first
  }
}
