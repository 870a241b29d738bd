/// Finds rows whose content differs, among rows of the same place or identity.
///
/// Whether items can be compared is found out once for each diff. If they can't, every row of another page object
/// counts as different, unless a transformation made both pages of one.
struct ContentComparison<Item: Identifiable & Sendable> where Item.ID: Sendable {
  private let equatable = Item.self as? any Equatable.Type

  /// Appends `first + k` for each k below `count` where the rows at `oldOffset + k` and `newOffset + k` differ.
  func appendDifferences(
    from old: PageBox<Item>, at oldOffset: Int, to new: PageBox<Item>, at newOffset: Int, count: Int, first: Int,
    into updates: inout [Int]
  ) {
    if old === new, oldOffset == newOffset { return }
    guard let equatable else {
      // Two pages made of one may differ in what stands around its rows; the rows themselves are the same.
      for row in 0..<count where !old.shows(at: oldOffset + row, theSameAs: new, at: newOffset + row) {
        updates.append(first + row)
      }
      return
    }
    old.items.withUnsafeBufferPointer { oldItems in
      new.items.withUnsafeBufferPointer { newItems in
        precondition(oldOffset + count <= oldItems.count && newOffset + count <= newItems.count)
        guard let oldBase = oldItems.baseAddress, let newBase = newItems.baseAddress else { return }
        Self.appendDifferences(
          as: equatable, old: UnsafeRawPointer(oldBase + oldOffset), new: UnsafeRawPointer(newBase + newOffset),
          count: count, first: first, into: &updates)
      }
    }
  }

  /// Compares in place: `Equal` is `Item`, seen as a type that can be compared, so the memory is bound to it already.
  private static func appendDifferences<Equal: Equatable>(
    as type: Equal.Type, old: UnsafeRawPointer, new: UnsafeRawPointer, count: Int, first: Int,
    into updates: inout [Int]
  ) {
    let old = old.assumingMemoryBound(to: Equal.self)
    let new = new.assumingMemoryBound(to: Equal.self)
    for row in 0..<count where old[row] != new[row] { updates.append(first + row) }
  }
}
