// The way back of a source that only goes forward: its pages are read again by the keys that loaded them. What such a key
// brings now need not end where the loaded rows begin. So what comes is shown only once it is known to adjoin them, and
// until then the source is read on from it.

/// Pages that were read again in front of the loaded ones, and are not known to adjoin them yet.
struct ReadBack {
  struct Stretch {
    let page: OpaquePage
    let record: PageRecord
  }

  /// How many pages are held; what lies further in front is read again when its turn comes, by its new key.
  static var most: Int { 2 }

  /// The hash of the row that once stood before the first loaded one; nil: not known.
  let target: Int?
  /// What was read, in list order.
  var pages: [Stretch] = []
  /// The first of `pages` with a row that is loaded, though not where the way would end.
  var straysAt: Int?

  /// The records to read again by, were this given up: up to the page where it can't be told how the list goes on.
  var records: [PageRecord] {
    var records = pages.prefix(straysAt.map { $0 + 1 } ?? pages.count).map(\.record)
    if let last = records.indices.last { records[last].lastRow = target }
    return records
  }
}

extension Generation {
  /// How a page that was read again lies to the loaded rows.
  enum Meeting: Equatable {
    /// Its first so many rows stand before them, and nothing lies between.
    case adjoins(rows: Int)
    /// Something may lie between; `strays`: one of its rows is loaded further on.
    case apart(strays: Bool)
    /// The list ends without having met them: it is another than it was.
    case never
  }

  /// How a page lies to the loaded rows, which are not none, in the light of the row that once stood before them.
  ///
  /// It meets them at the first of them. Where that one is gone, it does at rows of its end that are loaded, if they begin
  /// in the first loaded page or are several: a single one that is loaded further on may be a row that has moved up in
  /// the list. Otherwise its last row tells that nothing lies between, or else its next key, if no row is known.
  func meeting(of page: OpaquePage, target: Int?) -> Meeting {
    let places = page.hashes.indices.map {
      address(of: OpaqueRow(page: page.rows, offset: $0, hash: page.hashes[$0]))
    }
    let first = RowAddress(ordinal: firstOrdinal, offset: 0)
    if let start = places.firstIndex(of: first) { return .adjoins(rows: start) }
    let start = places.lastIndex { $0 == nil }.map { $0 + 1 } ?? 0
    if start < places.count, places[start]?.ordinal == firstOrdinal || places.count - start > 1 {
      return .adjoins(rows: start)
    }
    if let target, page.hashes.last == target { return .adjoins(rows: page.count) }
    guard let nextKey = page.nextKey else { return .never }
    if target == nil, nextKey == records.first?.key { return .adjoins(rows: page.count) }
    return .apart(strays: places.contains { $0 != nil })
  }

  /// A page came by a key that had loaded it before, or by the key after it.
  mutating func readAgain(_ page: OpaquePage, _ record: PageRecord) -> Arrival {
    var way = readBack ?? ReadBack(target: passed.removeLast()?.lastRow)
    readBack = nil
    switch meeting(of: page, target: way.target) {
    case .adjoins(let rows):
      let duplicates = (rows..<page.count).count { isLoaded($0, of: page) }
      if config.duplicates == .replaceEarlier { refreshed(page) }
      var record = record
      // Were the rows after it dropped, this key would bring them again; the page's own leads past those that were cut off.
      if rows < page.count { record.nextKey = records.first?.key }
      way.pages.append(ReadBack.Stretch(page: access.prefix(rows, of: page), record: record))
      var arrival = showReadAgain(way.pages)
      arrival.duplicates += duplicates
      revision += 1
      return arrival
    case .apart(let strays):
      if strays, way.straysAt == nil { way.straysAt = way.pages.count }
      let isLost = way.straysAt.map { way.pages.count - $0 >= ReadBack.most } ?? false
      return isLost ? driftedReadingAgain(way) : hold(page, record, on: way)
    case .never:
      if way.straysAt == nil { way.straysAt = way.pages.count }
      way.pages.append(ReadBack.Stretch(page: page, record: record))
      return driftedReadingAgain(way)
    }
  }

  private func isLoaded(_ offset: Int, of page: OpaquePage) -> Bool {
    address(of: OpaqueRow(page: page.rows, offset: offset, hash: page.hashes[offset])) != nil
  }

  /// Keeps a page until what follows it has been read.
  private mutating func hold(_ page: OpaquePage, _ record: PageRecord, on way: ReadBack) -> Arrival {
    var way = way
    var record = record
    record.lastRow = page.hashes.last
    way.pages.append(ReadBack.Stretch(page: page, record: record))
    if way.pages.count > ReadBack.most {
      pass(way.pages.removeFirst().record)
      way.straysAt = way.straysAt.map { $0 - 1 }
    }
    readBack = way
    prepend.next = .again(PageRecord(key: record.nextKey, loadSize: config.pageSize))
    return Arrival(shown: 0, duplicates: 0)
  }

  private mutating func showReadAgain(_ pages: [ReadBack.Stretch]) -> Arrival {
    var arrival = Arrival(shown: 0, duplicates: 0)
    for (position, stretch) in pages.enumerated().reversed() {
      let admitted = admit(stretch.page, ordinal: firstOrdinal - 1)
      if let box = admitted.page { prependPage(box, stretch.record) }
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

  /// Forgets what was read again and not shown: it is read anew when it is wanted.
  mutating func giveUpReadingBack() {
    guard let way = readBack else { return }
    readBack = nil
    for record in way.records { pass(record) }
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
