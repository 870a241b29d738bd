import Paging
import Synchronization

/// Where a scroller stands: a row of the newest snapshot that it has seen.
final class ScrollTrack<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  struct Place {
    var snapshot: PagingSnapshot<Item>
    /// Nil until a row was shown.
    var index: Int?

    var item: Item? { index.flatMap { snapshot[$0].item } }
  }

  private struct State {
    var place: Place
    var retries = 0
    var isStopped = false
  }

  private let state: Mutex<State>

  init(_ snapshot: PagingSnapshot<Item>) {
    state = Mutex(State(place: Place(snapshot: snapshot)))
  }

  var place: Place { state.withLock { $0.place } }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  func stop() { state.withLock { $0.isStopped = true } }

  /// Counts one more retry; false, where all that `answer` allows are used up.
  func takesRetry(of answer: FailureAnswer) -> Bool {
    state.withLock { state in
      guard state.retries < answer.retries else { return false }
      state.retries += 1
      return true
    }
  }

  /// Stands at that row.
  ///
  /// - Returns: The snapshot that the index is one of.
  func go(to index: Int) -> PagingSnapshot<Item> {
    state.withLock { state in
      state.place.index = index
      return state.place.snapshot
    }
  }

  func goToFirstLoaded() {
    state.withLock { state in
      let snapshot = state.place.snapshot
      state.place.index = snapshot.items.isEmpty ? nil : snapshot.placeholdersBefore
    }
  }

  /// Goes along with the row in a newer snapshot: by its item, else to where the content says that its anchor went,
  /// else by its index.
  func follow(_ newer: PagingSnapshot<Item>) {
    let old = place
    guard newer.version != old.snapshot.version else { return }
    let index = old.index.flatMap { Self.index($0, of: old.snapshot, in: newer) }
    state.withLock { $0.place = Place(snapshot: newer, index: index) }
  }

  private static func index(
    _ index: Int, of older: PagingSnapshot<Item>, in newer: PagingSnapshot<Item>
  ) -> Int? {
    guard newer.count > 0 else { return nil }
    if let id = older[index].id.item, let now = newer.index(ofItem: id) { return now }
    if newer.anchor != older.anchor, let anchor = newer.anchor?.index { return anchor }
    return min(index, newer.count - 1)
  }
}
