/// Jobs that wait for their time, by the key that they share: debounced or throttled.
///
/// Holds the jobs that wait, and of throttled keys those that ran within their interval.
struct PaceBook {
  private var waiting = PriorityHeap<Due>()
  /// The job that waits out its key's quiet, and the other way round.
  private var debounced: [String: UInt64] = [:]
  private var keys: [UInt64: String] = [:]
  /// When the next job of a key may start.
  private var nextStarts: [String: Duration] = [:]
  private var cleansAt = 64
  private var order: UInt64 = 0

  private struct Due: Comparable {
    let time: Duration
    let order: UInt64

    static func < (a: Due, b: Due) -> Bool { a.time == b.time ? a.order < b.order : a.time < b.time }
  }

  /// When the next job's time comes.
  var nextDue: Duration? { waiting.firstRank?.time }

  /// Has a job wait until nobody has asked for its key for a while.
  ///
  /// - Returns: The job whose place it takes.
  mutating func debounce(_ id: UInt64, _ key: String, until time: Duration) -> UInt64? {
    let earlier = debounced[key]
    if let earlier { remove(earlier) }
    debounced[key] = id
    keys[id] = key
    wait(id, until: time)
    return earlier
  }

  /// Finds a job's start, an interval after the last one of its key.
  ///
  /// - Returns: When it may start; it waits here if that is later than `now`.
  mutating func throttle(_ id: UInt64, _ key: String, every interval: Duration, now: Duration) -> Duration {
    let start = max(now, nextStarts[key] ?? now)
    nextStarts[key] = start + interval
    if start > now { wait(id, until: start) }
    if nextStarts.count > cleansAt {
      nextStarts = nextStarts.filter { $0.value > now }
      cleansAt = max(64, nextStarts.count * 2)
    }
    return start
  }

  private mutating func wait(_ id: UInt64, until time: Duration) {
    order += 1
    waiting.insert(id, Due(time: time, order: order))
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
