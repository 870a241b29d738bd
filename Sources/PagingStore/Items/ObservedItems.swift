import Synchronization

/// Which items somebody observes by ID, by number, counted.
final class ObservedItems: Sendable {
  private let counts = Mutex<[Int64: Int]>([:])

  /// The numbers of the items that somebody observes.
  var numbers: Set<Int64> { counts.withLock { Set($0.keys) } }

  /// Somebody looks at an item.
  func began(_ number: Int64) { counts.withLock { $0[number, default: 0] += 1 } }

  /// Somebody looks at it no more.
  func ended(_ number: Int64) {
    counts.withLock { counts in
      guard let count = counts[number] else { return }
      counts[number] = count > 1 ? count - 1 : nil
    }
  }
}
