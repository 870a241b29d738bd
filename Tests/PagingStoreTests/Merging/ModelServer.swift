@testable import PagingStore

/// A server's list: items in falling order of their numbers, some hidden from this reader by a filter that runs after fetching,
/// so that pages may be short or empty.
struct ModelServer {
  /// All there are, rising; with whether they are seen.
  private(set) var items: [Int64: Bool] = [:]
  private(set) var newest: Int64 = 0

  var visible: [Int64] { items.filter(\.value).keys.sorted(by: >) }
  private var all: [Int64] { items.keys.sorted(by: >) }

  mutating func add(isHidden: Bool) -> Int64 {
    newest += 10
    items[newest] = !isHidden
    return newest
  }

  /// An item with an old place; nil if that number is taken.
  mutating func backdate(_ choice: Int64) -> Int64? {
    guard newest > 10 else { return nil }
    let number = 1 + choice % (newest - 1)
    guard number % 10 != 0, items[number] == nil else { return nil }
    items[number] = true
    return number
  }

  mutating func delete(_ item: Int64) { items[item] = nil }
  mutating func hide(_ item: Int64) { items[item] = false }

  /// What to continue from: everything below (or above) a number.
  struct Ask: Hashable {
    var kind: MergeRequest.Kind
    /// The number to continue from, or to look around.
    var from: Int64?
    /// Where the gap ends.
    var bound: Int64?
    var limit: Int
  }

  struct Answer: Hashable {
    var items: [Int64]
    var newer: String?
    var older: String?
    var ends = false
    var isBounded = false
  }

  func answer(_ ask: Ask) -> Answer {
    switch ask.kind {
    case .head, .older:
      let below = all.filter { number in ask.from.map { number < $0 } ?? true }
      let within = below.filter { number in ask.bound.map { number > $0 } ?? true }
      var page = Array(within.prefix(ask.limit))
      // A head page goes on until something is to be seen, as its fetcher would.
      if ask.kind == .head, ask.limit > 2, seen(page).isEmpty {
        page = Array(within.prefix { items[$0] != true }) + within.filter { items[$0] == true }.prefix(1)
      }
      let isBounded = ask.bound != nil && page.count == within.count
      let last = page.last ?? ask.from
      return Answer(
        items: seen(page), newer: page.first.map { "n:\($0)" },
        older: isBounded ? ask.bound.map { "o:\($0 + 1)" } : last.map { "o:\($0)" },
        ends: !isBounded && page.count == below.count, isBounded: isBounded)
    case .newer:
      let above = all.filter { number in ask.from.map { number > $0 } ?? true }
      let within = above.filter { number in ask.bound.map { number < $0 } ?? true }
      let page = Array(within.suffix(ask.limit))
      let isBounded = ask.bound != nil && page.count == within.count
      let first = page.first ?? ask.from
      return Answer(
        items: seen(page), newer: isBounded ? ask.bound.map { "n:\($0 - 1)" } : first.map { "n:\($0)" },
        older: page.last.map { "o:\($0)" }, ends: !isBounded && page.count == above.count, isBounded: isBounded)
    case .around:
      let index = all.firstIndex { number in ask.from.map { number <= $0 } ?? true } ?? all.count
      let page = Array(all[max(0, index - ask.limit / 2)..<min(all.count, index + (ask.limit + 1) / 2)])
      return Answer(
        items: seen(page), newer: page.first.map { "n:\($0)" }, older: page.last.map { "o:\($0)" },
        ends: page.last == all.last && !page.isEmpty)
    }
  }

  private func seen(_ page: [Int64]) -> [Int64] { page.filter { items[$0] == true } }

  /// The number that a token stands for.
  static func number(_ token: String?) -> Int64? { token.flatMap { Int64($0.dropFirst(2)) } }
}
