import Loading

// Edits: what the user changes before the source says so, and what screens see for it.
//
// Viewports, anchors and all rules about loads speak of the generation's own rows. Screens speak of rows as they are
// presented; what translates between the two stands here.
extension PagerState {
  // MARK: - Events

  /// A row is edited.
  ///
  /// - Returns: The edit's number; nil where it is refused.
  mutating func editGiven(
    _ item: SoughtItem, _ change: EditOverlay.Change, now: Duration
  ) -> (edit: UInt64?, actions: [PagerAction]) {
    self.now = now
    let edit = isClosed ? nil : overlay.add(item, change)
    return (edit, settle())
  }

  /// The server has taken an edit; `replacement` is what an inserted item has become there.
  mutating func editConfirmed(
    _ edit: UInt64, as replacement: (row: PageNode, item: SoughtItem)?, now: Duration
  ) -> [PagerAction] {
    self.now = now
    if !isClosed { overlay.confirm(edit, as: replacement, drawn: number()) }
    return settle()
  }

  /// An edit is taken back.
  mutating func editRolledBack(_ edit: UInt64, now: Duration) -> [PagerAction] {
    self.now = now
    if !isClosed { overlay.rollBack(edit) }
    return settle()
  }

  /// Shows the edits on what the source said.
  mutating func presentEdits() {
    guard overlay.isStale(for: shown) else { return }
    let loads = [shown.prepend.loadID, shown.append.loadID, shown.oldestLoadReadAgain, candidateLoad?.id]
    overlay.present(shown, oldestLoad: loads.lazy.compactMap { $0 }.min(), hasCandidate: hasCandidate)
  }

  // MARK: - Presented rows

  /// The shown pages, edited.
  var presentedPages: PageTree { overlay.presented?.pages ?? shown.pages }

  /// The coordinates of the loaded rows, as screens see them.
  var presentedLoaded: Range<Int> {
    shown.firstCoordinate..<shown.firstCoordinate + presentedPages.rowCount
  }

  /// Where screens see a row, or what follows it where it is hidden.
  func presentedCoordinate(_ coordinate: Int) -> Int {
    overlay.presented?.coordinates.presented(coordinate) ?? coordinate
  }

  /// The index of an anchor, or of the row that shows in its place where an edit hides it; nil where no row shows.
  func presentedIndex(ofAnchorAt coordinate: Int) -> Int? {
    guard let coordinates = overlay.presented?.coordinates else { return coordinate - shown.bounds.lowerBound }
    guard let visible = coordinates.visible(from: coordinate, in: shown.loaded) else { return nil }
    return coordinates.presented(visible) - shown.bounds.lowerBound
  }

  /// The viewport in the coordinates of screens.
  var presentedViewport: Viewport? {
    // A closure over `presented` would copy the whole state.
    guard let union = viewports.union else { return nil }
    return presented(union)
  }

  /// A viewport in the coordinates of screens.
  func presented(_ viewport: Viewport) -> Viewport {
    guard let coordinates = overlay.presented?.coordinates else { return viewport }
    let lower = coordinates.presented(viewport.lower)
    // What was inserted behind the last row lies beyond it.
    let last = viewport.count == 0 ? lower : coordinates.presented(viewport.upper - 1) + 1
    return Viewport(lower: lower, upper: max(lower, last))
  }

  /// The viewport from its first row on that no edit hides: that row is the one that is to stay.
  ///
  /// A viewport that lies in placeholders has no such row, whatever edits do elsewhere.
  var anchoringViewport: Viewport? {
    guard var viewport = viewports.union, let coordinates = overlay.presented?.coordinates else {
      return viewports.union
    }
    let first = max(viewport.lower, shown.loaded.lowerBound)
    guard shown.loaded.contains(first), first < max(viewport.upper, viewport.lower + 1),
      let visible = coordinates.visible(from: first, in: shown.loaded), visible != first
    else { return viewports.union }
    viewport.lower = visible
    viewport.upper = max(viewport.upper, visible + 1)
    return viewport
  }

  /// Where a screen sees the viewport begin.
  func presentedStart(of viewport: Viewport) -> Int {
    let start = presentedCoordinate(viewport.lower)
    guard viewport.lead != 0, let coordinates = overlay.presented?.coordinates else { return start }
    // Only inserted rows lie between, and there may be fewer than there were.
    var lead = 0
    while lead < viewport.lead, case .inserted = coordinates.row(at: start - lead - 1) { lead += 1 }
    while lead > viewport.lead, case .inserted = coordinates.row(at: start - lead + 1) { lead -= 1 }
    return start - lead
  }

  /// What of a viewport that a screen reports, in the layout that is shown, are the generation's own rows.
  func ownRows(of reported: Viewport) -> Viewport {
    guard let coordinates = overlay.presented?.coordinates, !coordinates.entries.isEmpty else { return reported }
    var lower: Int?
    var row = reported.lower
    while lower == nil, row < max(reported.upper, reported.lower + 1) {
      if case .base(let base) = coordinates.row(at: row) { lower = base }
      row += 1
    }
    let lead: Int
    let upper: Int
    if let first = lower {
      lead = coordinates.presented(first) - reported.lower
      upper = max(first, self.upper(of: reported, coordinates))
      return Viewport(lower: first, upper: reported.count == 0 ? first : upper, lead: lead)
    }
    // Only inserted rows are on screen: the row behind them stands for them, or the last one where none follows.
    guard case .inserted(let behind) = coordinates.row(at: reported.lower), !shown.loaded.isEmpty else {
      return Viewport(lower: shown.firstCoordinate, upper: shown.firstCoordinate)
    }
    let nearest = min(behind, shown.loaded.upperBound - 1)
    return Viewport(
      lower: nearest, upper: nearest + 1, lead: coordinates.presented(nearest) - reported.lower)
  }

  /// What the last of the generation's own rows in a viewport is followed by.
  private func upper(of reported: Viewport, _ coordinates: EditCoordinates) -> Int {
    var row = reported.upper - 1
    while row > reported.lower, case .inserted = coordinates.row(at: row) { row -= 1 }
    switch coordinates.row(at: row) {
    case .base(let base): return base + 1
    case .inserted(let before): return before
    }
  }

  /// The viewport of a snapshot whose rows stood otherwise, by the first inserted row of it that is still there.
  func viewport(ofInsertedRowIn reported: Viewport, of snapshot: ReportedSnapshot) -> Viewport? {
    guard let presented = overlay.presented else { return nil }
    let loaded = snapshot.firstCoordinate..<snapshot.firstCoordinate + snapshot.pages.rowCount
    for coordinate in (reported.lower..<reported.upper).clamped(to: loaded) {
      let place = snapshot.pages.place(ofRow: coordinate - snapshot.firstCoordinate)
      for (position, entry) in presented.coordinates.entries.enumerated() where entry.isInserted {
        guard case .insertion(let page, _) = overlay.edit(entry.edit)?.change,
          access.isSame(0, in: page, as: place.offset, in: place.page)
        else { continue }
        return ownRows(of: reported.moved(by: presented.coordinates.place(of: position) - coordinate))
      }
    }
    return nil
  }

  // MARK: - Jumps

  /// What a jump to a presented row comes to.
  enum JumpWay {
    /// It is there already.
    case none
    /// To that target, in the generation's own rows.
    case to(JumpTarget)
    /// An edit has removed it.
    case removed
  }

  func way(to target: JumpTarget) -> JumpWay {
    guard isShowing else { return .to(target) }
    switch target {
    case .index(let index):
      let (coordinate, overflows) = shown.bounds.lowerBound.addingReportingOverflow(index)
      if overflows { return .to(target) }
      if presentedLoaded.contains(coordinate) { return .none }
      guard coordinate >= presentedLoaded.upperBound else { return .to(target) }
      let (own, isTooFar) = index.subtractingReportingOverflow(presentedPages.rowCount - shown.pages.rowCount)
      return .to(.index(isTooFar ? .max : own))
    case .item(let item):
      let item = overlay.resolved(item)
      if overlay.isInserted(item) { return .none }
      guard let address = shown.address(of: item) else { return .to(.item(item)) }
      return overlay.presented?.coordinates.isHidden(shown.coordinate(at: address)) == true ? .removed : .none
    case .key: return .to(target)
    }
  }
}

extension EditOverlay {
  /// Whether a row that an edit inserted shows that item.
  func isInserted(_ item: SoughtItem) -> Bool {
    guard let entries = presented?.coordinates.entries else { return false }
    let shown = Set(entries.lazy.filter(\.isInserted).map(\.edit))
    return edits.contains { shown.contains($0.number) && $0.item.key == item.key }
  }
}

extension PagingError {
  static var itemRemoved: PagingError {
    PagingError(.itemNotFound, message: "The item to jump to is hidden by an edit that removed it.")
  }
}
