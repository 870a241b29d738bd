extension StoreCore {
  /// A row that a reader comes back to.
  struct ReturnPlace: Hashable, Sendable {
    /// The place as it was saved.
    var saved: SavedPlace
    /// The row's item.
    var key: ItemKey
    /// What led there.
    var way: FoundPlace.Way
    /// Whether the row is the saved one, however it was found.
    var isExact: Bool
  }

  /// Neighbours that are noted on either side of a place.
  private static let neighbours = 8

  /// Keeps where a reader is. Nothing that is on screen is read anew for it. Written at once, or a little later where
  /// one was written just now.
  func savePlace(_ place: SavedPlace, in name: ListName) throws(ListStoreError) {
    let book = placeBook(of: name)
    try book.save(place) { place throws(ListStoreError) in
      try write(place, in: name)
    } later: { time in
      Task.detached { [weak self, weak book, clock] in
        try? await clock.sleep(for: time)
        guard let self, let book else { return }
        do throws(ListStoreError) {
          try book.due { place throws(ListStoreError) in try self.write(place, in: name) }
        } catch {
          self.report(ListStoreReport(kind: .positionUnsaved, list: name.name, count: 0, message: error.message))
        }
      }
    }
  }

  /// Writes a place that waits, now.
  func flushPlace(of name: ListName) throws(ListStoreError) {
    try placeBook(of: name).flush { place throws(ListStoreError) in try write(place, in: name) }
  }

  /// Where the reader comes back to; nil: no place is saved, or the list has no row.
  func returnPlace(of name: ListName) throws(ListStoreError) -> ReturnPlace? {
    try flushPlace(of: name)
    return try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection), let kind = try connection.kinds.number(of: name.kind),
        let saved = try connection.places.place(Self.view(ofFeed: list.feed))
      else { return nil }
      let finder = PlaceFinder(list: list.number, epoch: list.epoch) { key throws(ListStoreError) in
        try connection.items.find(ItemKey(text: key), kind: kind)?.number
      }
      guard let found = try finder.find(saved, in: connection.order(of: list.number)),
        let record = try connection.items.find(found.entry.item)
      else { return nil }
      let own = try connection.items.find(ItemKey(text: saved.key), kind: kind)?.number
      return ReturnPlace(saved: saved, key: record.key, way: found.way, isExact: own == record.number)
    }
  }

  private func placeBook(of name: ListName) -> PlaceBook { book(of: name) { PlaceBook(clock: clock) } }

  /// What a list's place goes by in the file.
  static func view(ofFeed feed: Int64) -> String { String(feed) }

  private func write(_ place: SavedPlace, in name: ListName) throws(ListStoreError) {
    try commit { transaction, _ throws(ListStoreError) in
      let connection = transaction.connection
      let list = try openList(name, in: transaction)
      let kind = try connection.kinds.add(name.kind)
      let order = connection.order(of: list.number)
      var place = place
      place.list = list.number
      place.epoch = list.epoch
      if let item = try connection.items.find(ItemKey(text: place.key), kind: kind),
        let entry = try order.entry(of: item.number)
      {
        place.position = entry.position
        place.sortBytes = entry.sortBytes
        place.below = try keys(from: entry.position, in: order) { at throws(ListStoreError) in
          try order.entry(below: at)
        }
        place.above = try keys(from: entry.position, in: order) { at throws(ListStoreError) in
          try order.entry(above: at)
        }
      }
      try connection.places.save(place, view: Self.view(ofFeed: list.feed), feed: list.feed)
    }
  }

  private func keys(
    from position: Position, in order: ListOrder, next: (Position) throws(ListStoreError) -> Entry?
  ) throws(ListStoreError) -> [String] {
    var keys: [String] = []
    var position = position
    while keys.count < Self.neighbours, let entry = try next(position) {
      position = entry.position
      if let record = try order.connection.items.find(entry.item) { keys.append(record.key.text) }
    }
    return keys
  }
}
