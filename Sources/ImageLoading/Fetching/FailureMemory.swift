/// Which pictures a server doesn't have, for as long as that is believed: so many, those that were learnt of first
/// leave first.
///
/// Pure; `now` is the time since it was made. A look costs O(1), an entry O(1) on average.
struct FailureMemory {
  private struct Entry {
    let status: Int
    let until: Duration
    let number: UInt64
  }

  private let maxCount: Int
  private var entries: [ImageKey: Entry] = [:]
  /// In the order in which they were learnt of; those that were replaced or forgotten since are still there until their
  /// turn comes.
  private var order: [(key: ImageKey, number: UInt64)] = []
  private var nextNumber: UInt64 = 0

  init(maxCount: Int) { self.maxCount = max(1, maxCount) }

  var count: Int { entries.count }

  /// The status that is believed of a key; nil for none, and for one whose time is over, which is forgotten.
  mutating func status(of key: ImageKey, now: Duration) -> Int? {
    guard let entry = entries[key] else { return nil }
    if entry.until > now { return entry.status }
    entries[key] = nil
    return nil
  }

  mutating func remember(_ status: Int, for key: ImageKey, until: Duration) {
    nextNumber += 1
    entries[key] = Entry(status: status, until: until, number: nextNumber)
    order.append((key, nextNumber))
    guard entries.count > maxCount || order.count > 2 * maxCount else { return }
    // A quarter at once, so that it isn't done each time.
    order.removeAll { entries[$0.key]?.number != $0.number }
    let surplus = entries.count > maxCount ? entries.count - maxCount + maxCount / 4 : 0
    for gone in order.prefix(surplus) { entries[gone.key] = nil }
    order.removeFirst(min(surplus, order.count))
  }

  mutating func forget(_ key: ImageKey) { entries[key] = nil }

  mutating func removeAll() {
    entries = [:]
    order = []
  }
}
