/// Jobs that wait until nobody has asked for their key for a while.
///
/// Holds one job of each key, and nothing of a key whose job has gone. Each event costs O(log n).
struct PaceBook {
  private var waiting = PriorityHeap<Due>()
  /// The job that waits out its key's quiet, and the other way round.
  private var debounced: [String: UInt64] = [:]
  private var keys: [UInt64: String] = [:]
  private var order: UInt64 = 0

  private struct Due: Comparable {
    let time: Duration
    let order: UInt64

    static func < (a: Due, b: Due) -> Bool { a.time == b.time ? a.order < b.order : a.time < b.time }
  }

  /// When the next job's time comes.
  var nextDue: Duration? { waiting.firstRank?.time }

  /// Has a job wait until that time, in place of the one of its key that waits already.
  ///
  /// - Returns: The job whose place it takes.
  mutating func debounce(_ id: UInt64, _ key: String, until time: Duration) -> UInt64? {
    let earlier = debounced[key]
    if let earlier { remove(earlier) }
    debounced[key] = id
    keys[id] = key
    order += 1
    waiting.insert(id, Due(time: time, order: order))
    return earlier
  }

  /// Takes out the next job whose time has come.
  mutating func next(now: Duration) -> UInt64? {
    guard let due = nextDue, due <= now, let id = waiting.first else { return nil }
    remove(id)
    return id
  }

  mutating func remove(_ id: UInt64) {
    waiting.remove(id)
    if let key = keys.removeValue(forKey: id) { debounced[key] = nil }
  }
}
