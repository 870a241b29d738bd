import Synchronization

/// What somebody looks at, counted: items by their numbers, windows by their names.
final class Observed<Name: Hashable & Sendable>: Sendable {
  private let counts = Mutex<[Name: Int]>([:])

  /// All that somebody looks at.
  var names: Set<Name> { counts.withLock { Set($0.keys) } }

  /// Somebody looks at one.
  func began(_ name: Name) { counts.withLock { $0[name, default: 0] += 1 } }

  /// Somebody looks at it no more.
  func ended(_ name: Name) {
    counts.withLock { counts in
      guard let count = counts[name] else { return }
      counts[name] = count > 1 ? count - 1 : nil
    }
  }
}
