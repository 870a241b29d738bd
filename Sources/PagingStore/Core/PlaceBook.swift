import Synchronization

/// The newest place of one list, on its way to the file.
final class PlaceBook: Sendable {
  /// Places are written at most this often: a screen that scrolls tells of a place with every frame.
  static let interval = Duration.milliseconds(250)

  private let throttle = Mutex(SaveThrottle<SavedPlace>(interval: PlaceBook.interval))
  private let stopwatch: Stopwatch
  /// Held while a place is written, so that an older one is never written over a newer one.
  private let writing = Mutex(())

  init(clock: any Clock<Duration>) {
    stopwatch = Stopwatch(clock)
  }

  /// Takes a place: writes it now, or lets it wait, in which case `later` is to be called after that time.
  func save(
    _ place: SavedPlace, write: (SavedPlace) throws(ListStoreError) -> Void, later: (Duration) -> Void
  ) throws(ListStoreError) {
    try inTurn { () throws(ListStoreError) in
      switch throttle.withLock({ $0.save(place, at: stopwatch.elapsed) }) {
      case .write(let place): try self.write(place, write)
      case .wait(let time): later(time)
      case .keep: break
      }
    }
  }

  /// The wait is over.
  func due(write: (SavedPlace) throws(ListStoreError) -> Void) throws(ListStoreError) {
    try inTurn { () throws(ListStoreError) in
      if let place = throttle.withLock({ $0.due(at: stopwatch.elapsed) }) { try self.write(place, write) }
    }
  }

  /// Writes what waits.
  func flush(write: (SavedPlace) throws(ListStoreError) -> Void) throws(ListStoreError) {
    try inTurn { () throws(ListStoreError) in
      if let place = throttle.withLock({ $0.flush(at: stopwatch.elapsed) }) { try self.write(place, write) }
    }
  }

  private func write(
    _ place: SavedPlace, _ write: (SavedPlace) throws(ListStoreError) -> Void
  ) throws(ListStoreError) {
    do throws(ListStoreError) {
      try write(place)
    } catch {
      throttle.withLock { $0.failed(place) }
      throw error
    }
  }

  private func inTurn(_ body: () throws(ListStoreError) -> Void) throws(ListStoreError) {
    let result = writing.withLock { _ in Result { () throws(ListStoreError) in try body() } }
    try result.get()
  }
}
