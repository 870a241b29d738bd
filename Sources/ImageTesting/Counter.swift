import Synchronization

/// The index of what comes next.
final class Counter: Sendable {
  private let index = Mutex(0)

  /// The index, which then is one further; nil from `end` on.
  func take(below end: Int) -> Int? {
    index.withLock { index in
      guard index < end else { return nil }
      defer { index += 1 }
      return index
    }
  }

  func set(_ value: Int) { index.withLock { $0 = value } }
}
