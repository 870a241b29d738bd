/// An order other than the list's own: by a member of the rows, and where that is the same, by which row came first.
struct SortOrder: Hashable, Sendable {
  /// Where in a row is what it is sorted by.
  let path: JSONPath
  /// Whether the greatest comes first.
  let isDescending: Bool

  /// The order that `text` says: a path, with a minus in front where the greatest is to come first.
  init(_ text: String) {
    isDescending = text.hasPrefix("-")
    path = JSONPath(isDescending ? String(text.dropFirst()) : text)
  }
}

/// The rows of a list by what they are sorted by, kept for the orders that were asked for last.
struct SortedOrders: Sendable {
  /// How many orders are kept.
  private static let bound = 4

  private struct Sorted {
    var order: SortOrder
    /// By number, what each row that ever was is sorted by.
    var keys: [SortKey]
    /// The rows that are there; empty: not known since a change.
    var numbers: [Int32] = []
  }

  private var kept: [Sorted] = []

  /// Forgets where rows stand.
  mutating func listChanged() {
    for index in kept.indices { kept[index].numbers = [] }
  }

  /// The rows of `list` in that order.
  mutating func numbers(in order: SortOrder, of list: ServedList) -> [Int32] {
    sorted(order, list).numbers
  }

  /// Where a row stands in that order, or would.
  mutating func place(of number: Int, in order: SortOrder, of list: ServedList) -> Int {
    let sorted = sorted(order, list)
    var (low, high) = (0, sorted.numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.comes(Int(sorted.numbers[middle]), before: number, sorted.keys, order.isDescending) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  private mutating func sorted(_ order: SortOrder, _ list: ServedList) -> Sorted {
    var sorted: Sorted
    if let index = kept.firstIndex(where: { $0.order == order }) {
      sorted = kept.remove(at: index)
    } else {
      sorted = Sorted(order: order, keys: [])
    }
    while sorted.keys.count < list.everCount {
      sorted.keys.append(SortKey(list.slice(of: sorted.keys.count).flatMap { order.path.value(in: $0) }))
    }
    if sorted.numbers.count != list.count {
      let keys = sorted.keys
      sorted.numbers = list.order.sorted { Self.comes(Int($0), before: Int($1), keys, order.isDescending) }
    }
    kept.append(sorted)
    if kept.count > Self.bound { kept.removeFirst() }
    return sorted
  }

  private static func comes(_ a: Int, before b: Int, _ keys: [SortKey], _ isDescending: Bool) -> Bool {
    let (left, right) = (keys[a], keys[b])
    // Not by equality, which holds for texts of different scalars.
    if left < right { return !isDescending }
    if right < left { return isDescending }
    return isDescending ? a > b : a < b
  }
}

/// What a row is sorted by: nothing and null first, then false and true, numbers, texts by their Unicode scalars, and
/// the rest, which is all the same.
enum SortKey: Comparable, Sendable {
  case nothing
  case bool(Bool)
  case number(Double)
  case text(String)
  case other

  init(_ value: JSONSlice?) {
    switch value?.kind {
    case nil, .null?: self = .nothing
    case .bool?: self = .bool(value?.isTrue ?? false)
    case .number?: self = .number(value?.scalarText.flatMap { Double($0) } ?? 0)
    case .string?: self = .text(value?.scalarText ?? "")
    case .object?, .array?: self = .other
    }
  }

  static func < (a: SortKey, b: SortKey) -> Bool {
    switch (a, b) {
    case (.bool(let a), .bool(let b)): !a && b
    case (.number(let a), .number(let b)): a < b
    case (.text(let a), .text(let b)): a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
    default: a.rank < b.rank
    }
  }

  private var rank: Int {
    switch self {
    case .nothing: 0
    case .bool: 1
    case .number: 2
    case .text: 3
    case .other: 4
    }
  }
}
