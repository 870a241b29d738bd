/// A list that changes while it is served: rows in an order, inserts and deletes.
///
/// A row keeps its number, whatever happens around it and also when it is deleted, so that what leads on from a row
/// still does then. Memory is that of the rows, 4 bytes a row for the order, and a bound on what may be inserted.
struct ServedList: Sendable {
  /// The most rows that may be inserted, and the most bytes of them.
  static let maxInserted = 100_000
  static let maxInsertedBytes = 64 << 20

  /// Where new rows go.
  enum Place: Hashable, Sendable {
    case top, bottom
    /// In front of a row, or behind it.
    case before(Int), after(Int)
  }

  private let base: ServedRows
  private var inserted: [[UInt8]] = []
  private var insertedBytes = 0
  /// The numbers of the rows that are there, in list order.
  private(set) var order: [Int32]
  /// Of each deleted row the one that followed it; -1: none did.
  private var heirs: [Int32: Int32] = [:]
  /// By number, where in the order it stands; empty: not known since a change.
  private var places: [Int32]
  private var numbers: [String: Int]?
  private var sorted = SortedOrders()

  /// The rows, as they are at first.
  init(_ rows: ServedRows) {
    base = rows
    numbers = rows.numbers
    order = (0..<rows.count).map { Int32(truncatingIfNeeded: $0) }
    places = order
  }

  /// How many rows are there.
  var count: Int { order.count }
  /// How many rows there ever were.
  var everCount: Int { base.count + inserted.count }
  /// How many were inserted, and how many deleted.
  var changes: (inserted: Int, deleted: Int) { (inserted.count, heirs.count) }
  /// Where in a row its ID is.
  var identity: JSONPath { base.identity }

  /// A row's JSON.
  func bytes(of number: Int) -> [UInt8] {
    number < base.count ? base.bytes(of: number) : inserted[number - base.count]
  }

  /// A row, to look into; nil where it is not JSON.
  func slice(of number: Int) -> JSONSlice? { try? JSONSlice(checking: bytes(of: number)) }

  /// A row's ID; its number, counted from 1, where it has none.
  func id(of number: Int) -> String {
    slice(of: number).flatMap { identity.value(in: $0)?.scalarText } ?? String(number + 1)
  }

  /// The row with that ID, be it deleted; nil where there never was one.
  mutating func number(of id: String) -> Int? {
    if numbers == nil {
      var found: [String: Int] = [:]
      for number in 0..<everCount { found[self.id(of: number)] = number }
      numbers = found
    }
    return numbers?[id]
  }

  /// Whether a row was deleted.
  func isDeleted(_ number: Int) -> Bool { heirs[Int32(truncatingIfNeeded: number)] != nil }

  // MARK: - Order

  /// The numbers of the rows in an order; nil: that of the list.
  mutating func view(_ order: SortOrder?) -> [Int32] {
    guard let order else { return self.order }
    return sorted.numbers(in: order, of: self)
  }

  /// Where in that order a row stands, or would: then the row that follows has that place.
  mutating func place(of number: Int, in order: SortOrder?) -> (index: Int, isThere: Bool) {
    let isThere = !isDeleted(number)
    guard let order else { return (placeInList(number), isThere) }
    return (sorted.place(of: number, in: order, of: self), isThere)
  }

  private mutating func placeInList(_ number: Int) -> Int {
    if places.isEmpty {
      places = [Int32](repeating: -1, count: everCount)
      for (index, number) in order.enumerated() { places[Int(number)] = Int32(truncatingIfNeeded: index) }
    }
    var at = Int32(truncatingIfNeeded: number)
    while let heir = heirs[at] {
      if heir < 0 { return order.count }
      at = heir
    }
    return Int(at) < places.count && places[Int(at)] >= 0 ? Int(places[Int(at)]) : order.count
  }

  // MARK: - Changes

  /// Puts rows in, in their order; answers their numbers, or nil where that is more than may be.
  mutating func insert(_ rows: [[UInt8]], at place: Place) -> [Int]? {
    let bytes = rows.reduce(0) { $0 + $1.count }
    guard inserted.count + rows.count <= Self.maxInserted, insertedBytes + bytes <= Self.maxInsertedBytes else {
      return nil
    }
    let index =
      switch place {
      case .top: 0
      case .bottom: count
      case .before(let number): placeInList(number)
      case .after(let number): min(count, placeInList(number) + (isDeleted(number) ? 0 : 1))
      }
    let new = everCount..<(everCount + rows.count)
    inserted += rows
    insertedBytes += bytes
    order.insert(contentsOf: new.map { Int32(truncatingIfNeeded: $0) }, at: index)
    changed()
    if var known = numbers {
      numbers = nil
      for number in new { known[id(of: number)] = number }
      numbers = known
    }
    return Array(new)
  }

  /// Takes a row out; false where it is out already.
  mutating func delete(_ number: Int) -> Bool {
    guard !isDeleted(number), number < everCount else { return false }
    let index = placeInList(number)
    let next = index + 1 < count ? order[index + 1] : -1
    order.remove(at: index)
    heirs[Int32(truncatingIfNeeded: number)] = next
    changed()
    return true
  }

  private mutating func changed() {
    places = []
    sorted.listChanged()
  }
}
