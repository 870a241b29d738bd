import Foundation

/// The standard library's `Mutex` as far as this package uses it, over a lock that the thread sanitizer knows.
///
/// `Synchronization` comes built without instrumentation: when a lock is contended, its hand-over happens where the
/// sanitizer can't see it, and data that the lock protects is reported as a race. `Scripts/sanitize thread` therefore
/// tests a copy of the package in which this stands for it. Nothing that is shipped contains it.
public struct Mutex<Value>: ~Copyable, @unchecked Sendable {
  // Unchecked: the value is touched only while the lock is held.
  private let storage: Storage

  private final class Storage {
    let lock: UnsafeMutablePointer<pthread_mutex_t>
    var value: Value

    init(_ value: Value) {
      self.value = value
      lock = .allocate(capacity: 1)
      pthread_mutex_init(lock, nil)
    }

    deinit {
      pthread_mutex_destroy(lock)
      lock.deallocate()
    }
  }

  public init(_ value: consuming sending Value) {
    storage = Storage(value)
  }

  public borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(storage.lock)
    defer { pthread_mutex_unlock(storage.lock) }
    return try body(&storage.value)
  }
}
