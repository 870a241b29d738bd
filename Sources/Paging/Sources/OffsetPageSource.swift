/// A source for a server that gives rows by their offset, from a closure.
///
/// ```swift
/// let source = OffsetPageSource<Post>(overlap: 3) { range in
///   let reply = try await api.posts(offset: range.lowerBound, limit: range.count)
///   return PageSlice(reply.posts, total: reply.count)
/// }
/// ```
///
/// An offset is a position, and positions change. With `overlap: 0`, the default, the source does what offset paging
/// does everywhere: after a row was inserted above, the next page begins with a row that was there already; after one
/// was deleted above, the next page leaves one out, and nobody notices. A pager drops the repeats; nothing brings back
/// what was skipped, except a refresh.
///
/// With an overlap, each page is asked for together with so many rows that are held already. If they aren't where they
/// were, the source looks for them, up to three pages up and down, and reads on from where they are. However many rows
/// are inserted and deleted between any two requests, a row that is there throughout then comes exactly once, as long
/// as one of the overlap rows is left. Rows may move, too, as long as fewer overlap rows move than stay: so 3 is a good
/// overlap, and with 1 a row that moved looks like a list that did. A row that moves may itself come twice or not at
/// all. Where no overlap row is found, the load throws ``PagingError/Code/drifted``, and a pager refreshes around its
/// anchor.
///
/// A page that holds nothing but rows that came between the overlap rows leads back to these, and brings them again: a
/// pager leaves out what it has; who reads by hand and turns around there meets them twice.
///
/// Looking takes up to six more requests, and believes the best reply of them: if rows move and pages shift between
/// those requests, too, a row may rarely come twice.
///
/// Where the list ends is known from what the server says, in this order: ``PageSlice/hasMore``; ``PageSlice/total``,
/// when the rows up to here are that many; an empty reply. A short reply is not the end, since servers lower what they
/// are asked for; the next offset counts what came. A server that leaves rows out after it has cut the page should say
/// its total, or an empty page would end the list; a list so full of holes repeats rows without an overlap, and skips
/// none.
public struct OffsetPageSource<Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  private let overlap: Int
  private let loadSlice: @Sendable (Range<Int>) async throws -> PageSlice<Item>

  /// A source whose rows `load` brings.
  ///
  /// - Parameters:
  ///   - overlap: How many rows that are held already each page is asked for with, and how many IDs a key carries;
  ///     default 0: plain offset paging; below 0 counts as 0. It must be smaller than what the server gives at most.
  ///   - load: Is asked for rows `range` of the list, which is never empty and never begins below 0. Rows that are not
  ///     there are left out. What ``PageSource/load(_:)`` says holds for it.
  public init(
    overlap: Int = 0, load: @escaping @Sendable (_ range: Range<Int>) async throws -> PageSlice<Item>
  ) {
    self.overlap = max(0, overlap)
    loadSlice = load
  }

  /// Calls the closure, and makes the keys and counts of what it returns.
  ///
  /// A refresh reads on from its key's overlap rows like an append, and from its offset where they are nowhere near.
  /// One beyond the end of the list gives the last page.
  ///
  /// - Throws: ``PagingError/Code/drifted`` when an append or a prepend finds none of its overlap rows;
  ///   ``PagingError/Code/contradictoryConfig`` when the server gives fewer rows than the overlap has; what the closure
  ///   throws.
  @concurrent public func load(_ params: LoadParams<OffsetKey<Item.ID>>) async throws -> Page<OffsetKey<Item.ID>, Item>
  {
    let key = params.key ?? 0
    let size = max(1, params.loadSize)
    let place = min(max(0, key.offset), .max - 1)
    if params.type == .prepend, place == 0 { return Page([], nextKey: key) }
    if overlap > 0, !key.overlap.isEmpty, key.isThroughOverlap == true, params.type != .refresh {
      let reader = OverlapReader(key, readsUp: params.type == .append, carried: overlap, load: loadSlice)
      return try await reader.pageOfOverlap(at: place, size: size)
    }
    if overlap > 0, !key.overlap.isEmpty {
      let reader = OverlapReader(key, readsUp: params.type == .prepend, carried: overlap, load: loadSlice)
      do {
        return try await reader.page(at: place, size: size)
      } catch let error as PagingError where error.code == .drifted && params.type == .refresh {
        // What was beside the key is gone: its offset is the best that is left.
      }
    }
    switch params.type {
    case .refresh: return try await refreshed(at: place, size: size)
    case .append: return page(of: try await ask(place..<place.offset(by: size)))
    case .prepend: return try await pageBefore(place, size: size)
    }
  }

  /// A key whose page has the anchor in its middle, as far as the list reaches.
  public func refreshKey(for state: PagingState<OffsetKey<Item.ID>, Item>) -> OffsetKey<Item.ID>? {
    guard var row = state.anchorIndex, !state.pages.isEmpty else { return nil }
    var anchored = state.pages[0]
    for page in state.pages.dropFirst() where row >= anchored.items.count {
      row -= anchored.items.count
      anchored = page
    }
    return OffsetKey((anchored.itemsBefore ?? 0).offset(by: row).offset(by: -(state.config.initialLoadSize / 2)))
  }

  /// ``KeyKind/offset``.
  public var keyKind: KeyKind { .offset }

  /// The index itself; nil below zero.
  public func key(forIndex index: Int) -> OffsetKey<Item.ID>? {
    index >= 0 ? OffsetKey(index) : nil
  }

  // MARK: - By the offset alone

  private func ask(_ range: Range<Int>) async throws -> OffsetReply<Item> {
    try await .load(range, by: loadSlice)
  }

  private func refreshed(at place: Int, size: Int) async throws -> Page<OffsetKey<Item.ID>, Item> {
    var reply = try await ask(place..<place.offset(by: size))
    if try await isBeyondEnd(reply) {
      var step = size
      while reply.items.isEmpty, reply.start > 0 {
        let start = min(reply.start, reply.total ?? .max).offset(by: -step)
        reply = try await ask(start..<start.offset(by: size))
        step = step.offset(by: step)
      }
    }
    return page(of: reply)
  }

  /// Whether a reply is empty since the list ended before it, and not just there, as when a walk goes on at its end.
  private func isBeyondEnd(_ reply: OffsetReply<Item>) async throws -> Bool {
    guard reply.items.isEmpty, reply.start > 0, reply.hasMore != true else { return false }
    if let total = reply.total { return total < reply.start }
    return try await ask(reply.start - 1..<reply.start).items.isEmpty
  }

  /// The rows that end at a place, in one page whose last row is beside it.
  private func pageBefore(_ place: Int, size: Int) async throws -> Page<OffsetKey<Item.ID>, Item> {
    var reply = try await ask(place.offset(by: -size)..<place)
    if reply.isShort, !reply.items.isEmpty, reply.hasMore != false {
      // Rows between those that came and the place may be missing: so many as came are asked for right before it.
      reply = try await ask(place - reply.items.count..<place)
    }
    return page(of: reply, before: place)
  }

  private func page(of reply: OffsetReply<Item>, before place: Int? = nil) -> Page<OffsetKey<Item.ID>, Item> {
    // A server that ignores the limit gives rows that are held already.
    let items = place.map { Array(reply.items.prefix(max(0, $0 - reply.start))) } ?? reply.items
    let ids = items.map(\.id)
    // Where nothing came, the list may have shrunk to less than the place.
    let start = items.isEmpty ? min(reply.start, reply.total ?? .max) : reply.start
    // An empty reply in the middle of the list: all its rows were left out.
    let end = place ?? (items.isEmpty && reply.hasMore == true ? reply.asked.upperBound : reply.end)
    let goesOn = place != nil || (reply.hasMore ?? !items.isEmpty)
    return Page(
      items,
      previousKey: start > 0 ? OffsetKey(start, overlap: Array(ids.prefix(overlap))) : nil,
      nextKey: goesOn && end > start ? OffsetKey(end, overlap: Array(ids.suffix(overlap))) : nil,
      itemsBefore: start,
      itemsAfter: goesOn ? reply.total.map { max(0, $0 - end) } : 0,
      total: reply.total.map { .exact($0) })
  }
}
