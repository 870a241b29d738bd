/// Takes a snapshot of a pager's state whenever anything visible has changed.
struct SnapshotPublisher<Item: Identifiable & Sendable> where Item.ID: Sendable {
  private let origin: SnapshotOrigin
  private var version: UInt64 = 0
  /// What the last snapshot shows.
  private(set) var shown: VisibleState

  init(origin: SnapshotOrigin, showing visible: VisibleState) {
    self.origin = origin
    shown = visible
  }

  /// A snapshot with a number of its own.
  ///
  /// - Parameters:
  ///   - state: What to show.
  ///   - visible: Its visible state, which the caller has found to differ from ``shown``.
  mutating func snapshot(of state: PagerState, showing visible: VisibleState) -> PagingSnapshot<Item> {
    version += 1
    shown = visible
    return snapshot(of: state)
  }

  /// The snapshot before anything happened.
  func first(of state: PagerState) -> PagingSnapshot<Item> { snapshot(of: state) }

  private func snapshot(of state: PagerState) -> PagingSnapshot<Item> {
    let shown = state.shown
    return PagingSnapshot(
      SnapshotBody(
        origin: origin, generation: shown.number, version: version,
        pages: PageSequence(state.presentedPages), firstOrdinal: shown.firstOrdinal,
        replacements: shown.replacements + state.overlay.replacements, layout: state.overlay.layout,
        firstCoordinate: shown.firstCoordinate,
        placeholdersBefore: shown.placeholders.before, placeholdersAfter: shown.placeholders.after,
        states: CombinedLoadStates(source: self.shown.states, mediator: self.shown.mediator), total: shown.total,
        position: state.position,
        anchor: state.anchor))
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
