import PagingStore
import Synchronization

/// Writes where a reader is in a stored list, the newest place in the end, without holding anyone up.
final class StoredPlaces: Sendable {
  private struct Place: Hashable, Sendable {
    var item: String
    var isFirst: Bool
  }

  private struct State {
    var last: Place?
    var next: Place?
    var writing: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let list: StoredList<StoredRow>

  init(_ list: StoredList<StoredRow>) {
    self.list = list
  }

  /// The row at the top of the screen is that one now.
  func keep(_ item: StoredRow, isFirst: Bool) {
    let place = Place(item: item.id, isFirst: isFirst)
    state.withLock { state in
      guard state.last != place else { return }
      state.last = place
      state.next = place
      if state.writing == nil { state.writing = Task.detached { self.write() } }
    }
  }

  /// Has written the newest place when it returns.
  func flush() async {
    await state.withLock { $0.writing }?.value
    // A file that can't be written to has been read all the same; there is nobody left to tell.
    try? list.flushPosition()
  }

  private func write() {
    while let place = next() {
      try? list.savePosition(ListPosition(item: place.item, followsNewest: place.isFirst))
    }
  }

  private func next() -> Place? {
    state.withLock { state in
      defer { state.next = nil }
      if state.next == nil { state.writing = nil }
      return state.next
    }
  }
}
