/// Everything between two refreshes: pages, their identities and keys, and the two edges.
///
/// Rows have coordinates: the first row that came is 0, rows before it are negative. Pages that hold rows have ordinals
/// in the same way. Neither ever changes while the generation lasts.
struct Generation<Key: Hashable & Sendable, Item: Identifiable & Sendable> where Item.ID: Sendable {
  let number: UInt64
  let config: PagingConfig
  var traits: SourceTraits

  private(set) var pages = PageSequence<Item>()
  private(set) var records = RingBuffer<PageRecord<Key>>()
  private(set) var index = IdentityIndex()
  private(set) var firstOrdinal = 0
  private(set) var firstCoordinate = 0
  /// How many times a page was replaced in place.
  private(set) var replacements: UInt64 = 0
  private(set) var placeholders: Placeholders
  private(set) var total: Total?
  /// The farthest ordinal that was ever loaded at each side, so that reading dropped pages again is no circle.
  private var farthest = (prepend: 0, append: -1)
  /// Pages in front that no key leads back to: how they were loaded, the nearest last.
  private(set) var passed = RingBuffer<PageRecord<Key>>()
  private(set) var hasForgottenFront = false

  var prepend = Edge<Key>()
  var append = Edge<Key>()
  /// Rises with everything that a screen would see.
  private(set) var revision: UInt64 = 0

  /// How many pages in front are remembered by the keys that loaded them.
  static var passedLimit: Int { 1000 }

  init(number: UInt64, config: PagingConfig, traits: SourceTraits = SourceTraits()) {
    self.number = number
    self.config = config
    self.traits = traits
    placeholders = Placeholders(isEnabled: config.placeholders)
  }

  subscript(side: EdgeSide) -> Edge<Key> {
    get { side == .prepend ? prepend : append }
    _modify {
      if side == .prepend { yield &prepend } else { yield &append }
    }
  }

  /// The coordinates of the loaded rows.
  var loaded: Range<Int> { firstCoordinate..<firstCoordinate + pages.rowCount }

  /// The coordinates of all rows, placeholders too.
  var bounds: Range<Int> {
    loaded.lowerBound - placeholders.before..<loaded.upperBound + placeholders.after
  }

  private var lastOrdinal: Int { firstOrdinal + pages.pageCount - 1 }

  // MARK: - Pages come

  /// What became of a page.
  struct Arrival {
    /// Rows that are new in the list.
    var shown: Int
    /// Rows that were there already.
    var duplicates: Int
    /// The page's key leads back to where the source has been.
    var closesCircle = false
  }

  /// The first page came.
  mutating func started(
    with page: Page<Key, Item>, loadedBy params: LoadParams<Key>, at side: EdgeSide = .append
  ) -> Arrival {
    placeholders.started(with: page)
    total = page.total ?? total
    let record = record(of: page, loadedBy: params)
    let admitted = admit(page.items, ordinal: 0)
    if let box = admitted.box {
      pages.append(box)
      records.append(record)
    }
    prepend.next = next(before: record)
    append.next = record.nextKey.map { .key($0) } ?? .end
    revision += 1
    return Arrival(
      shown: admitted.shown, duplicates: admitted.duplicates,
      closesCircle: closesCircle(page, loadedBy: params, at: side))
  }

  /// A page came at an edge.
  mutating func grew(
    _ side: EdgeSide, with page: Page<Key, Item>, loadedBy params: LoadParams<Key>, isReadAgain: Bool = false
  ) -> Arrival {
    guard !pages.isEmpty else { return grewFromNothing(side, with: page, loadedBy: params) }
    var record = record(of: page, loadedBy: params)
    total = page.total ?? total
    let ordinal = side == .prepend ? firstOrdinal - 1 : lastOrdinal + 1
    let admitted = admit(page.items, ordinal: ordinal)
    if isReadAgain {
      passed.removeLast()
      // The source gives no key that leads back from here, or the page would not have been read this way.
      record.previousKey = nil
    }
    switch side {
    case .prepend:
      let next = next(before: record)
      if let box = admitted.box {
        pages.prepend(box)
        records.prepend(record)
        firstOrdinal -= 1
        firstCoordinate -= box.count
      } else {
        records[0]?.previousKey = record.previousKey
      }
      prepend.next = next
      placeholders.prepended(page, isEnd: prepend.isAtEnd)
    case .append:
      if let box = admitted.box {
        pages.append(box)
        records.append(record)
      } else {
        let last = records.count - 1
        records[last]?.nextKey = record.nextKey
      }
      append.next = record.nextKey.map { .key($0) } ?? .end
      placeholders.appended(page, isEnd: append.isAtEnd)
    }
    revision += 1
    return Arrival(
      shown: admitted.shown, duplicates: admitted.duplicates,
      closesCircle: closesCircle(page, loadedBy: params, at: side))
  }

  /// The first pages were empty: the edges lead on from nowhere.
  private mutating func grewFromNothing(
    _ side: EdgeSide, with page: Page<Key, Item>, loadedBy params: LoadParams<Key>
  ) -> Arrival {
    let opposite = self[side.opposite].next
    let arrival = started(with: page, loadedBy: params, at: side)
    // The page knows its own side; the other side goes on from where it was.
    self[side.opposite].next = opposite
    switch side {
    case .append:
      let key = key(of: opposite)
      records[0]?.previousKey = key
    case .prepend:
      let key = key(of: opposite)
      records[0]?.nextKey = key
    }
    return arrival
  }

  private func key(of next: Edge<Key>.Next) -> Key? {
    if case .key(let key) = next { key } else { nil }
  }

  private func record(of page: Page<Key, Item>, loadedBy params: LoadParams<Key>) -> PageRecord<Key> {
    PageRecord(
      key: params.key, loadSize: params.loadSize, previousKey: page.previousKey, nextKey: page.nextKey)
  }

  /// What lies before a page: by its own key, or by the way that was come.
  private func next(before record: PageRecord<Key>) -> Edge<Key>.Next {
    if let key = record.previousKey { return .key(key) }
    if let last = passed.last { return .again(last) }
    return hasForgottenFront ? .outOfReach : .end
  }

  private mutating func closesCircle(
    _ page: Page<Key, Item>, loadedBy params: LoadParams<Key>, at side: EdgeSide
  ) -> Bool {
    guard !traits.allowsRepeatedKeys else { return false }
    let next = side == .prepend ? page.previousKey : page.nextKey
    guard let next else { return false }
    if next == params.key { return true }
    switch side {
    case .prepend:
      guard firstOrdinal <= farthest.prepend else { return false }
      farthest.prepend = firstOrdinal
    case .append:
      guard lastOrdinal >= farthest.append else { return false }
      farthest.append = lastOrdinal
    }
    return self[side].cycle.keyCame(next)
  }

  // MARK: - Identities

  private struct Admitted {
    var box: PageBox<Item>?
    var shown: Int { box?.count ?? 0 }
    var duplicates = 0
  }

  /// Sorts out what is in the list already and indexes the rest.
  private mutating func admit(_ items: [Item], ordinal: Int) -> Admitted {
    var hashes: [Int] = []
    hashes.reserveCapacity(items.count)
    // Nil while every item was new, so that the usual page is kept as it came.
    var kept: [Item]?
    var duplicates = 0
    for (position, item) in items.enumerated() {
      let id = item.id
      let hash = id.hashValue
      let known = index.address(hash: hash) { address in
        if address.ordinal == ordinal { return (kept ?? items)[address.offset].id == id }
        return pages.page(at: address.ordinal - firstOrdinal).items[address.offset].id == id
      }
      guard let known else {
        index.insert(hash: hash, at: RowAddress(ordinal: ordinal, offset: hashes.count))
        hashes.append(hash)
        kept?.append(item)
        continue
      }
      duplicates += 1
      if kept == nil { kept = Array(items[..<position]) }
      guard config.duplicates == .replaceEarlier else { continue }
      if known.ordinal == ordinal {
        kept?[known.offset] = item
      } else {
        replace(item, at: known)
      }
    }
    let rows = kept ?? items
    return Admitted(box: rows.isEmpty ? nil : PageBox(rows, hashes: hashes), duplicates: duplicates)
  }

  /// Shows fresher copies of loaded rows in place. Costs the pages that hold them.
  ///
  /// - Returns: Whether any of them is loaded.
  mutating func refreshed(_ items: [Item]) -> Bool {
    var found = false
    for item in items {
      guard let address = address(of: item.id, hash: item.id.hashValue) else { continue }
      replace(item, at: address)
      found = true
    }
    return found
  }

  private mutating func replace(_ item: Item, at address: RowAddress) {
    let position = address.ordinal - firstOrdinal
    let page = pages.page(at: position)
    var items = page.items
    items[address.offset] = item
    pages.replacePage(at: position, with: PageBox(items, hashes: page.hashes))
    replacements += 1
    revision += 1
  }

  func address(of id: Item.ID, hash: Int) -> RowAddress? {
    index.address(hash: hash) { pages.page(at: $0.ordinal - firstOrdinal).items[$0.offset].id == id }
  }

  /// The coordinate of a loaded row.
  func coordinate(of id: Item.ID, hash: Int) -> Int? {
    guard let address = address(of: id, hash: hash) else { return nil }
    return firstCoordinate + pages.rowsBefore(pageAt: address.ordinal - firstOrdinal) + address.offset
  }

  /// The loaded row at a coordinate.
  func place(at coordinate: Int) -> PageSequence<Item>.RowPlace? {
    loaded.contains(coordinate) ? pages.place(ofRow: coordinate - firstCoordinate) : nil
  }

  // MARK: - Pages go

  /// Lets go the page at one end, which then waits for a fresh report before it loads again.
  ///
  /// - Returns: How many rows went.
  @discardableResult
  mutating func dropPage(at side: EdgeSide) -> Int {
    guard let page = side == .prepend ? pages.removeFirst() : pages.removeLast() else { return 0 }
    let ordinal = side == .prepend ? firstOrdinal : firstOrdinal + pages.pageCount
    for (offset, hash) in page.hashes.enumerated() {
      index.remove(hash: hash, at: RowAddress(ordinal: ordinal, offset: offset))
    }
    placeholders.dropped(page.count, at: side)
    switch side {
    case .prepend:
      let gone = records.removeFirst()
      firstOrdinal += 1
      firstCoordinate += page.count
      if let gone, let edge = records.first {
        if edge.previousKey == nil { pass(gone) }
        prepend.next = next(before: edge)
      }
    case .append:
      records.removeLast()
      append.next = records.last?.nextKey.map { .key($0) } ?? .end
    }
    self[side].rest(awaitingReport: true)
    revision += 1
    return page.count
  }

  /// Remembers a page in front that no key leads back to.
  mutating func pass(_ record: PageRecord<Key>) {
    if passed.count == Self.passedLimit {
      passed.removeFirst()
      hasForgottenFront = true
    }
    passed.append(record)
  }

  /// Takes over the way back from the generation that this one replaces.
  mutating func inheritPassed(from old: Generation, before ordinal: Int) {
    passed = old.passed
    hasForgottenFront = old.hasForgottenFront
    for position in 0..<max(0, min(ordinal - old.firstOrdinal, old.records.count)) {
      if let record = old.records[position] { pass(record) }
    }
  }
}

/// What the engine needs to know of a source.
struct SourceTraits: Sendable {
  var keyKind: KeyKind = .other
  var allowsRepeatedKeys = false
}
