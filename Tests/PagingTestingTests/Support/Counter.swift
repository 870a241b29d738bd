import Synchronization

/// A number that a test changes while a source reads it.
final class Counter: Sendable {
  private let state: Mutex<Int>

  init(_ value: Int = 0) {
    state = Mutex(value)
  }

  var value: Int {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// One more.
  ///
  /// - Returns: The number before.
  @discardableResult func next() -> Int {
    state.withLock { value in
      defer { value += 1 }
      return value
    }
  }
}
