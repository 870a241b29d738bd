/// Decides when places are written: the first at once, then at most one in every interval, always the newest. Pure.
struct SaveThrottle<Value: Sendable>: Sendable {
  /// What to do with a value that came.
  enum Answer: Sendable {
    /// Write it now.
    case write(Value)
    /// Kept; wait that long, then ask ``due()``.
    case wait(Duration)
    /// Kept; somebody waits already.
    case keep
  }

  let interval: Duration
  /// The newest value that is not written yet.
  private(set) var kept: Value?
  private var lastWrite: Duration?
  private var isWaiting = false

  init(interval: Duration) {
    self.interval = interval
  }

  /// A value came, at a time since any start that stays the same.
  mutating func save(_ value: Value, at now: Duration) -> Answer {
    guard let lastWrite, now - lastWrite < interval, now >= lastWrite else {
      // Whoever still waits finds nothing.
      kept = nil
      lastWrite = now
      return .write(value)
    }
    kept = value
    if isWaiting { return .keep }
    isWaiting = true
    return .wait(interval - (now - lastWrite))
  }

  /// The wait is over: what to write, if anything is left to write.
  mutating func due(at now: Duration) -> Value? {
    isWaiting = false
    return flush(at: now)
  }

  /// What to write at once.
  mutating func flush(at now: Duration) -> Value? {
    guard let value = kept else { return nil }
    kept = nil
    lastWrite = now
    return value
  }

  /// A write failed: the value is kept, unless a newer one has come.
  mutating func failed(_ value: Value) {
    if kept == nil { kept = value }
  }
}
