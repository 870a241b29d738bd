import Paging

/// What the terminal shows of a list, as text: one line a row, and one that says how things are.
struct BrowsePicture: Equatable {
  /// How a line looks.
  enum Style: Hashable { case plain, dim, selected, status, failure }

  /// One line of the screen.
  struct Line: Hashable {
    var text: String
    var style: Style
  }

  /// The lines for rows, from the top.
  var lines: [Line]
  /// The last line.
  var status: Line

  /// The picture of `snapshot` as `model` looks at it.
  ///
  /// - Parameters:
  ///   - title: What the list is, for the status.
  ///   - explain: Puts a failure into words.
  init(
    of snapshot: PagingSnapshot<RawRow>, _ model: BrowseModel, title: String, explain: (any Error) -> String
  ) {
    lines = model.viewport.map { index in
      let style: Style = index == model.selected ? .selected : .plain
      guard let row = snapshot[index].item else { return Line(text: "·  ·  ·", style: style == .plain ? .dim : style) }
      return Line(text: rowText(row), style: style)
    }
    if lines.count < model.height { lines.append(Self.ending(of: snapshot, explain)) }
    status = Line(text: Self.status(of: snapshot, model, title, explain), style: .status)
  }

  /// The line after the last row.
  private static func ending(of snapshot: PagingSnapshot<RawRow>, _ explain: (any Error) -> String) -> Line {
    switch snapshot.phase {
    case .initial: return Line(text: "", style: .dim)
    case .loading: return Line(text: "loading …", style: .dim)
    case .empty: return Line(text: "the list is empty", style: .dim)
    case .failed(let failure): return Line(text: "failed (R tries again): \(explain(failure.error))", style: .failure)
    case .content: break
    }
    switch snapshot.states.append {
    case .loading: return Line(text: "loading …", style: .dim)
    case .failed(let failure): return Line(text: "failed (R tries again): \(explain(failure.error))", style: .failure)
    case .notLoading(let endReached): return Line(text: endReached ? "— the end —" : "", style: .dim)
    }
  }

  private static func status(
    of snapshot: PagingSnapshot<RawRow>, _ model: BrowseModel, _ title: String, _ explain: (any Error) -> String
  ) -> String {
    var parts = [title]
    // Without a total the indices count from the first row that is held, which says nothing of the list.
    if let last = model.viewport.last, let total = snapshot.total, total.isExact {
      parts.append("\(grouped(model.viewport.lowerBound + 1))–\(grouped(last + 1)) of \(grouped(total.count))")
    }
    parts.append("\(grouped(snapshot.items.count)) loaded")
    let states = snapshot.states
    if states.refresh.isLoading { parts.append("refreshing") }
    if states.prepend.isLoading { parts.append("loading above") }
    if let failure = states.refresh.failure ?? states.prepend.failure, snapshot.phase == .content {
      parts.append("failed (R tries again): \(explain(failure.error))")
    } else {
      parts.append("j k g G move, r refresh, q quit")
    }
    return parts.joined(separator: "  ")
  }
}
