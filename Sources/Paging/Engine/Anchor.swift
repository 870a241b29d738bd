/// The row that must not move when the list changes under it: the first loaded row of the viewport.
struct Anchor: Sendable {
  let row: OpaqueRow
  let coordinate: Int
  /// The ordinal of its page, and its offset there.
  let address: RowAddress
}

/// What is loaded, for the shell to make a `PagingState` of.
struct LoadedPages: Sendable {
  let pages: PageTree
  let records: [PageRecord]
  let placeholders: Placeholders
  let anchorIndex: Int?
}

extension Generation {
  /// The first loaded row of a viewport; nil where none of its rows is loaded.
  func anchor(of viewport: Viewport) -> Anchor? {
    let coordinate = max(viewport.lower, loaded.lowerBound)
    guard coordinate < max(viewport.upper, viewport.lower + 1), let place = place(at: coordinate),
      let row = row(at: coordinate)
    else { return nil }
    return Anchor(
      row: row, coordinate: coordinate,
      address: RowAddress(ordinal: firstOrdinal + place.pageIndex, offset: place.offset))
  }

  /// What a source needs to decide where a refresh starts. Costs the number of pages.
  func loadedPages(anchoredAt viewport: Viewport?) -> LoadedPages {
    let index = viewport.map { (anchor(of: $0)?.coordinate ?? $0.lower) - firstCoordinate }
    return LoadedPages(
      pages: pages, records: (0..<records.count).compactMap { records[$0] }, placeholders: placeholders,
      anchorIndex: index)
  }

  /// The rows of this generation that are in `newer` too, in this one's order and in the newer copies.
  ///
  /// Costs one look-up for each loaded row.
  func survivors(in newer: Generation) -> [OpaqueRow] {
    var survivors: [OpaqueRow] = []
    for position in 0..<pages.pageCount {
      let page = page(at: position)
      for (offset, hash) in access.hashes(of: page).enumerated() {
        guard let address = newer.address(of: OpaqueRow(page: page, offset: offset, hash: hash)) else { continue }
        survivors.append(
          OpaqueRow(page: newer.page(at: address.ordinal - newer.firstOrdinal), offset: address.offset, hash: hash))
      }
    }
    return survivors
  }

  /// The row of this generation that is nearest to `coordinate` and also in `newer`; of two the later one.
  func nearestSurvivor(to coordinate: Int, in newer: Generation) -> (old: Int, new: Int)? {
    func survivor(_ candidate: Int) -> (old: Int, new: Int)? {
      row(at: candidate).flatMap { newer.coordinate(of: $0) }.map { (candidate, $0) }
    }
    let reach = max(abs(coordinate - loaded.lowerBound), abs(loaded.upperBound - coordinate))
    for distance in 0...reach {
      if let found = survivor(coordinate + distance) ?? survivor(coordinate - distance) { return found }
    }
    return nil
  }
}
