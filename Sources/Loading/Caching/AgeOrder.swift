/// Entries by age, in orders that use doesn't change: those that are pinned, and those that were and no longer are,
/// whose place between the others is not at an end.
///
/// Every operation O(log n) in the entries that are here, of which there are none until something is pinned.
@usableFromInline struct AgeOrder: Sendable {
  private let isYoungestFirst: Bool
  private var pinned = PriorityHeap<UInt64>()
  private var returned = PriorityHeap<UInt64>()

  @usableFromInline init(isYoungestFirst: Bool) {
    self.isYoungestFirst = isYoungestFirst
  }

  /// The pinned entry that leaves first.
  @usableFromInline var firstPinned: Int? { pinned.first.map { Int($0) } }
  /// The entry that leaves first of those that are no longer pinned.
  @usableFromInline var firstReturned: Int? { returned.first.map { Int($0) } }

  @usableFromInline mutating func insert(_ place: Int, stamp: UInt64, isPinned: Bool) {
    let rank = isYoungestFirst ? ~stamp : stamp
    if isPinned { pinned.insert(UInt64(place), rank) } else { returned.insert(UInt64(place), rank) }
  }

  @usableFromInline mutating func remove(_ place: Int) {
    if !pinned.remove(UInt64(place)) { returned.remove(UInt64(place)) }
  }
}
