/// Which rows are asked for to find the overlap rows and, in the same reply, those that follow.
struct OverlapSearch: Sendable {
  /// Where the boundary is thought to be.
  private(set) var place: Int
  /// How many new rows are asked for.
  var size: Int
  /// How many rows on the near side of the place.
  private(set) var margin: Int
  let readsUp: Bool

  init(place: Int, size: Int, margin: Int, readsUp: Bool) {
    self.place = place
    self.size = size
    self.margin = margin
    self.readsUp = readsUp
  }

  /// The rows to ask for, so many pages away from the place.
  ///
  /// Neighbouring windows share as many rows as the margin has, so that no border cuts the overlap in two.
  func window(pagesDown pages: Int = 0) -> Range<Int> {
    let (rows, overflows) = size.multipliedReportingOverflow(by: pages)
    let shift = overflows ? (pages < 0 ? -Int.max : .max) : rows
    let (up, down) = readsUp ? (size, margin) : (margin, size)
    // Cut off at the start of the list only after the shift, or neighbours would share fewer rows there.
    return Self.sum(place - up, shift, atLeast: 0)..<Self.sum(Self.sum(place, down), shift, atLeast: 0)
  }

  private static func sum(_ a: Int, _ b: Int, atLeast least: Int = .min) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return max(least, overflows ? (b > 0 ? .max : .min) : sum)
  }

  /// How many new rows a reply has room for where the server gives fewer than it is asked for; nil where it doesn't.
  func servedSize<Item>(_ reply: OffsetReply<Item>) -> Int? {
    guard reply.isShort, reply.hasMore ?? readsUp, reply.items.count > margin else { return nil }
    return reply.items.count - margin
  }

  /// Whether a reply that came short ends with the overlap rows, so that the list does, or the reply has no room for
  /// more.
  func isFilled<Item>(by reply: OffsetReply<Item>) -> Bool {
    reply.isShort && reply.items.count <= margin
  }

  /// The overlap rows were found, and nothing new beside them: what is new lies beyond the reply.
  mutating func goOn<Item>(from reply: OffsetReply<Item>, _ match: OverlapMatch) {
    place = readsUp ? reply.start : reply.end
    margin = max(margin, readsUp ? match.spread.upperBound : reply.items.count - match.spread.lowerBound)
  }
}
