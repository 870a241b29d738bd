import Paging
import Synchronization

/// The pagers of one list that are in use, held weakly, so that the list can send them to its newest rows.
final class PagerBook<Item: StoredItem>: Sendable {
  private struct Weak: Sendable {
    weak var pager: StoredPager<Item>?
  }

  private struct State {
    var pagers: [Weak] = []
    var pageSize = PagingConfig().pageSize
  }

  private let state = Mutex(State())

  /// How many rows a request at an edge asks for: as many as the pager does that was made last.
  var pageSize: Int {
    get { state.withLock { $0.pageSize } }
    set { state.withLock { $0.pageSize = newValue } }
  }

  /// The pagers that somebody still holds.
  var pagers: [StoredPager<Item>] {
    state.withLock { $0.pagers.compactMap(\.pager) }
  }

  /// A pager was made.
  func add(_ pager: StoredPager<Item>, pageSize: Int) {
    state.withLock { state in
      state.pagers.removeAll { $0.pager == nil }
      state.pagers.append(Weak(pager: pager))
      state.pageSize = pageSize
    }
  }
}
