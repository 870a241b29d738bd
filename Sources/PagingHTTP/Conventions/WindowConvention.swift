import LoadingHTTP
import Paging

extension PageConvention {
  /// A list that opens around a row: the server is told how many rows are wanted on each side of it.
  ///
  /// ```
  /// GET /messages?anchor=4711&num_before=10&num_after=10 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "messages": [ … rows … ], "found_oldest": false, "found_newest": true }
  /// ```
  ///
  /// ```swift
  /// let chat = PageConvention<Chat>.window(
  ///   WindowParameters(start: "first_unread"),
  ///   previous: { $0.foundOldest ? nil : $0.messages.first.map { "\($0.id)" } },
  ///   next: { $0.foundNewest ? nil : $0.messages.last.map { "\($0.id)" } })
  /// let pager = Pager(initialKey: source.key(around: 4711), source: source)
  /// ```
  ///
  /// That is Zulip's way, where a page further on is again one around a row, with no rows wanted on its other side.
  /// Where the server gives cursors instead, ``WindowParameters/cursors(anchor:before:after:previous:next:size:)``
  /// names their parameters. A page that was reached from one side says nothing of that side, so the keys of both are
  /// always taken from what `previous` and `next` give.
  ///
  /// A refresh loads the window around the row at the top of the screen. A row that the server does not have is
  /// ``/Paging/PagingError/Code/itemNotFound`` where it answers with 404; ``/Paging/AnchoredPageSource`` is for lists
  /// that are to open at a neighbour then.
  ///
  /// - Parameters:
  ///   - parameters: The names of the query parameters.
  ///   - previous: What leads to the rows in front of the page; nil or empty: there are none.
  ///   - next: What leads to the rows behind the page; nil or empty: there are none.
  public static func window(
    _ parameters: WindowParameters = WindowParameters(), previous: @escaping @Sendable (Response) -> String?,
    next: @escaping @Sendable (Response) -> String?
  ) -> PageConvention {
    var convention = PageConvention(keyKind: .id) { page, request in
      for (name, value) in parameters.values(of: page) { request.setQuery(name, to: value) }
    } keys: { reply in
      PageKeys(
        previous: SidedCursor.key(before: previous(reply.response)), next: SidedCursor.key(after: next(reply.response)))
    }
    convention.keyForID = { WindowParameters.key(around: $0) }
    convention.isAnchorGone = { $1 == 404 && WindowParameters.anchor(of: $0) != nil }
    return convention
  }
}

/// The query parameters of a list that opens around a row.
public struct WindowParameters: Hashable, Sendable {
  private let anchor: String
  private let before: String
  private let after: String
  private let includes: String?
  private let start: String?
  private var previous: String?
  private var next: String?
  private var size: String?

  /// Every page is one around a row, as Zulip has it.
  ///
  /// - Parameters:
  ///   - anchor: For the row.
  ///   - before: For how many rows are wanted in front of it.
  ///   - after: For how many rows are wanted behind it.
  ///   - includes: For whether the row itself is wanted, `false` on all pages but those around a row; nil: not sent.
  ///   - start: What the anchor is where the list opens, as `newest` or `first_unread`; nil: it is left out.
  public init(
    anchor: String = "anchor", before: String = "num_before", after: String = "num_after",
    includes: String? = "include_anchor", start: String? = nil
  ) {
    self.anchor = anchor
    self.before = before
    self.after = after
    self.includes = includes
    self.start = start
  }

  /// The first page is one around a row, all others are asked for by the cursors that came with a page.
  ///
  /// - Parameters:
  ///   - anchor: For the row; left out where the list opens.
  ///   - before: For how many rows are wanted in front of it.
  ///   - after: For how many rows are wanted behind it.
  ///   - previous: For a cursor to the rows in front.
  ///   - next: For a cursor to the rows behind.
  ///   - size: For the load size of such a page; nil: not sent.
  public static func cursors(
    anchor: String, before: String, after: String, previous: String, next: String, size: String? = "limit"
  ) -> WindowParameters {
    var parameters = WindowParameters(anchor: anchor, before: before, after: after, includes: nil)
    parameters.previous = previous
    parameters.next = next
    parameters.size = size
    return parameters
  }

  /// What the query of a page must say.
  func values(of page: PageRequest) -> [(name: String, value: String)] {
    let key = page.key
    guard let key, Self.anchor(of: key) == nil else {
      let around = key.flatMap(Self.anchor(of:)) ?? start
      if around == nil, let size { return [(size, String(page.loadSize))] }
      let half = page.loadSize / 2
      return (around.map { [(anchor, $0)] } ?? []) + [(before, String(half)), (after, String(page.loadSize - half))]
    }
    let sided = SidedCursor(key)
    if let previous, let next {
      return [(sided.isBefore ? previous : next, sided.cursor)] + (size.map { [($0, String(page.loadSize))] } ?? [])
    }
    return [
      (anchor, sided.cursor), (before, sided.isBefore ? String(page.loadSize) : "0"),
      (after, sided.isBefore ? "0" : String(page.loadSize)),
    ] + (includes.map { [($0, "false")] } ?? [])
  }

  /// `=` and the ID.
  static func key(around id: String) -> HTTPPageKey { HTTPPageKey("=" + id) }

  static func anchor(of key: HTTPPageKey) -> String? {
    key.text.first == "=" ? String(key.text.dropFirst()) : nil
  }
}
