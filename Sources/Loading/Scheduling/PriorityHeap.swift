/// Elements by rank, the lowest first, each of which can be found by its number to be moved or taken out.
///
/// A binary heap with the place of each element beside it. Insertion, removal and a change of rank cost O(log n), the
/// first element O(1).
struct PriorityHeap<Rank: Comparable & Sendable>: Sendable {
  private var elements: [(rank: Rank, id: UInt64)] = []
  private var places: [UInt64: Int] = [:]

  var count: Int { elements.count }
  var isEmpty: Bool { elements.isEmpty }
  /// The element that comes first.
  var first: UInt64? { elements.first?.id }
  /// Its rank.
  var firstRank: Rank? { elements.first?.rank }

  mutating func insert(_ id: UInt64, _ rank: Rank) {
    elements.append((rank, id))
    places[id] = elements.count - 1
    rise(from: elements.count - 1)
  }

  /// - Returns: Whether it was there.
  @discardableResult
  mutating func remove(_ id: UInt64) -> Bool {
    guard let place = places.removeValue(forKey: id) else { return false }
    let last = elements.removeLast()
    if place < elements.count {
      elements[place] = last
      places[last.id] = place
      settle(at: place)
    }
    return true
  }

  /// Gives an element another rank; does nothing where it isn't there.
  mutating func change(_ id: UInt64, to rank: Rank) {
    guard let place = places[id] else { return }
    elements[place].rank = rank
    settle(at: place)
  }

  private mutating func settle(at place: Int) {
    if !rise(from: place) { sink(from: place) }
  }

  /// - Returns: Whether it moved.
  @discardableResult
  private mutating func rise(from start: Int) -> Bool {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard elements[place].rank < elements[parent].rank else { break }
      swap(place, parent)
      place = parent
    }
    return place != start
  }

  private mutating func sink(from start: Int) {
    var place = start
    while true {
      var best = place
      for child in 2 * place + 1...2 * place + 2
      where child < elements.count && elements[child].rank < elements[best].rank {
        best = child
      }
      if best == place { return }
      swap(place, best)
      place = best
    }
  }

  private mutating func swap(_ a: Int, _ b: Int) {
    elements.swapAt(a, b)
    places[elements[a].id] = a
    places[elements[b].id] = b
  }
}
