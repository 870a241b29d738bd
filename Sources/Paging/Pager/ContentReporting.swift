import Synchronization

/// What a content made of another says to it: which rows are on its screen, and what it shows.
struct TransformedReport: Sendable {
  /// Whose report it is.
  let content: ContentID
  /// The rows on screen, as indices in `body`; nil: they are as they were.
  var rows: Range<Int>?
  /// The snapshot of the content that is told.
  var body: any AnySnapshotBody
  /// The newest snapshot of the content that tells; nil where it shows every row.
  let shown: (any AnySnapshotBody & ShownRows)?
  /// Whether somebody reads that content.
  let isObserved: Bool
}

/// A content that knows those that are made of it, and passes on what they say until it reaches a pager.
///
/// A class of a user's own that stands between is told of viewports by `viewportChanged(to:of:)` alone, as if of its
/// own.
protocol ContentReporting: AnyObject, Sendable {
  func contentReported(_ report: TransformedReport)
  /// A content is no longer there.
  func contentEnded(_ content: ContentID)
  /// Whether rows of the pager may be left out here.
  var leavesRowsOut: Bool { get }
  /// Whether nothing is loading now.
  var isSettled: Bool { get }
}

extension Pager: ContentReporting {
  func contentReported(_ report: TransformedReport) {
    guard let body = report.body as? SnapshotBody<Item>, body.origin === core.origin else { return }
    var showing: ShownContent?
    if let shown = report.shown {
      let root = shown.root
      guard root.origin === core.origin else { return }
      showing = ShownContent(
        version: root.version, generation: root.generation, coordinates: root.loadedCoordinates,
        ordinals: root.ordinals, isObserved: report.isObserved, rows: shown)
    }
    core.perform {
      $0.contentReported(report.rows, of: ReportedSnapshot(body), showing: showing, from: report.content, now: $1)
    }
  }

  func contentEnded(_ content: ContentID) {
    core.perform { $0.contentEnded(content, now: $1) }
  }

  var leavesRowsOut: Bool { false }

  var isSettled: Bool { core.guarded.withLock { $0.state.isSettled || $0.state.isClosed } }
}

extension ReportedSnapshot {
  init<Item>(_ body: SnapshotBody<Item>) {
    self.init(
      generation: body.generation, pages: body.pages.tree, firstCoordinate: body.firstCoordinate,
      placeholdersBefore: body.placeholdersBefore, placeholdersAfter: body.placeholdersAfter, layout: body.layout)
  }
}
