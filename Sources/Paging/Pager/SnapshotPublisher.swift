/// Takes a snapshot of a pager's state whenever anything visible has changed.
struct SnapshotPublisher {
  private let origin: SnapshotOrigin
  private let maker: any SnapshotMaking
  private var version: UInt64 = 0
  /// What the last snapshot shows.
  private(set) var shown: VisibleState

  init(origin: SnapshotOrigin, maker: any SnapshotMaking, showing visible: VisibleState) {
    self.origin = origin
    self.maker = maker
    shown = visible
  }

  /// A snapshot with a number of its own.
  ///
  /// - Parameters:
  ///   - state: What to show.
  ///   - visible: Its visible state, which the caller has found to differ from ``shown``.
  mutating func snapshot(of state: PagerState, showing visible: VisibleState) -> any AnySnapshotBody {
    version += 1
    shown = visible
    return maker.snapshot(of: state, showing: visible, origin: origin, version: version)
  }
}

/// Makes the snapshots of a pager whose types only it knows.
protocol SnapshotMaking: Sendable {
  func snapshot(
    of state: PagerState, showing visible: VisibleState, origin: SnapshotOrigin, version: UInt64
  ) -> any AnySnapshotBody
}

extension TypedRows: SnapshotMaking {
  func snapshot(
    of state: PagerState, showing visible: VisibleState, origin: SnapshotOrigin, version: UInt64
  ) -> any AnySnapshotBody {
    let shown = state.shown
    return SnapshotBody<Item>(
      origin: origin, generation: shown.number, version: version,
      pages: PageSequence(state.presentedPages), firstOrdinal: shown.firstOrdinal,
      replacements: shown.replacements + state.overlay.replacements, layout: state.overlay.layout,
      firstCoordinate: shown.firstCoordinate,
      placeholdersBefore: shown.placeholders.before, placeholdersAfter: shown.placeholders.after,
      states: CombinedLoadStates(source: visible.states, mediator: visible.mediator), total: shown.total,
      position: state.position, anchor: state.anchor)
  }
}

extension PagingSnapshot {
  /// The snapshot of a state before anything was published of it.
  init(showing state: PagerState, origin: SnapshotOrigin) {
    self = SnapshotHub<Item>.typed(
      TypedRows<Item>().snapshot(of: state, showing: state.visible, origin: origin, version: 0))
  }
}

/// What a screen would see a change of: two equal ones look the same.
struct VisibleState: Equatable {
  let generation: UInt64
  let revision: UInt64
  /// What the edits show.
  var edits: UInt64 = 0
  let states: LoadStates
  var mediator: LoadStates?
}

extension PagerState {
  var visible: VisibleState {
    VisibleState(
      generation: shown.number, revision: shown.revision, edits: overlay.layout + overlay.replacements,
      states: states, mediator: mediatorStates)
  }

  /// Where in the list the viewport is.
  var position: PagingPosition {
    guard let viewport = viewports.union else { return PagingPosition(rowsBefore: 0, pageIndex: 0) }
    let pages = presentedPages
    let start = presentedStart(of: viewport)
    // The list may have turned out shorter than where it was looked at.
    let count = shown.placeholders.before + pages.rowCount + shown.placeholders.after
    let rowsBefore = min(max(0, start - shown.bounds.lowerBound), count)
    // Edits can leave nothing of any page.
    guard pages.rowCount > 0 else { return PagingPosition(rowsBefore: rowsBefore, pageIndex: 0) }
    let row = min(max(0, start - shown.firstCoordinate), pages.rowCount - 1)
    return PagingPosition(rowsBefore: rowsBefore, pageIndex: pages.place(ofRow: row).pageIndex)
  }

  /// What became of the anchor when the shown generation began, and where it is now.
  var anchor: AnchorOutcome? {
    guard let kind = anchorKind else { return nil }
    let index = anchorCoordinate.flatMap { coordinate in
      kind != .lost && shown.bounds.contains(coordinate) ? presentedIndex(ofAnchorAt: coordinate) : nil
    }
    return AnchorOutcome(kind: kind, index: index)
  }
}
