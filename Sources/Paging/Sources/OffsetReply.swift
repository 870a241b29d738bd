/// The rows that a server had for a range of offsets.
struct OffsetReply<Item: Sendable>: Sendable {
  /// What was asked for; more or fewer rows may have come.
  let asked: Range<Int>
  let items: [Item]
  let total: Int?
  private let saysMore: Bool?

  /// Asks for rows; a range without any is not worth asking.
  static func load(
    _ range: Range<Int>, by load: @Sendable (Range<Int>) async throws -> PageSlice<Item>
  ) async throws -> OffsetReply {
    OffsetReply(range.isEmpty ? PageSlice([]) : try await load(range), asked: range)
  }

  private init(_ slice: PageSlice<Item>, asked: Range<Int>) {
    self.asked = asked
    items = slice.items
    total = slice.total.flatMap { $0 < 0 ? nil : $0 }
    saysMore = slice.hasMore
  }

  /// How many rows precede the first one.
  var start: Int { asked.lowerBound }

  /// How many rows precede what follows the last one: what came counts, since servers lower what they are asked for.
  var end: Int { start.offset(by: items.count) }

  /// Whether rows follow; nil when the server doesn't say.
  var hasMore: Bool? { saysMore ?? total.map { end < $0 } }

  /// Whether fewer came than were asked for.
  var isShort: Bool { items.count < asked.count }

  /// How many rows follow the last one, if the server says how many there are.
  var itemsAfter: Int? { hasMore == false ? 0 : total.map { max(0, $0 - end) } }
}

extension Int {
  /// The number of rows in front of a place `rows` further down, or up; never below zero, and never more than a number
  /// holds.
  func offset(by rows: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(rows)
    return overflows ? (rows > 0 ? .max : 0) : Swift.max(0, sum)
  }
}
