/// What stands next to a page on one side, for a separator between the two.
enum PageNeighbour<Item: Identifiable & Sendable> where Item.ID: Sendable {
  /// Nothing that concerns the page: what is there is not loaded, or the separator belongs to the other page.
  case unknown
  /// Nothing: the list is known to end here.
  case end
  /// The nearest page that holds rows.
  case page(PageBox<Item>)
}

/// What stands around a page.
struct PageNeighbours<Item: Identifiable & Sendable> where Item.ID: Sendable {
  var before = PageNeighbour<Item>.unknown
  var after = PageNeighbour<Item>.unknown
}

/// How one page becomes another. Values keep what must be known of the other pages, to keep identities apart.
protocol PageTransform<Input, Output>: Sendable {
  associatedtype Input: Identifiable & Sendable where Input.ID: Sendable
  associatedtype Output: Identifiable & Sendable where Output.ID: Sendable

  /// Whether rows may be left out, so that counts say nothing of the rows that stay.
  static var leavesRowsOut: Bool { get }
  /// Whether what becomes of a page depends on what stands around it.
  static var looksAround: Bool { get }

  /// What becomes of a page.
  ///
  /// - Parameters:
  ///   - source: The page.
  ///   - neighbours: What stands around it.
  ///   - old: What became of this very page before, when other pages stood around it; nil: it is new. Where nothing
  ///     differs, `old` itself is returned.
  ///   - pages: What became of the pages that are there.
  mutating func page(
    of source: PageBox<Input>, between neighbours: PageNeighbours<Input>, replacing old: PageBox<Output>?,
    among pages: PageSequence<Output>
  ) -> PageBox<Output>

  /// What a list shows that is known to have no pages at all; nil: nothing.
  mutating func pageOfEmptyList(replacing old: PageBox<Output>?) -> PageBox<Output>?

  /// A page went.
  mutating func forget(_ page: PageBox<Output>)
}

extension PageTransform {
  mutating func pageOfEmptyList(replacing old: PageBox<Output>?) -> PageBox<Output>? { nil }
}

// MARK: - Filter

/// Leaves rows out.
struct RowFilter<Item: Identifiable & Sendable>: PageTransform where Item.ID: Sendable {
  static var leavesRowsOut: Bool { true }
  static var looksAround: Bool { false }

  let isIncluded: @Sendable (Item) -> Bool

  func page(
    of source: PageBox<Item>, between neighbours: PageNeighbours<Item>, replacing old: PageBox<Item>?,
    among pages: PageSequence<Item>
  ) -> PageBox<Item> {
    var offsets: [Int] = []
    offsets.reserveCapacity(source.count)
    for (offset, item) in source.items.enumerated() where isIncluded(item) { offsets.append(offset) }
    // A page of which all rows stay is taken over as it is.
    if offsets.count == source.count { return source }
    return source.keeping(offsets)
  }

  func forget(_ page: PageBox<Item>) {}
}

extension PageBox {
  /// A page of some of the rows, which knows where they come from.
  fileprivate func keeping(_ offsets: [Int]) -> PageBox {
    PageBox(
      offsets.map { items[$0] }, hashes: offsets.map { hashes[$0] }, aliases: aliases(at: offsets),
      origin: PageOrigin(of: self, offsets: offsets, extras: extras(at: offsets)))
  }

  /// The aliases of the rows at `offsets`, by their places there.
  func aliases(at offsets: [Int]) -> [Int: Item.ID]? {
    guard let aliases else { return nil }
    let kept = offsets.enumerated().compactMap { place, offset in aliases[offset].map { (place, $0) } }
    return kept.isEmpty ? nil : Dictionary(uniqueKeysWithValues: kept)
  }

  /// Which of the rows at `offsets`, by their places there, stand for no row of the pager's.
  fileprivate func extras(at offsets: [Int]) -> [Int] {
    guard let extras = origin?.extras, !extras.isEmpty else { return [] }
    let all = Set(extras)
    return offsets.indices.filter { all.contains(offsets[$0]) }
  }
}

// MARK: - Map

/// Makes another row of each. Of several with one identity the first one that came is shown.
struct RowMap<Input: Identifiable & Sendable, Output: Identifiable & Sendable>: PageTransform
where Input.ID: Sendable, Output.ID: Sendable {
  static var leavesRowsOut: Bool { false }
  static var looksAround: Bool { false }

  let transform: @Sendable (Input) -> Output
  /// The identities of all rows that are shown; nil as long as every row kept the one that it had, which no two share.
  private var known: Set<Output.ID>?

  init(_ transform: @escaping @Sendable (Input) -> Output) {
    self.transform = transform
  }

  mutating func page(
    of source: PageBox<Input>, between neighbours: PageNeighbours<Input>, replacing old: PageBox<Output>?,
    among pages: PageSequence<Output>
  ) -> PageBox<Output> {
    let rows = source.items.map(transform)
    if known == nil {
      if keepsIdentities(of: source, rows) {
        return PageBox(
          rows, hashes: source.hashes, aliases: source.aliases as? [Int: Output.ID],
          origin: PageOrigin(of: source, extras: source.origin?.extras ?? []))
      }
      known = Set(pages.lazy.flatMap { $0.items.lazy.map(\.id) })
    }
    var offsets: [Int] = []
    offsets.reserveCapacity(rows.count)
    for (offset, row) in rows.enumerated() where known?.insert(row.id).inserted == true { offsets.append(offset) }
    let areAll = offsets.count == rows.count
    return PageBox(
      areAll ? rows : offsets.map { rows[$0] },
      origin: PageOrigin(of: source, offsets: areAll ? nil : offsets, extras: source.extras(at: offsets)))
  }

  private func keepsIdentities(of source: PageBox<Input>, _ rows: [Output]) -> Bool {
    guard Input.ID.self == Output.ID.self else { return false }
    // One cast for the whole page, which costs nothing where the types are the same.
    guard let ids = source.items.map(\.id) as? [Output.ID] else { return false }
    return rows.indices.allSatisfy { rows[$0].id == ids[$0] }
  }

  mutating func forget(_ page: PageBox<Output>) {
    guard known != nil else { return }
    for item in page.items { known?.remove(item.id) }
  }
}
