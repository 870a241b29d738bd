extension StoredList {
  /// Keeps where the reader is, for ``savedPosition()`` after a restart. The rows near it are noted too, in case that
  /// its own is gone then.
  ///
  /// May be told with every frame: at most four places a second are written, the newest in the end. Call
  /// ``flushPosition()`` when the app goes to the background.
  ///
  /// - Parameter position: The place.
  /// - Throws: ``ListStoreError`` where it can't be written; it is tried again with the next one.
  public func savePosition(_ position: ListPosition<Item.ID>) throws(ListStoreError) {
    var place = SavedPlace(key: try ItemKey(position.item).text, list: 0, epoch: 0)
    for neighbour in position.neighbours { place.named.append(try ItemKey(neighbour).text) }
    place.offset = position.offset.isFinite ? position.offset : 0
    place.fraction = position.fraction.flatMap { $0.isFinite ? $0 : nil }
    place.followsNewest = position.followsNewest
    place.savedAt = core.milliseconds
    try core.savePlace(place, in: id)
  }

  /// Writes the place that was saved last, if it still waits.
  ///
  /// - Throws: ``ListStoreError`` where it can't be written.
  public func flushPosition() throws(ListStoreError) { try core.flushPlace(of: id) }

  /// Where the reader was, among the rows that are stored now. Asks no network.
  ///
  /// Its own row comes first, also under the ID that it has got since; then the nearest of the rows that stood near it,
  /// those below before those above; then the row where its sort key would be, or where it stood; then the newest.
  ///
  /// - Returns: The place; nil where none was saved, or the list has no row.
  /// - Throws: ``ListStoreError``.
  public func savedPosition() throws(ListStoreError) -> RestoredPosition<Item.ID>? {
    guard let place = try core.returnPlace(of: id) else { return nil }
    let saved = place.saved
    var position = ListPosition(item: try place.key.id(as: Item.ID.self), followsNewest: saved.followsNewest)
    if place.isExact {
      position.offset = saved.offset
      position.fraction = saved.fraction
    }
    // Neighbours whose IDs are no longer readable are of no use to anybody.
    for key in saved.named {
      if let id = try? ItemKey(text: key).id(as: Item.ID.self) { position.neighbours.append(id) }
    }
    return RestoredPosition(position: position, isExact: place.isExact, isStale: isStale(savedAt: saved.savedAt))
  }

  private func isStale(savedAt: Int64) -> Bool {
    guard let limit = policy.staleAfter else { return false }
    let (age, overflow) = core.milliseconds.subtractingReportingOverflow(savedAt)
    // Only a damaged file has a time so far away.
    return overflow || .milliseconds(age) > limit
  }
}
