import PagingHTTP

/// A page on its way to where its rows are kept.
struct WalkedPage: Sendable {
  /// Its rows as they came, all of them.
  var items: [RawRow]
  /// Those of them that had not come lately, as many as are asked for.
  var new: [RawRow]
  /// The key of the page behind it; nil: there is none that is known.
  var nextKey: HTTPPageKey?
  /// Whether no new row was left out since no more were asked for.
  var isWhole = true
  /// Whether the list ends here: not where its server says that it goes on, in a way that isn't taken.
  var isEnd: Bool
}

/// Where a walk's rows go.
protocol WalkSink: Sendable {
  /// Whether it keeps all rows of a page, though fewer were asked for.
  var takesWholePages: Bool { get }
  /// Rows that an earlier walk kept last, so that repeats of them are known; none where the sink knows by itself.
  var lastRows: [RawRow] { get throws }
  /// A page is about to be asked for.
  mutating func willLoad() throws
  /// Keeps a page, wholly or not at all: it is kept when this returns, and can be gone on from.
  mutating func take(_ page: WalkedPage) async throws
  /// The list is at its end.
  mutating func finish() throws
}

extension WalkSink {
  var takesWholePages: Bool { false }
  var lastRows: [RawRow] { [] }
  mutating func willLoad() throws {}
  mutating func finish() throws {}
}

/// Rows on standard output, or in something that is no regular file: what is out is out.
struct StreamSink: WalkSink {
  private let writer: RowWriter

  init(_ descriptor: Descriptor) {
    writer = RowWriter(descriptor)
  }

  mutating func take(_ page: WalkedPage) async throws {
    try writer.write(page.new)
  }
}
