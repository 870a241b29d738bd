/// Everything between two refreshes: pages, their identities and keys, and the two edges.
///
/// Rows have coordinates: the first row that came is 0, rows before it are negative. Pages that hold rows have ordinals
/// in the same way. Neither ever changes while the generation lasts.
struct Generation {
  let number: UInt64
  let config: PagingConfig
  let access: any RowAccess
  var traits: SourceTraits

  private(set) var pages = PageTree()
  private(set) var records = RingBuffer<PageRecord>()
  private(set) var index = IdentityIndex()
  private var shared = SharedRows()
  private(set) var firstOrdinal = 0
  private(set) var firstCoordinate = 0
  /// How many times a page was replaced in place.
  private(set) var replacements: UInt64 = 0
  private(set) var placeholders: Placeholders
  private(set) var total: Total?
  /// Pages in front that no key leads back to: how they were loaded, the nearest last.
  var passed = RingBuffer<PageRecord>()
  private(set) var hasForgottenFront = false
  /// What was read again of them, while it is not known to adjoin the loaded pages.
  var readBack: ReadBack?
  /// The number of the load that brought the first page, empty or not; 0 before it came.
  private(set) var firstLoad: UInt64 = 0

  var prepend = Edge()
  var append = Edge()
  /// Rises with everything that a screen would see.
  var revision: UInt64 = 0

  /// How many pages in front are remembered by the keys that loaded them.
  static var passedLimit: Int { 1000 }

  init(
    number: UInt64, config: PagingConfig, access: any RowAccess, traits: SourceTraits = SourceTraits()
  ) {
    self.number = number
    self.config = config
    self.access = access
    self.traits = traits
    placeholders = Placeholders(isEnabled: config.placeholders)
  }

  subscript(side: EdgeSide) -> Edge {
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

  /// The ordinals of the loaded pages.
  var ordinals: Range<Int> { firstOrdinal..<firstOrdinal + pages.pageCount }

  private var lastOrdinal: Int { firstOrdinal + pages.pageCount - 1 }

  /// How many rows the page at one end has; nil where there is none.
  func rowsOfPage(at side: EdgeSide) -> Int? {
    guard pages.pageCount > 0 else { return nil }
    let leaf = pages.leaf(ofPage: side == .prepend ? 0 : pages.pageCount - 1)
    return leaf.run.sized(at: leaf.index).rows
  }

  // MARK: - Pages come

  /// What became of a page.
  struct Arrival {
    /// Rows that are new in the list.
    var shown: Int
    /// Rows that were there already.
    var duplicates: Int
    /// The page's key leads back to where the source has been.
    var closesCircle = false
    /// Pages that were read again don't lead to the rows that are there.
    var hasDrifted = false
  }

  /// The first page came.
  mutating func started(
    with page: OpaquePage, loadedBy params: OpaqueParams, at side: EdgeSide = .append
  ) -> Arrival {
    placeholders.started(with: page)
    total = page.total ?? total
    if firstLoad == 0 { firstLoad = params.load }
    let record = record(of: page, loadedBy: params)
    let admitted = admit(page, ordinal: 0, load: params.load)
    if let box = admitted.page {
      pages.append(box)
      records.append(record)
    }
    // A source that goes back from here says itself where its list begins.
    if record.previousKey != nil { hasForgottenFront = false }
    prepend.next = next(before: record)
    append.next = record.nextKey.map { .key($0) } ?? .end
    revision += 1
    return Arrival(
      shown: admitted.shown, duplicates: admitted.duplicates,
      closesCircle: closesCircle(page, loadedBy: params, at: side))
  }

  /// A page came at an edge.
  mutating func grew(
    _ side: EdgeSide, with page: OpaquePage, loadedBy params: OpaqueParams
  ) -> Arrival {
    guard pages.pageCount > 0 else { return grewFromNothing(side, with: page, loadedBy: params) }
    var record = record(of: page, loadedBy: params)
    total = page.total ?? total
    if side == .prepend, case .again = prepend.next {
      // The source gives no key that leads back from here, or the page would not have been read this way.
      record.previousKey = nil
      if page.total != nil { revision += 1 }
      return readAgain(page, record)
    }
    let ordinal = side == .prepend ? firstOrdinal - 1 : lastOrdinal + 1
    let admitted = admit(page, ordinal: ordinal, load: params.load)
    record.leftOut = admitted.leftOut(towards: side.opposite)
    switch side {
    case .prepend:
      if let box = admitted.page {
        prependPage(box, record)
      } else {
        records[0]?.previousKey = record.previousKey
      }
      prepend.next = next(before: record)
      placeholders.prepended(page, isEnd: prepend.isAtEnd)
    case .append:
      if let box = admitted.page {
        pages.append(box)
        records.append(record)
        shared.add(record.leftOut)
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

  mutating func prependPage(_ page: SizedPageNode, _ record: PageRecord) {
    pages.prepend(page)
    records.prepend(record)
    shared.add(record.leftOut)
    firstOrdinal -= 1
    firstCoordinate -= page.rows
  }

  mutating func placeholdersPrepended(_ page: OpaquePage, isEnd: Bool) { placeholders.prepended(page, isEnd: isEnd) }

  /// The first pages were empty: the edges lead on from nowhere.
  private mutating func grewFromNothing(
    _ side: EdgeSide, with page: OpaquePage, loadedBy params: OpaqueParams
  ) -> Arrival {
    let opposite = self[side.opposite].next
    if side == .prepend, case .again = prepend.next { passed.removeLast() }
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
      // They take the places of the placeholders in front, whose coordinates are below 0.
      firstCoordinate = -pages.rowCount
    }
    return arrival
  }

  private func key(of next: Edge.Next) -> OpaqueKey? {
    if case .key(let key) = next { key } else { nil }
  }

  private func record(of page: OpaquePage, loadedBy params: OpaqueParams) -> PageRecord {
    PageRecord(
      key: params.key, loadSize: params.loadSize, previousKey: page.previousKey, nextKey: page.nextKey,
      load: params.load)
  }

  /// What lies before a page: by its own key, or by the way that was come.
  private func next(before record: PageRecord) -> Edge.Next {
    if let key = record.previousKey { return .key(key) }
    return nextByTheWayBack
  }

  /// What lies in front, where no key of the source's leads back.
  var nextByTheWayBack: Edge.Next {
    if let last = passed.last { return .again(last) }
    return hasForgottenFront ? .outOfReach : .end
  }

  private mutating func closesCircle(
    _ page: OpaquePage, loadedBy params: OpaqueParams, at side: EdgeSide
  ) -> Bool {
    guard !traits.allowsRepeatedKeys else { return false }
    let next = side == .prepend ? page.previousKey : page.nextKey
    guard let next else { return false }
    return next == params.key || self[side].cycle.keyCame(next)
  }

  // MARK: - Identities

  struct Admitted {
    /// Nil where every row was there already.
    var page: SizedPageNode?
    var shown: Int { page?.rows ?? 0 }
    var duplicates = 0
    /// The hashes of rows that other pages show.
    var leftOut: [Int] = []

    func leftOut(towards side: EdgeSide) -> LeftOutRows? {
      leftOut.isEmpty ? nil : LeftOutRows(side: side, hashes: leftOut)
    }
  }

  /// Sorts out what is in the list already and indexes the rest.
  mutating func admit(_ page: OpaquePage, ordinal: Int, load: UInt64) -> Admitted {
    // Most pages are new to the last row: their hashes tell so, and no identity is looked at.
    let added = index.insertNew(page.hashes, ordinal: ordinal)
    guard added == page.count else { return admitSorted(page, ordinal: ordinal, from: added, load: load) }
    return Admitted(page: page.count == 0 ? nil : SizedPageNode(node: page.rows, rows: page.count))
  }

  /// Goes on from a row whose hash is in the list already.
  private mutating func admitSorted(
    _ page: OpaquePage, ordinal: Int, from start: Int, load: UInt64
  ) -> Admitted {
    var kept = Array(0..<start)
    // Where a later copy in the same page takes an earlier one's place: the offset that it was kept at, and its own.
    var replaced: [(keptAt: Int, by: Int)] = []
    var leftOut: [Int] = []
    for offset in start..<page.count {
      let hash = page.hashes[offset]
      let known = index.address(hash: hash) { address in
        let place = address.ordinal == ordinal ? (page.rows, kept[address.offset]) : (node(at: address), address.offset)
        return access.isSame(offset, in: page.rows, as: place.1, in: place.0)
      }
      guard let known else {
        index.insert(hash: hash, at: RowAddress(ordinal: ordinal, offset: kept.count))
        kept.append(offset)
        continue
      }
      if known.ordinal != ordinal { leftOut.append(hash) }
      guard config.duplicates == .replaceEarlier else { continue }
      if known.ordinal == ordinal {
        replaced.append((known.offset, offset))
      } else {
        replace(known, by: offset, of: page.rows)
        freshened(known, by: load)
      }
    }
    let duplicates = page.count - kept.count
    guard !kept.isEmpty else { return Admitted(duplicates: duplicates) }
    var rows = access.page(keeping: kept, of: page.rows)
    for (keptAt, offset) in replaced { rows = access.page(rows, replacing: keptAt, by: offset, of: page.rows) }
    return Admitted(page: SizedPageNode(node: rows, rows: kept.count), duplicates: duplicates, leftOut: leftOut)
  }

  /// Shows fresher copies of loaded rows in place. Costs the pages that hold them.
  ///
  /// - Parameter load: The number of the load that brought them; nil where none did.
  mutating func refreshed(_ page: OpaquePage, by load: UInt64? = nil) {
    for (offset, hash) in page.hashes.enumerated() {
      guard let address = address(of: OpaqueRow(page: page.rows, offset: offset, hash: hash)) else { continue }
      replace(address, by: offset, of: page.rows)
      if let load { freshened(address, by: load) }
    }
  }

  private mutating func replace(_ address: RowAddress, by offset: Int, of other: PageNode) {
    let fresher = access.page(node(at: address), replacing: address.offset, by: offset, of: other)
    pages.replace(
      pageAt: address.ordinal - firstOrdinal,
      with: SizedPageNode(node: fresher, rows: access.hashes(of: fresher).count))
    replacements += 1
    revision += 1
  }

  /// Notes that a later load has brought a row again.
  private mutating func freshened(_ address: RowAddress, by load: UInt64) {
    let position = address.ordinal - firstOrdinal
    guard var record = records[position] else { return }
    record.fresher = record.fresher ?? [:]
    record.fresher?[address.offset] = load
    records[position] = record
  }

  /// The number of the load that brought a row.
  func load(of address: RowAddress) -> UInt64 {
    guard let record = records[address.ordinal - firstOrdinal] else { return 0 }
    return record.fresher?[address.offset] ?? record.load
  }

  private func node(at address: RowAddress) -> PageNode { page(at: address.ordinal - firstOrdinal) }

  /// The page at a position, counted from the first loaded one.
  func page(at position: Int) -> PageNode {
    let leaf = pages.leaf(ofPage: position)
    return leaf.run.nodes[leaf.index]
  }

  /// Where a row of that identity is loaded.
  func address(of row: OpaqueRow) -> RowAddress? {
    index.address(hash: row.hash) {
      access.isSame($0.offset, in: node(at: $0), as: row.offset, in: row.page)
    }
  }

  /// Where a row is loaded that `isMatch` knows, of those with that hash.
  func address(hash: Int, where isMatch: (PageNode, _ offset: Int) -> Bool) -> RowAddress? {
    index.address(hash: hash) { isMatch(node(at: $0), $0.offset) }
  }

  /// The coordinate of a loaded row.
  func coordinate(of row: OpaqueRow) -> Int? { address(of: row).map { coordinate(at: $0) } }

  func coordinate(at address: RowAddress) -> Int {
    let leaf = pages.leaf(ofPage: address.ordinal - firstOrdinal)
    return firstCoordinate + leaf.rowsBefore + leaf.run.start(of: leaf.index) + address.offset
  }

  /// The loaded row at a coordinate.
  func row(at coordinate: Int) -> OpaqueRow? {
    guard let place = place(at: coordinate) else { return nil }
    return OpaqueRow(
      page: place.page, offset: place.offset, hash: access.hashes(of: place.page)[place.offset])
  }

  func place(at coordinate: Int) -> PageTreePlace? {
    loaded.contains(coordinate) ? pages.place(ofRow: coordinate - firstCoordinate) : nil
  }

  // MARK: - Pages go

  /// Lets go the page at one end, which then waits for a fresh report before it loads again.
  ///
  /// Rows of it that loaded pages brought, too, stay.
  ///
  /// - Returns: How many rows went.
  @discardableResult
  mutating func dropPage(at side: EdgeSide) -> Int {
    guard let page = side == .prepend ? pages.removeFirst() : pages.removeLast() else { return 0 }
    if side == .prepend { giveUpReadingBack() }
    var gone = side == .prepend ? records.removeFirst() : records.removeLast()
    shared.remove(gone?.leftOut)
    let ordinal = side == .prepend ? firstOrdinal : firstOrdinal + pages.pageCount
    if side == .prepend { firstOrdinal += 1 }
    let hashes = access.hashes(of: page.node)
    for (offset, hash) in hashes.enumerated() {
      index.remove(hash: hash, at: RowAddress(ordinal: ordinal, offset: offset))
    }
    let staying = pages.pageCount == 0 ? [] : hashes.indices.filter { shared.contains(hashes[$0], at: side) }
    let rows = page.rows - staying.count
    placeholders.dropped(rows, at: side)
    if !staying.isEmpty { handOver(staying, of: page.node, gone, at: side) }
    switch side {
    case .prepend:
      gone?.lastRow = hashes.last { !shared.contains($0, at: side) }
      firstCoordinate += rows
      if let gone, let edge = records.first {
        if edge.previousKey == nil { pass(gone) }
        prepend.next = next(before: edge)
      }
    case .append: append.next = records.last?.nextKey.map { .key($0) } ?? .end
    }
    self[side].rest(awaitingReport: true)
    // What was dropped will be read again, and may come in other pages: that is no circle.
    self[side].cycle = CycleGuard()
    revision += 1
    return rows
  }

  /// Puts rows of a page that has gone on the one that is at the edge now.
  private mutating func handOver(_ offsets: [Int], of page: PageNode, _ gone: PageRecord?, at side: EdgeSide) {
    let position = side == .prepend ? 0 : pages.pageCount - 1
    guard var record = records[position] else { return }
    let (edge, ordinal) = (self.page(at: position), firstOrdinal + position)
    let old = access.hashes(of: edge)
    let joined = access.joined(offsets, of: page, to: edge, at: side)
    for offset in old.indices { index.remove(hash: old[offset], at: RowAddress(ordinal: ordinal, offset: offset)) }
    for (offset, hash) in access.hashes(of: joined).enumerated() {
      index.insert(hash: hash, at: RowAddress(ordinal: ordinal, offset: offset))
    }
    record.tookRows(offsets, of: gone, after: side == .prepend ? 0 : old.count)
    records[position] = record
    pages.replace(pageAt: position, with: SizedPageNode(node: joined, rows: old.count + offsets.count))
    replacements += 1
  }

  /// Remembers a page in front that no key leads back to.
  mutating func pass(_ record: PageRecord) {
    if passed.count == Self.passedLimit {
      passed.removeFirst()
      hasForgottenFront = true
    }
    passed.append(record)
  }

  /// Notes that rows lie in front of the first page, though no key that is known leads to them.
  mutating func forgetFront() { hasForgottenFront = true }

  /// Whether rows lie in front of the page at a position that no key of the source's leads back to.
  func hasFrontOutOfReach(beforePageAt position: Int) -> Bool {
    guard records[position]?.previousKey == nil else { return false }
    return position > 0 || !passed.isEmpty || hasForgottenFront
  }

  /// Takes over the way back from the generation that this one replaces.
  ///
  /// A source that gave a key back from the page of that ordinal needs none: where it gives none any more, its list
  /// begins.
  mutating func inheritPassed(from old: Generation, before ordinal: Int) {
    guard old.records[ordinal - old.firstOrdinal]?.previousKey == nil else { return }
    var old = old
    old.giveUpReadingBack()
    passed = old.passed
    hasForgottenFront = old.hasForgottenFront
    for position in 0..<max(0, min(ordinal - old.firstOrdinal, old.records.count)) {
      guard var record = old.records[position] else { continue }
      record.lastRow = access.hashes(of: old.page(at: position)).last
      pass(record)
    }
  }
}

/// What the engine needs to know of a source.
struct SourceTraits: Sendable {
  var keyKind: KeyKind = .other
  var allowsRepeatedKeys = false
}
