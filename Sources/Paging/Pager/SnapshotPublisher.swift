/// Takes a snapshot of a pager's state whenever anything visible has changed.
struct SnapshotPublisher<Key: Hashable & Sendable, Item: Identifiable & Sendable> where Item.ID: Sendable {
  private let origin: SnapshotOrigin
  private var version: UInt64 = 0
  private var generation: UInt64 = 0
  private var revision: UInt64 = 0
  private var states = LoadStates.idle

  init(origin: SnapshotOrigin) {
    self.origin = origin
  }

  /// What is shown before anything happened.
  var first: PagingSnapshot<Item> {
    PagingSnapshot(
      SnapshotBody(
        origin: origin, generation: 0, version: 0, pages: PageSequence(), firstOrdinal: 0, replacements: 0,
        firstCoordinate: 0, placeholdersBefore: 0, placeholdersAfter: 0, states: CombinedLoadStates(source: .idle),
        total: nil, position: PagingPosition(rowsBefore: 0, pageIndex: 0), anchor: nil))
  }

  /// A new snapshot; nil where the last one still shows all there is.
  mutating func snapshot(of state: PagerState<Key, Item>) -> PagingSnapshot<Item>? {
    let states = state.states
    guard let shown = state.shown else {
      guard states != self.states else { return nil }
      version += 1
      self.states = states
      return PagingSnapshot(
        SnapshotBody(
          origin: origin, generation: 0, version: version, pages: PageSequence(), firstOrdinal: 0, replacements: 0,
          firstCoordinate: 0, placeholdersBefore: 0, placeholdersAfter: 0, states: CombinedLoadStates(source: states),
          total: nil, position: PagingPosition(rowsBefore: 0, pageIndex: 0), anchor: nil))
    }
    guard shown.revision != revision || shown.number != generation || states != self.states else { return nil }
    version += 1
    revision = shown.revision
    generation = shown.number
    self.states = states
    return PagingSnapshot(
      SnapshotBody(
        origin: origin, generation: shown.number, version: version, pages: shown.pages,
        firstOrdinal: shown.firstOrdinal, replacements: shown.replacements, firstCoordinate: shown.firstCoordinate,
        placeholdersBefore: shown.placeholders.before, placeholdersAfter: shown.placeholders.after,
        states: CombinedLoadStates(source: states), total: shown.total, position: position(of: state, in: shown),
        anchor: anchor(of: state, in: shown)))
  }

  private func position(of state: PagerState<Key, Item>, in shown: Generation<Key, Item>) -> PagingPosition {
    guard let viewport = state.viewports.union else { return PagingPosition(rowsBefore: 0, pageIndex: 0) }
    let rowsBefore = max(0, viewport.lower - shown.bounds.lowerBound)
    guard !shown.pages.isEmpty else { return PagingPosition(rowsBefore: rowsBefore, pageIndex: 0) }
    let row = min(max(0, viewport.lower - shown.firstCoordinate), shown.pages.rowCount - 1)
    return PagingPosition(rowsBefore: rowsBefore, pageIndex: shown.pages.place(ofRow: row).pageIndex)
  }

  private func anchor(of state: PagerState<Key, Item>, in shown: Generation<Key, Item>) -> AnchorOutcome? {
    guard let kind = state.anchorKind else { return nil }
    let index = state.anchorCoordinate.flatMap { coordinate in
      kind != .lost && shown.bounds.contains(coordinate) ? coordinate - shown.bounds.lowerBound : nil
    }
    return AnchorOutcome(kind: kind, index: index)
  }
}
