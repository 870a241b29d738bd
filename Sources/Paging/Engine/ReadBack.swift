// The way back of a source that only goes forward: its pages are read again by the keys that loaded them. What such a
// key brings now need not end where the loaded rows begin. So what comes is shown only once it is known to adjoin them,
// and until then the source is read on from it.

/// Pages that were read again in front of the loaded ones, and are not known to adjoin them yet.
struct ReadBack {
  struct Stretch {
    let page: OpaquePage
    let record: PageRecord
  }

  /// How many pages are held; what lies further in front is read again when its turn comes, by its new key.
  static var most: Int { 2 }

  /// What it began with: the page that once ended where the loaded rows begin.
  let origin: PageRecord
  /// What was read, in list order.
  var pages: [Stretch] = []
  /// How many pages further in front were read and not held: the last of those that are passed.
  var released = 0
  /// The first of `pages` with a row that is loaded, though not where the way would end.
  var straysAt: Int?

  /// The hash of the row that once stood before the first loaded one; nil: not known.
  var target: Int? { origin.lastRow }
}

extension Generation {
  /// How a page that was read again lies to the loaded rows.
  enum Meeting: Equatable {
    /// Its first so many rows stand before them, and nothing lies between.
    case adjoins(rows: Int)
    /// Something may lie between; `strays`: one of its rows is loaded further on.
    case apart(strays: Bool)
    /// It has come to them or to the list's end, and where they meet can't be told: the list is another than it was.
    case never
  }

  /// How a page lies to the loaded rows, which are not none.
  ///
  /// It meets them where the rows at its end are loaded, the first loaded row in front. Where that one is gone, it
  /// takes several, and no other loaded row further in front: that may be one that has moved up in the list, or the
  /// meeting itself with new rows behind it, and nobody can tell. Else its last row says that nothing lies between, if
  /// it is the one that once stood before the first loaded one; or its next key, if that row is not known.
  func meeting(of page: OpaquePage, on way: ReadBack) -> Meeting {
    let places = page.hashes.indices.map {
      address(of: OpaqueRow(page: page.rows, offset: $0, hash: page.hashes[$0]))
    }
    let start = (places.lastIndex { $0 == nil } ?? -1) + 1
    if start < places.count {
      if places[start] == RowAddress(ordinal: firstOrdinal, offset: 0) { return .adjoins(rows: start) }
      let hasStrays = way.straysAt != nil || places[..<start].contains { $0 != nil }
      if places.count - start > 1 { return hasStrays ? .never : .adjoins(rows: start) }
    }
    if let target = way.target, page.hashes.last == target { return .adjoins(rows: page.count) }
    guard let nextKey = page.nextKey else { return .never }
    if way.target == nil, nextKey == records.first?.key { return .adjoins(rows: page.count) }
    return .apart(strays: places.contains { $0 != nil })
  }

  /// A page came by a key that had loaded it before, or by the key after it.
  mutating func readAgain(_ page: OpaquePage, _ record: PageRecord) -> Arrival {
    guard var way = readBack ?? passed.removeLast().map({ ReadBack(origin: $0) }) else {
      return Arrival(shown: 0, duplicates: 0)
    }
    readBack = nil
    switch meeting(of: page, on: way) {
    case .adjoins(let rows):
      let duplicates = (rows..<page.count).count { isLoaded($0, of: page) }
      if config.duplicates == .replaceEarlier { refreshed(page, by: record.load) }
      var record = record
      // Should the rows after it be dropped, this key brings them again; its own leads past those that it shares with
      // them.
      if page.hashes.indices.contains(where: { isLoaded($0, of: page) }) { record.nextKey = records.first?.key }
      way.pages.append(ReadBack.Stretch(page: access.prefix(rows, of: page), record: record))
      var arrival = showReadAgain(way.pages)
      arrival.duplicates += duplicates
      revision += 1
      return arrival
    case .apart(let strays):
      if strays, way.straysAt == nil { way.straysAt = way.pages.count }
      let isLost = way.straysAt.map { way.pages.count - $0 >= ReadBack.most } ?? false
      return isLost ? driftedReadingAgain(way) : hold(page, record, on: way)
    case .never: return driftedReadingAgain(way)
    }
  }

  private func isLoaded(_ offset: Int, of page: OpaquePage) -> Bool {
    address(of: OpaqueRow(page: page.rows, offset: offset, hash: page.hashes[offset])) != nil
  }

  /// The smallest number of the loads whose pages were read again and are not shown yet; nil where none is.
  var oldestLoadReadAgain: UInt64? { readBack?.pages.lazy.map(\.record.load).min() }

  /// Keeps a page until what follows it has been read.
  private mutating func hold(_ page: OpaquePage, _ record: PageRecord, on way: ReadBack) -> Arrival {
    var way = way
    prepend.next = .again(PageRecord(key: record.nextKey, loadSize: config.pageSize))
    var record = record
    record.lastRow = page.hashes.last
    if page.hashes.indices.contains(where: { isLoaded($0, of: page) }) { record.nextKey = record.key ?? record.nextKey }
    way.pages.append(ReadBack.Stretch(page: page, record: record))
    if way.pages.count > ReadBack.most {
      pass(way.pages.removeFirst().record)
      way.released += 1
      way.straysAt = way.straysAt.map { $0 - 1 }
    }
    readBack = way
    return Arrival(shown: 0, duplicates: 0)
  }

  private mutating func showReadAgain(_ pages: [ReadBack.Stretch]) -> Arrival {
    var arrival = Arrival(shown: 0, duplicates: 0)
    for (position, stretch) in pages.enumerated().reversed() {
      let admitted = admit(stretch.page, ordinal: firstOrdinal - 1, load: stretch.record.load)
      var record = stretch.record
      record.leftOut = admitted.leftOut(towards: .append)
      if let box = admitted.page { prependPage(box, record) }
      arrival.shown += admitted.shown
      arrival.duplicates += admitted.duplicates
      if position == 0 { prepend.next = nextByTheWayBack }
      placeholdersPrepended(stretch.page, isEnd: position == 0 && prepend.isAtEnd)
    }
    return arrival
  }

  private mutating func driftedReadingAgain(_ way: ReadBack) -> Arrival {
    readBack = way
    giveUpReadingBack()
    return Arrival(shown: 0, duplicates: 0, hasDrifted: true)
  }

  /// Forgets what was read again and not shown: the way back begins anew when it is wanted.
  mutating func giveUpReadingBack() {
    guard let way = readBack else { return }
    readBack = nil
    for _ in 0..<way.released { passed.removeLast() }
    pass(way.origin)
    prepend.next = nextByTheWayBack
  }
}

extension RowAccess {
  /// A page of the first rows of another.
  fileprivate func prefix(_ rows: Int, of page: OpaquePage) -> OpaquePage {
    guard rows < page.count else { return page }
    return OpaquePage(
      rows: self.page(keeping: Array(0..<rows), of: page.rows), hashes: Array(page.hashes.prefix(rows)),
      previousKey: page.previousKey, nextKey: page.nextKey, itemsBefore: page.itemsBefore, itemsAfter: page.itemsAfter,
      total: page.total)
  }
}

extension PagerState {
  /// Pages that were read again don't lead to the rows that are shown: these are read anew, around the anchor.
  mutating func readBackDrifted() {
    if let running = candidate, running.isRunning {
      // What replaces the rows is on its way.
      guard running.reason != .jump else { return rest(.prepend, awaitingReport: true, PagingError.driftedReadingBack) }
      let loads = takeLoads(of: .prepend)
      candidate?.edgeLoads += loads
      return
    }
    driftsReadingBack += 1
    guard driftsReadingBack <= 3 else { return edgeFailed(PagingError.driftedReadingBack, at: .prepend) }
    let loads = takeLoads(of: .prepend)
    beginRefresh(.anchor, reason: .invalidation, commands: [])
    candidate?.edgeLoads = loads
  }
}

extension PagingError {
  fileprivate static var driftedReadingBack: PagingError {
    PagingError(
      .drifted,
      message: "The pages in front, read again by their old keys, no longer lead to the rows that are shown. "
        + "Refresh to read them anew.")
  }
}
