/// The entries that expire, by when.
@usableFromInline struct Expiries: Sendable {
  private var heap = PriorityHeap<Duration>()

  @usableFromInline var isEmpty: Bool { heap.isEmpty }

  @usableFromInline mutating func insert(_ place: Int, _ time: Duration) { heap.insert(UInt64(place), time) }

  @usableFromInline mutating func remove(_ place: Int) { heap.remove(UInt64(place)) }

  /// The place of one whose time is over.
  @usableFromInline func first(until now: Duration) -> Int? {
    guard let due = heap.firstRank, due <= now else { return nil }
    return heap.first.map { Int($0) }
  }
}
