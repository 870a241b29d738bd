/// The row that must not move when the list changes under it: the first loaded row of the viewport.
struct Anchor<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  let item: Item
  let hash: Int
  let coordinate: Int
  /// The ordinal of its page, and its offset there.
  let address: RowAddress
}

extension Generation {
  /// The first loaded row of a viewport; nil where none of its rows is loaded.
  func anchor(of viewport: Viewport) -> Anchor<Item>? {
    let coordinate = max(viewport.lower, loaded.lowerBound)
    guard coordinate < max(viewport.upper, viewport.lower + 1), let place = place(at: coordinate) else { return nil }
    return Anchor(
      item: place.box.items[place.offset], hash: place.box.hashes[place.offset], coordinate: coordinate,
      address: RowAddress(ordinal: firstOrdinal + place.pageIndex, offset: place.offset))
  }

  /// What is loaded, for a source that decides where a refresh starts. Costs the number of pages.
  func pagingState(anchoredAt viewport: Viewport?) -> PagingState<Key, Item> {
    var shown: [Page<Key, Item>] = []
    shown.reserveCapacity(pages.pageCount)
    for position in 0..<pages.pageCount {
      let record = records[position]
      shown.append(
        Page(pages.page(at: position).items, previousKey: record?.previousKey, nextKey: record?.nextKey))
    }
    if !shown.isEmpty {
      shown[0].itemsBefore = config.placeholders ? placeholders.before : nil
      shown[shown.count - 1].itemsAfter = config.placeholders ? placeholders.after : nil
    }
    let index = viewport.map { (anchor(of: $0)?.coordinate ?? $0.lower) - firstCoordinate }
    return PagingState(pages: shown, anchorIndex: index, config: config)
  }

  /// The rows of this generation that are in `newer` too, in this one's order and in the newer copies.
  ///
  /// Costs one look-up for each loaded row.
  func survivors(in newer: Generation) -> [Item] {
    var survivors: [Item] = []
    for position in 0..<pages.pageCount {
      let page = pages.page(at: position)
      for (item, hash) in zip(page.items, page.hashes) {
        guard let coordinate = newer.coordinate(of: item.id, hash: hash), let place = newer.place(at: coordinate)
        else { continue }
        survivors.append(place.box.items[place.offset])
      }
    }
    return survivors
  }

  /// The row of this generation that is nearest to `coordinate` and also in `newer`; of two the later one.
  func nearestSurvivor(to coordinate: Int, in newer: Generation) -> (old: Int, new: Int)? {
    guard !pages.isEmpty else { return nil }
    func survivor(_ candidate: Int) -> (old: Int, new: Int)? {
      guard let place = place(at: candidate) else { return nil }
      let id = place.box.items[place.offset].id
      return newer.coordinate(of: id, hash: place.box.hashes[place.offset]).map { (candidate, $0) }
    }
    let reach = max(abs(coordinate - loaded.lowerBound), abs(loaded.upperBound - coordinate))
    for distance in 0...reach {
      if let found = survivor(coordinate + distance) ?? survivor(coordinate - distance) { return found }
    }
    return nil
  }
}
