/// Reads on from rows that are held already, wherever they are by now.
///
/// A page is taken from one reply that has most of the overlap rows, so that whatever changes between two requests,
/// what is inside a page belongs together.
struct OverlapReader<Item: Identifiable & Sendable> where Item.ID: Sendable {
  let load: @Sendable (Range<Int>) async throws -> PageSlice<Item>
  /// Whether the rows in front are wanted.
  let readsUp: Bool
  /// The key's rows, in list order: those beside its place, and beyond them some that were not found when it was made.
  let held: [Item.ID]
  /// How many IDs the keys of a page carry.
  let carried: Int

  /// The rows beside the key's place, which tell where it is now; not empty.
  private let overlap: Set<Item.ID>
  private let known: Set<Item.ID>

  /// How many pages up and down the overlap rows are looked for.
  private static var reach: Int { 3 }
  /// How often a place that was found and had moved on by the next request is looked for again.
  private static var attempts: Int { 4 }

  init(
    _ key: OffsetKey<Item.ID>, readsUp: Bool, carried: Int,
    load: @escaping @Sendable (Range<Int>) async throws -> PageSlice<Item>
  ) {
    self.load = load
    self.readsUp = readsUp
    self.carried = carried
    held = key.overlap
    overlap = Set(readsUp ? key.overlap.prefix(carried) : key.overlap.suffix(carried))
    known = Set(key.overlap)
  }

  private typealias Finding = (reply: OffsetReply<Item>, match: OverlapMatch)

  /// The page beside the overlap rows.
  ///
  /// - Throws: ``PagingError/Code/drifted`` when they are nowhere near; ``PagingError/Code/contradictoryConfig`` when
  ///   nothing fits into a reply beside them; what the closure throws.
  func page(at offset: Int, size: Int) async throws -> Page<OffsetKey<Item.ID>, Item> {
    var search = OverlapSearch(place: max(0, offset), size: size, margin: overlap.count, readsUp: readsUp)
    var isSizeServed = false
    var limit: Int?
    for _ in 0..<Self.attempts {
      let first = try await OffsetReply.load(search.window(), by: load)
      var finding = finding(in: first)
      if finding?.match.isCertain != true {
        if !isSizeServed, let served = search.servedSize(first), served < search.size {
          (search.size, isSizeServed) = (served, true)
          // The rows that a lowered reply lacks are those at its end: the ones that lie beside this place.
          if readsUp { continue }
        }
        finding = try await lookAround(search, first: first, finding)
      }
      guard let (reply, match) = finding else {
        let isTight = first.hasMore == true && !first.items.isEmpty && search.isFilled(by: first)
        throw isTight ? Self.capped : Self.drifted
      }
      let isEnd = readsUp ? reply.start == 0 : reply.hasMore == false
      if !match.fresh.isEmpty || isEnd { return page(of: reply, match) }
      if search.isFilled(by: reply) {
        let beyond = readsUp ? nil : try await OffsetReply.load(reply.end..<reply.end.offset(by: search.size), by: load)
        if let beyond, let end = page(beyond: beyond) { return end }
        // Rows that came just now, or the server gives no more at a time.
        limit = max(reply.items.count, beyond?.items.count ?? 0)
      }
      search.goOn(from: reply, match)
    }
    if let limit, try await OffsetReply.load(0..<limit + 1, by: load).items.count <= limit { throw Self.capped }
    throw Self.drifted
  }

  /// The page that ends at the key's place with the overlap rows, or begins there with them if these are read up from.
  ///
  /// - Throws: ``PagingError/Code/drifted`` when they are nowhere near; what the closure throws.
  func pageOfOverlap(at offset: Int, size: Int) async throws -> Page<OffsetKey<Item.ID>, Item> {
    var search = OverlapSearch(place: max(0, offset), size: size, margin: overlap.count, readsUp: readsUp)
    var first = try await OffsetReply.load(search.window(), by: load)
    if readsUp, let served = search.servedSize(first), served < search.size {
      search.size = served
      first = try await OffsetReply.load(search.window(), by: load)
    }
    var finding = finding(in: first)
    if finding?.match.isCertain != true { finding = try await lookAround(search, first: first, finding) }
    guard let (reply, match) = finding else { throw Self.drifted }
    let rows = readsUp ? match.spread.lowerBound..<reply.items.count : 0..<match.spread.upperBound
    let ids = reply.items[rows].map(\.id)
    let (start, end) = (reply.start.offset(by: rows.lowerBound), reply.start.offset(by: rows.upperBound))
    let isEnd = rows.upperBound == reply.items.count && reply.hasMore == false
    return Page(
      Array(reply.items[rows]),
      previousKey: start == 0 ? nil : OffsetKey(start, overlap: Array(ids.prefix(carried))),
      nextKey: isEnd ? nil : OffsetKey(end, overlap: Array(ids.suffix(carried))),
      itemsBefore: start, itemsAfter: reply.total.map { max(0, $0 - end) }, total: reply.total.map { .exact($0) })
  }

  // MARK: - Looking

  private func finding(in reply: OffsetReply<Item>) -> Finding? {
    let goesOn = readsUp ? reply.start > 0 : reply.hasMore != false
    return OverlapMatch(reply.items.map(\.id), overlap: overlap, held: known, readsUp: readsUp, goesOn: goesOn).map {
      (reply, $0)
    }
  }

  /// The reply that shows for certain where the overlap rows are, of those up to three pages up and down; else the
  /// nearest that has most of them.
  private func lookAround(
    _ search: OverlapSearch, first: OffsetReply<Item>, _ found: Finding?
  ) async throws -> Finding? {
    var best = found
    var highest = first.start
    var isBelowOver = first.items.isEmpty || first.hasMore == false
    for distance in 1...Self.reach {
      // What comes and goes above pushes the rows out of a window on this side first.
      for isAbove in [!readsUp, readsUp] {
        if isAbove ? highest == 0 : isBelowOver { continue }
        let window = search.window(pagesDown: isAbove ? -distance : distance)
        let reply = try await OffsetReply.load(window, by: load)
        if isAbove { highest = reply.start } else { isBelowOver = reply.items.isEmpty || reply.hasMore == false }
        guard let finding = finding(in: reply) else { continue }
        if finding.match.isComplete { return finding }
        if finding.match.found > best?.match.found ?? 0 { best = finding }
      }
    }
    return best
  }

  // MARK: - What was found

  private func page(of reply: OffsetReply<Item>, _ match: OverlapMatch) -> Page<OffsetKey<Item.ID>, Item> {
    let ids = reply.items.map(\.id)
    let fresh = Set(match.fresh)
    let held = ids.indices.filter { known.contains(ids[$0]) || fresh.contains($0) }.map { ids[$0] }
    // Rows that came between overlap rows stand on this page, after those: the way back starts where none is left.
    let clear = match.fresh.filter { readsUp ? $0 < match.spread.lowerBound : $0 >= match.spread.upperBound }
    let inner = clear.isEmpty ? match.fresh : clear
    // Where these are the whole page, the way back starts beyond all overlap rows, which it brings again: some of them
    // lie in the list behind rows of the page.
    let back: OffsetKey<Item.ID>?
    if clear.isEmpty, !match.fresh.isEmpty {
      let place = readsUp ? reply.start : reply.end
      let rows = Array(readsUp ? held.prefix(carried) : held.suffix(carried))
      back = OffsetKey(through: rows, to: place)
    } else {
      back = nil
    }
    if readsUp {
      let end = reply.start.offset(by: inner.last.map { $0 + 1 } ?? 0)
      return Page(
        match.fresh.map { reply.items[$0] },
        previousKey: reply.start == 0 ? nil : OffsetKey(reply.start, overlap: held.prefix(carried) + missing(in: ids)),
        nextKey: back ?? OffsetKey(end, overlap: inner.suffix(carried).map { ids[$0] }),
        itemsBefore: reply.start, itemsAfter: reply.total.map { max(0, $0 - end) },
        total: reply.total.map { .exact($0) })
    }
    let start = reply.start.offset(by: inner.first ?? ids.count)
    return Page(
      match.fresh.map { reply.items[$0] },
      previousKey: back ?? (start == 0 ? nil : OffsetKey(start, overlap: inner.prefix(carried).map { ids[$0] })),
      nextKey: reply.hasMore == false
        ? nil : OffsetKey(reply.end, overlap: missing(in: ids) + held.suffix(carried)),
      itemsBefore: reply.start.offset(by: match.fresh.first ?? ids.count), itemsAfter: reply.itemsAfter,
      total: reply.total.map { .exact($0) })
  }

  /// Rows of the key that the reply lacks: pushed on by rows that came between them, they would come once more.
  private func missing(in ids: [Item.ID]) -> [Item.ID] {
    let found = Set(ids)
    let missing = held.filter { !found.contains($0) }
    return Array(readsUp ? missing.prefix(carried) : missing.suffix(carried))
  }

  /// What comes where a reply had nothing behind the overlap rows, though the server did not call it the end.
  ///
  /// - Returns: The end, or where to go on; nil when rows are there after all.
  private func page(beyond: OffsetReply<Item>) -> Page<OffsetKey<Item.ID>, Item>? {
    guard beyond.items.isEmpty else { return nil }
    let place = beyond.start
    let goesOn = beyond.hasMore == true && beyond.asked.upperBound > place
    return Page(
      [],
      previousKey: place == 0 ? nil : OffsetKey(place),
      nextKey: goesOn ? OffsetKey(beyond.asked.upperBound) : nil,
      itemsBefore: place,
      itemsAfter: goesOn ? beyond.itemsAfter : 0,
      total: beyond.total.map { .exact($0) })
  }

  private static var capped: PagingError {
    PagingError(
      .contradictoryConfig,
      message:
        "The server gives no more rows in one reply than the source's overlap has, so no new ones fit beside them. "
        + "Lower the overlap.")
  }

  private static var drifted: PagingError {
    PagingError(
      .drifted,
      message:
        "Rows that were loaded are no longer within three pages of where they were, so where to read on is unknown. "
        + "A pager refreshes around its anchor by itself; elsewhere start again.")
  }
}
