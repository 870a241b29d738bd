/// Elements by rank, the lowest first, each of which can be found by its number to be moved or taken out.
///
/// A binary heap with the place of each element beside it. Insertion, removal and a change of rank cost O(log n), the
/// first element O(1).
package struct PriorityHeap<Rank: Comparable & Sendable>: Sendable {
  private typealias Element = (rank: Rank, id: UInt64)

  private var elements: [Element] = []
  private var places: [UInt64: Int] = [:]

  /// No elements.
  package init() {}

  package var count: Int { elements.count }
  package var isEmpty: Bool { elements.isEmpty }
  /// The element that comes first.
  package var first: UInt64? { elements.first?.id }
  /// Its rank.
  package var firstRank: Rank? { elements.first?.rank }

  /// Adds an element; gives it another rank where it is there already.
  package mutating func insert(_ id: UInt64, _ rank: Rank) {
    if let place = places.updateValue(elements.count, forKey: id) {
      places[id] = place
      return change(id, to: rank)
    }
    elements.append((rank, id))
    rise(from: elements.count - 1)
  }

  /// - Returns: Whether it was there.
  @discardableResult
  package mutating func remove(_ id: UInt64) -> Bool {
    guard !places.isEmpty, let place = places.removeValue(forKey: id) else { return false }
    let last = elements.removeLast()
    guard place < elements.count else { return true }
    elements[place] = last
    if !rise(from: place), !sink(from: place) { places[last.id] = place }
    return true
  }

  /// Gives an element another rank; does nothing where it isn't there.
  package mutating func change(_ id: UInt64, to rank: Rank) {
    guard !places.isEmpty, let place = places[id] else { return }
    elements[place].rank = rank
    if !rise(from: place) { sink(from: place) }
  }

  /// - Returns: Whether it moved.
  @discardableResult
  private mutating func rise(from start: Int) -> Bool {
    let element = elements[start]
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard element.rank < elements[parent].rank else { break }
      put(elements[parent], at: place)
      place = parent
    }
    guard place != start else { return false }
    put(element, at: place)
    return true
  }

  /// - Returns: Whether it moved.
  @discardableResult
  private mutating func sink(from start: Int) -> Bool {
    let element = elements[start]
    var place = start
    while true {
      var child = 2 * place + 1
      guard child < elements.count else { break }
      if child + 1 < elements.count, elements[child + 1].rank < elements[child].rank { child += 1 }
      guard elements[child].rank < element.rank else { break }
      put(elements[child], at: place)
      place = child
    }
    guard place != start else { return false }
    put(element, at: place)
    return true
  }

  private mutating func put(_ element: Element, at place: Int) {
    elements[place] = element
    places[element.id] = place
  }
}
