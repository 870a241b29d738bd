import Paging
import PagingStore

/// What is said of a list around its rows: at its ends, in its gaps and in the last line.
struct BrowseWords<Item: BrowseItem> {
  private let snapshot: PagingSnapshot<Item>
  private let news: BrowseNews
  private let explain: (any Error) -> String

  /// - Parameter explain: Puts a failure into words.
  init(_ snapshot: PagingSnapshot<Item>, _ news: BrowseNews, _ explain: @escaping (any Error) -> String) {
    self.snapshot = snapshot
    self.news = news
    self.explain = explain
  }

  /// The keys, in one line.
  static var keys: String { "↑ ↓ space b g G  : jump  / find  r refresh  R retry  [ ] fill  n new  q quit" }

  /// The line above the first row; nil where there is nothing to say, or no row.
  var start: (text: String, isFailure: Bool)? {
    guard snapshot.count > 0 else { return nil }
    let states = snapshot.states
    if states.refresh.isLoading { return ("refreshing …", false) }
    if let failure = states.refresh.failure { return ("the refresh " + failed(failure), true) }
    if let failure = states.prepend.failure { return (failed(failure), true) }
    if states.prepend.isLoading { return ("loading …", false) }
    return news.newRowsText.map { ("▲ \($0) (n shows them)", false) }
  }

  /// The line after the last row; nil where there is nothing to say.
  var end: (text: String, isFailure: Bool)? {
    switch snapshot.phase {
    case .initial: return nil
    case .loading: return ("loading …", false)
    case .empty: return ("the list is empty", false)
    case .failed(let failure): return (failed(failure), true)
    case .content: break
    }
    switch snapshot.states.append {
    case .loading: return ("loading …", false)
    case .failed(let failure): return (failed(failure), true)
    case .notLoading(let endReached): return endReached ? ("— the end —", false) : nil
    }
  }

  /// The line of a gap.
  func gap(_ gap: Gap) -> String {
    let place = "┄┄ rows are missing here"
    if gap.isDead { return "\(place), and the server can't be asked for them ┄┄" }
    switch news.fillings[gap.id] {
    case .runs?: return "\(place): filling …"
    case .failed(let why)?: return "\(place): failed (\(sides(gap)) tries again): \(why)"
    case nil: return "\(place) (\(sides(gap))) ┄┄"
    }
  }

  private func sides(_ gap: Gap) -> String {
    gap.fillableSides.map { $0 == .above ? "[ fills from above" : "] from below" }.joined(separator: ", ")
  }

  /// The last line.
  func status(_ model: BrowseModel<Item.ID>, _ title: String) -> String {
    var parts = [title]
    // Without a total the indices count from the first row that is held, which says nothing of the list.
    if let last = model.viewport.last, let total = snapshot.total, total.isExact {
      parts.append("\(grouped(model.viewport.lowerBound + 1))–\(grouped(last + 1)) of \(grouped(total.count))")
    }
    parts.append("\(grouped(snapshot.items.count)) loaded")
    let states = snapshot.states
    if model.top >= 0 {
      if states.refresh.isLoading, snapshot.count > 0 { parts.append("refreshing") }
      if states.prepend.isLoading { parts.append("loading above") }
      if let text = news.newRowsText { parts.append("\(text) (n)") }
      if snapshot.phase == .content, let failure = states.refresh.failure ?? states.prepend.failure {
        parts.append(failed(failure))
        return parts.joined(separator: "  ")
      }
    }
    parts.append("? keys  q quit")
    return parts.joined(separator: "  ")
  }

  private func failed(_ failure: LoadFailure) -> String { "failed (R tries again): \(explain(failure.error))" }
}
