import Synchronization

/// A source for a ranking, whose order changes while it is read, from a closure.
///
/// Within a generation nothing that was delivered comes again or moves: rows that the ranking lists anew come below, or
/// after a refresh, which starts a new session at the top of the list. A page that was let go and is read again brings
/// the rows it had, as far as the server still gives them, and no others.
///
/// There are two kinds. Where the server keeps a snapshot of the ranking for a while and names it, its name is the
/// session:
///
/// ```swift
/// let source = RankedPageSource<Post>(session: { params in
///   let reply = try await api.ranked(
///     session: params.key?.session, offset: params.key?.offset ?? 0, limit: params.loadSize)
///   let next = reply.nextOffset.map { RankedKey(session: reply.session, offset: $0) }
///   return Page(reply.posts, nextKey: next)
/// })
/// ```
///
/// Where it has none but takes a list of what to leave out, the source gives it that:
///
/// ```swift
/// let source = RankedPageSource<Post>(excluding: { shown, params in
///   try await api.recommended(excluding: shown, limit: params.loadSize)
/// })
/// ```
///
/// Memory: for each generation the last 5,000 IDs that it was given. Rows delivered before those may come again; where
/// they are still loaded, the pager drops them.
public struct RankedPageSource<Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  typealias Load = @Sendable (LoadParams<RankedKey>) async throws -> Page<RankedKey, Item>
  typealias LoadExcluding = @Sendable (_ shown: [Item.ID], LoadParams<RankedKey>) async throws -> [Item]

  enum Server: Sendable {
    case keepsSessions(Load)
    case takesExclusions(LoadExcluding)
  }

  let server: Server
  private let beginnings = RankedBeginnings<Item.ID>()

  /// How many pages of nothing but delivered rows one load passes over.
  private static var passedPages: Int { 8 }

  /// A source for a server that keeps sessions.
  ///
  /// Where `session` throws ``PagingError/cursorExpired`` for rows that weren't delivered yet, a new session is
  /// started, and its rows come below without those that were delivered. For rows that were let go the error is passed
  /// on, since another session can't give them in their place.
  ///
  /// - Parameter session: Starts a session where `params.key` is nil, and else loads the rows from `params.key.offset`
  ///   of its session on; the key decides, not `params.type`. Offset 0 of a session is its first page again.
  ///   ``Page/nextKey`` names the session and the next offset; ``Page/previousKey`` is not used. What
  ///   ``PageSource/load(_:)`` says holds for it.
  public init(session: @escaping @Sendable (_ params: LoadParams<RankedKey>) async throws -> Page<RankedKey, Item>) {
    server = .keepsSessions(session)
  }

  /// A source for a server that is told what to leave out.
  ///
  /// An answer with nothing new ends the list.
  ///
  /// - Parameter excluding: Loads the best `params.loadSize` rows that are not among `shown`: what this generation was
  ///   given, the latest last, at most about 5,000 IDs. `params.key` is nil for the first page; else its offset says
  ///   how many rows came before. What ``PageSource/load(_:)`` says holds for it.
  public init(
    excluding: @escaping @Sendable (_ shown: [Item.ID], _ params: LoadParams<RankedKey>) async throws -> [Item]
  ) {
    server = .takesExclusions(excluding)
  }

  /// Calls the closure, and leaves out of what it brings the rows that other pages have brought.
  ///
  /// A refresh starts a new session, unless its key names one or came with a page.
  ///
  /// - Throws: What the closure throws, and `CancellationError`.
  @concurrent public func load(_ params: LoadParams<RankedKey>) async throws -> Page<RankedKey, Item> {
    switch server {
    case .keepsSessions(let load): try await page(from: load, params)
    case .takesExclusions(let load): try await page(from: load, params)
    }
  }

  /// The start of a new session, where a ranking begins anew.
  public func refreshKey(for state: PagingState<RankedKey, Item>) -> RankedKey? { newStart }

  /// The start of a new session.
  public var recoveryKey: RankedKey? { newStart }

  /// ``KeyKind/cursor``.
  public var keyKind: KeyKind { .cursor }

  /// Names what the new generation will be given, so that its first page is told from those of others when it is read
  /// again.
  private var newStart: RankedKey { .start.belonging(to: RankedDelivery<Item.ID>()) }

  // MARK: - Where a load belongs

  private struct Place {
    let delivery: RankedDelivery<Item.ID>
    /// Nil: at the start of a session.
    let key: RankedKey?
    /// Whether a generation begins here: what was delivered counts no more once its first page is there.
    var begins = false

    /// What the page is remembered by.
    var page: RankedKey { key ?? .start }
    var known: DeliveredPages<Item.ID>.Page? { begins ? nil : delivery.page(at: page) }
  }

  /// Nil for a key in the midst of a list of which nothing is known.
  private func place(of params: LoadParams<RankedKey>) -> Place? {
    let given = params.key?.delivered?.object as? RankedDelivery<Item.ID>
    guard let key = params.key?.bare, key != .start else {
      guard params.type == .refresh else { return Place(delivery: given ?? beginnings.latest(), key: nil) }
      return Place(delivery: given ?? RankedDelivery(), key: nil, begins: true)
    }
    return given.map { Place(delivery: $0, key: key) }
  }

  /// Takes the rows that a load brought for a place, and gives those that it shows.
  private func take(
    _ items: [Item], at place: Place, of params: LoadParams<RankedKey>, _ page: DeliveredPages<Item.ID>.Page
  ) -> [Item] {
    if place.begins {
      place.delivery.reset()
      if params.key?.delivered == nil { beginnings.began(place.delivery) }
    }
    return place.delivery.take(items, at: place.page, page)
  }

  // MARK: - From a server that keeps sessions

  private func page(from load: Load, _ params: LoadParams<RankedKey>) async throws -> Page<RankedKey, Item> {
    let place = sessionPlace(of: params)
    let known = place.known
    var asked = params
    asked.key = known.map(\.asked) ?? place.key
    asked.loadSize = known?.size ?? params.loadSize
    var mayStartAgain = known == nil && place.key != nil
    var passed = 0
    while true {
      asked.type = asked.key == nil ? .refresh : .append
      let page: Page<RankedKey, Item>
      do {
        page = try await load(asked)
      } catch let error as PagingError where error.code == .cursorExpired && mayStartAgain {
        try Task.checkCancellation()
        mayStartAgain = false
        place.delivery.sessionEnded()
        asked.key = nil
        continue
      }
      try Task.checkCancellation()
      let next = known.map(\.next) ?? page.nextKey?.bare
      let origin = asked.key ?? page.nextKey.map { RankedKey(session: $0.session, offset: 0) }
      let items = take(
        page.items, at: place, of: params, DeliveredPages.Page(asked: origin, size: asked.loadSize, next: next))
      passed += 1
      let holdsNothingNew = known == nil && items.isEmpty && !page.items.isEmpty
      guard holdsNothingNew, passed < Self.passedPages, let next, next != asked.key else {
        return self.page(of: items, counted: page, next: next, place.delivery)
      }
      asked.key = next
    }
  }

  /// A server that keeps sessions can go on from a key of which nothing is known here, if it names one.
  private func sessionPlace(of params: LoadParams<RankedKey>) -> Place {
    if let place = place(of: params) { return place }
    let key = params.type == .refresh && params.key?.session == nil ? nil : params.key?.bare
    return Place(delivery: RankedDelivery(), key: key, begins: key == nil)
  }

  private func page(
    of items: [Item], counted: Page<RankedKey, Item>, next: RankedKey?, _ delivery: RankedDelivery<Item.ID>
  ) -> Page<RankedKey, Item> {
    let next = next?.belonging(to: delivery)
    // The counts of a session that is shown only in part say nothing about this list.
    if delivery.spansSessions { return Page(items, nextKey: next) }
    return Page(
      items, nextKey: next, itemsBefore: counted.itemsBefore, itemsAfter: counted.itemsAfter, total: counted.total)
  }

  // MARK: - From a server that takes exclusions

  private func page(from load: LoadExcluding, _ params: LoadParams<RankedKey>) async throws -> Page<RankedKey, Item> {
    let place: Place
    if let known = self.place(of: params) {
      place = known
    } else {
      // What was shown before this key is not known, so neither is what comes after it.
      guard params.type == .refresh else { throw PagingError.invalidated }
      place = Place(delivery: RankedDelivery(), key: nil, begins: true)
    }
    let known = place.known
    var asked = params
    asked.key = place.key
    asked.type = place.key == nil ? .refresh : .append
    asked.loadSize = known?.size ?? params.loadSize
    let loaded = try await load(place.begins ? [] : place.delivery.ids(outside: place.page), asked)
    try Task.checkCancellation()
    let items = take(
      loaded, at: place, of: params, DeliveredPages.Page(asked: asked.key, size: asked.loadSize, next: nil))
    let count = known?.ids.count ?? items.count
    let next = count == 0 ? nil : RankedKey(session: nil, offset: place.page.offset.offset(by: count))
    return Page(items, nextKey: next?.belonging(to: place.delivery))
  }
}
