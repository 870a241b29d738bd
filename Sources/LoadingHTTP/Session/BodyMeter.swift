/// Counts the bytes of a body against its limit, in its announcement and as they arrive.
struct BodyMeter {
  /// The most that is accepted, in bytes.
  let limit: Int
  /// What was accepted so far, in bytes; never above `limit`.
  private(set) var count = 0

  init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// Whether a body of the announced length may come; a negative length means unknown, and may.
  func admits(announced length: Int64) -> Bool {
    length <= Int64(limit)
  }

  /// Whether the next piece still fits; counts it when it does.
  mutating func admits(piece length: Int) -> Bool {
    guard length <= limit - count else { return false }
    count += length
    return true
  }
}
