/// Where a reader was in a list, for another pager to start from.
struct SavedPlace: Sendable {
  /// The key that loads the page.
  var key: OpaqueKey?
  /// The row, if one is known.
  var item: SoughtItem?
  /// Whether rows lie in front of the page that no key leads to.
  var hasFrontOutOfReach: Bool
}

/// A row that is to be found again, and how.
struct PlaceToSave {
  let key: OpaqueKey?
  let row: OpaqueRow
  let hasFrontOutOfReach: Bool
}

// How a list comes back at the place where it was left, and how that place is told.
extension PagerState {
  /// How many pages are looked through for the row where the reader was.
  private static var restoringBudget: Int { 5 }

  /// What the first generation is made of.
  mutating func firstCandidate(reason: LoadReason) -> Candidate {
    var first = Candidate(build: newGeneration(), goal: .firstPage, reason: reason, pageBudget: 1)
    first.firstKey = initialKey
    guard let restoring else { return first }
    first.goal = .saved(restoring.item)
    first.firstKey = restoring.key
    first.pageBudget = Self.restoringBudget
    if restoring.hasFrontOutOfReach { first.build.forgetFront() }
    return first
  }

  /// Puts the viewport where the reader was, or where that row's page begins if it has not come.
  mutating func stand(at item: SoughtItem?, in build: inout Generation) {
    guard let item else { return }
    // That nothing leads to what lies in front is told when a screen comes near it, not before it has come at all.
    if case .outOfReach = build.prepend.next { build.prepend.awaitsReport = true }
    let found = build.address(of: item).map { build.coordinate(at: $0) }
    anchorKind = found == nil ? .lost : .kept
    anchorCoordinate = found
    guard build.pages.pageCount > 0 else { return }
    // The first page began at coordinate 0, whatever has come before it since.
    let place = Viewport(lower: found ?? 0, upper: (found ?? 0) + 1)
    viewports.report(place.clamped(to: build.loaded), from: .restored)
  }

  /// The first loaded row of the viewport, or the loaded row that is nearest to it; nil where no row is loaded.
  var placeToSave: PlaceToSave? {
    guard isShowing, shown.pages.pageCount > 0 else { return nil }
    let lower = anchoringViewport?.lower ?? shown.loaded.lowerBound
    let nearest = min(max(lower, shown.loaded.lowerBound), shown.loaded.upperBound - 1)
    guard let place = shown.place(at: nearest), let row = shown.row(at: nearest) else { return nil }
    return PlaceToSave(
      key: shown.records[place.pageIndex]?.key, row: row,
      hasFrontOutOfReach: shown.hasFrontOutOfReach(beforePageAt: place.pageIndex))
  }
}

extension Candidate {
  /// Whether it starts from a key that was saved.
  var isRestoring: Bool {
    if case .saved = goal { true } else { false }
  }
}
