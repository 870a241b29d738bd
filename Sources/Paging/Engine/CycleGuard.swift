/// Notices keys that go round in a circle, in constant memory however long the circle is.
///
/// It is given the keys of one direction in the order in which they come, each once: when a page is dropped, whose key
/// will come again, a new guard takes over. A key is compared with the one before it and with a landmark, which is
/// moved up after 1, 2, 4, 8, … keys (Brent, "An improved Monte Carlo factorization algorithm", 1980, section 2). Once
/// the landmark stands inside a circle no longer than the stretch up to its next move, the circle comes back to it;
/// that takes at most `3 * (tail + length)` keys, where the tail is what comes before the circle. Keys that never
/// repeat are never taken for one.
struct CycleGuard<Key: Equatable> {
  private var landmark: Key?
  private var latest: Key?
  private var stretch = 1
  private var sinceLandmark = 0

  /// A guard for keys that follow `start`; nil, where there is no key to start from.
  init(startingFrom start: Key? = nil) {
    landmark = start
    latest = start
  }

  /// A key came that follows all those before it.
  ///
  /// - Returns: Whether the keys are known to go round with it.
  mutating func keyCame(_ key: Key) -> Bool {
    if key == latest || key == landmark { return true }
    latest = key
    sinceLandmark += 1
    if landmark == nil || sinceLandmark == stretch {
      landmark = key
      sinceLandmark = 0
      stretch *= 2
    }
    return false
  }
}

extension CycleGuard: Sendable where Key: Sendable {}
