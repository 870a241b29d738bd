import Paging
import PagingTesting

/// What is under test: ten rows, and a line below the last one.
struct Screen {
  let pager: Pager<Int, SampleItem>

  var rowCount: Int { pager.snapshot.items.count }

  var footer: String {
    switch pager.snapshot.states.append {
    case .loading: "Loading"
    case .failed: "Tap to try again"
    case .notLoading(endReached: true): "That is all"
    case .notLoading(endReached: false): ""
    }
  }

  func scrollToEnd() {
    let snapshot = pager.snapshot
    pager.viewportChanged(to: max(0, snapshot.count - 10)..<snapshot.count, of: snapshot)
  }

  func tapFooter() { pager.retry() }
}
