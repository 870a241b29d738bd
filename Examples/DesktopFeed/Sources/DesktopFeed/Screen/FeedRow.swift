import Paging
import PagingStore

/// What one row shows, whatever it stands for.
struct FeedRow {
  struct Action {
    var title: String
    var run: @MainActor () -> Void
  }

  var text: String
  /// The post's picture; nil: there is none, or it isn't known yet.
  var picture: String?
  /// Whether there is room for a picture.
  var hasPicture = false
  var isPlaceholder = false
  var actions: [Action] = []

  static func post(_ post: Post) -> FeedRow { FeedRow(text: post.text, picture: post.picture, hasPicture: true) }

  static let placeholder = FeedRow(text: "…", hasPicture: true, isPlaceholder: true)

  /// A row for posts that are missing, with a button for each side that the server can be asked from.
  static func gap(_ gap: Gap, fill: @escaping @MainActor (GapSide) -> Void) -> FeedRow {
    let actions = gap.fillableSides.map { side in
      Action(title: side == .above ? "Fill from above" : "Fill from below") { fill(side) }
    }
    return FeedRow(text: gap.isDead ? "Posts are missing here" : "There are more posts here", actions: actions)
  }

  /// The row at an edge: the end, a load that runs, or one that failed and can be tried again.
  static func edge(_ state: LoadState, end: String, retry: @escaping @MainActor () -> Void) -> FeedRow {
    switch state {
    case .notLoading(let endReached): FeedRow(text: endReached ? end : "", isPlaceholder: true)
    case .loading: FeedRow(text: "Loading…", isPlaceholder: true)
    case .failed: FeedRow(text: "No connection", actions: [Action(title: "Retry", run: retry)])
    }
  }
}
