/// Which rows a ranked list has delivered in one generation, page by page.
///
/// A row belongs to the page that brought it first. A page that is read again brings its own rows, in their order, and
/// no others; a new one brings rows that no page has brought. Memory: the last ``limit`` IDs, of which whole pages are
/// forgotten, the oldest first; a single page is kept whatever its length.
struct DeliveredPages<ID: Hashable & Sendable> {
  /// How many IDs are kept.
  static var limit: Int { 5_000 }

  struct Page: Sendable {
    /// What the server was asked with; nil: for a new session.
    let asked: RankedKey?
    let size: Int
    let next: RankedKey?
    fileprivate(set) var ids: [ID] = []
  }

  private var pages: [RankedKey: Page] = [:]
  private var order = RingBuffer<RankedKey>()
  private var owners: [ID: RankedKey] = [:]

  /// What the page of a key brought; nil: it was never loaded, or is forgotten.
  func page(at key: RankedKey) -> Page? { pages[key] }

  /// The IDs that other pages brought, the latest last. Costs one step for each.
  func ids(outside key: RankedKey) -> [ID] {
    var ids: [ID] = []
    ids.reserveCapacity(owners.count)
    for position in 0..<order.count {
      guard let other = order[position], other != key, let page = pages[other] else { continue }
      ids += page.ids
    }
    return ids
  }

  /// Takes the rows that a load brought.
  ///
  /// - Returns: Which of them the page shows, as indices of `ids`, in the order in which it shows them.
  mutating func take(_ ids: [ID], at key: RankedKey, _ page: Page) -> [Int] {
    if let known = pages[key] {
      let places = Dictionary(zip(ids, ids.indices)) { first, _ in first }
      return known.ids.compactMap { places[$0] }
    }
    var new = page
    var kept: [Int] = []
    for (index, id) in ids.enumerated() where owners[id] == nil {
      owners[id] = key
      new.ids.append(id)
      kept.append(index)
    }
    // A page that brought nothing is not known: it may bring something another time.
    guard !kept.isEmpty else { return [] }
    pages[key] = new
    order.append(key)
    while owners.count > Self.limit, order.count > 1, let oldest = order.removeFirst() {
      for id in pages.removeValue(forKey: oldest)?.ids ?? [] { owners[id] = nil }
    }
    return kept
  }
}

extension DeliveredPages.Page {
  init(asked: RankedKey?, size: Int, next: RankedKey?) {
    self.init(asked: asked, size: size, next: next, ids: [])
  }
}
