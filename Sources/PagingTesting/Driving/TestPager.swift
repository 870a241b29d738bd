public import Paging

/// Drives one page source page by page, with no engine around it: for the tests of a source.
///
/// ```swift
/// var pager = TestPager(source, config: PagingConfig(pageSize: 3, initialLoadSize: 5))
/// try await pager.refresh(from: 20)
/// try await pager.append()
/// #expect(pager.items.map(\.id) == Array(20..<28))
/// ```
///
/// Nothing loads but what is asked for, and nothing is changed about what comes: duplicates stay, empty pages are kept
/// and returned. Whatever the source throws is thrown on, and leaves the pages as they were. Calls are made one after
/// the other, since each has the pager to itself.
public struct TestPager<Source: PageSource>: ~Copyable {
  /// A page of the source.
  public typealias SourcePage = Page<Source.Key, Source.Item>

  /// A page with what was asked for.
  private struct Loaded {
    let params: LoadParams<Source.Key>
    var page: SourcePage
  }

  private let source: Source
  private let config: PagingConfig
  private var loaded: [Loaded]?
  /// How pages in front were loaded that no key leads back to, the nearest last.
  private var passed: [LoadParams<Source.Key>] = []
  /// The page that was loaded last, whichever way; nil before the first.
  public private(set) var lastLoadedPage: SourcePage?

  /// A driver of `source`, which loads nothing yet.
  ///
  /// - Parameters:
  ///   - source: What loads the pages.
  ///   - config: Sizes, the limit on what is held, and whether there are placeholders; the rest isn't used.
  public init(_ source: Source, config: PagingConfig = PagingConfig()) {
    self.source = source
    self.config = config
  }

  /// The pages that are held, in list order, as the source returned them; empty ones too.
  public var pages: [SourcePage] { loaded.map { $0.map(\.page) } ?? [] }

  /// The rows of all pages, in list order. Linear in the rows.
  public var items: [Source.Item] { pages.flatMap(\.items) }

  // MARK: - Loads

  /// Loads the first page, `initialLoadSize` rows long, or `pageSize` where keys are page numbers. All pages that were
  /// held are let go once it has come.
  ///
  /// - Parameter key: Where to start; nil: at the source's own start.
  /// - Returns: The page that came.
  /// - Throws: What the source throws.
  @discardableResult
  public mutating func refresh(from key: Source.Key? = nil) async throws -> SourcePage {
    let size = source.keyKind == .pageNumber ? config.pageSize : config.initialLoadSize
    let first = try await load(params(.refresh, key, size: size))
    loaded = [first]
    passed = []
    return first.page
  }

  /// Loads the page after the last one, then drops pages in front as far as `maxSize` asks.
  ///
  /// - Returns: The page that came; nil where the list ends.
  /// - Throws: What the source throws; ``TestPagerError`` before the first refresh.
  @discardableResult
  public mutating func append() async throws -> SourcePage? {
    let held = try held(before: "append")
    guard let key = held.last?.page.nextKey else { return nil }
    let next = try await load(params(.append, key, size: config.pageSize))
    loaded = held + [next]
    trim(awayFrom: .append)
    return next.page
  }

  /// Loads the page before the first one, then drops pages at the end as far as `maxSize` asks.
  ///
  /// A source that gives no previous keys is read back, after pages in front were dropped, by the keys that it was
  /// asked with before.
  ///
  /// - Returns: The page that came; nil where the list begins.
  /// - Throws: What the source throws; ``TestPagerError`` before the first refresh.
  @discardableResult
  public mutating func prepend() async throws -> SourcePage? {
    let held = try held(before: "prepend")
    let next: Loaded
    if let key = held.first?.page.previousKey {
      next = try await load(params(.prepend, key, size: config.pageSize))
    } else if let again = passed.last {
      next = try await load(params(.append, again.key, size: again.loadSize))
      passed.removeLast()
    } else {
      return nil
    }
    loaded = [next] + held
    trim(awayFrom: .prepend)
    return next.page
  }

  private func params(_ type: LoadType, _ key: Source.Key?, size: Int) -> LoadParams<Source.Key> {
    LoadParams(type, key: key, loadSize: size, placeholdersEnabled: config.placeholders)
  }

  private mutating func load(_ params: LoadParams<Source.Key>) async throws -> Loaded {
    let page = try await source.load(params)
    lastLoadedPage = page
    return Loaded(params: params, page: page)
  }

  private func held(before call: String) throws(TestPagerError) -> [Loaded] {
    guard let loaded else {
      throw TestPagerError(.notRefreshed, message: "Nothing was loaded before \(call)(); call refresh() first.")
    }
    return loaded
  }

  /// Drops pages at the other end than the one that just grew: never below two pages, nor so many that fewer than
  /// `prefetchDistance` rows stay beyond the new page.
  private mutating func trim(awayFrom grown: LoadType) {
    guard let maxSize = config.maxSize, var kept = loaded else { return }
    var rows = kept.reduce(0) { $0 + $1.page.items.count }
    let new = (grown == .append ? kept.last : kept.first)?.page.items.count ?? 0
    while kept.count > 2, rows > maxSize {
      guard let far = grown == .append ? kept.first : kept.last else { break }
      let size = far.page.items.count
      if rows - new - size < config.prefetchDistance { break }
      rows -= size
      if grown == .append {
        kept.removeFirst()
        if kept.first?.page.previousKey == nil { passed.append(far.params) }
      } else {
        kept.removeLast()
      }
    }
    loaded = kept
  }

  // MARK: - State

  /// What the source would be told at a refresh with that row on screen, to test its `refreshKey(for:)` with.
  ///
  /// - Parameter anchorIndex: The row's index among the loaded ones, as `PagingState.anchorIndex` counts; with
  ///   placeholders it may lie outside them, as far as the source's counts say that there are rows. Nil: no row.
  /// - Throws: ``TestPagerError`` before the first refresh, and for an index that no row has; the message gives the
  ///   range.
  public func state(anchorIndex: Int?) throws(TestPagerError) -> PagingState<Source.Key, Source.Item> {
    let held = try held(before: "state(anchorIndex:)")
    if let anchorIndex {
      let count = held.reduce(0) { $0 + $1.page.items.count }
      let before = config.placeholders ? max(0, held.first?.page.itemsBefore ?? 0) : 0
      let after = config.placeholders ? max(0, held.last?.page.itemsAfter ?? 0) : 0
      let (end, overflows) = count.addingReportingOverflow(after)
      let range = -before..<(overflows ? .max : end)
      guard range.contains(anchorIndex) else {
        let rows =
          range.isEmpty ? "there are no rows" : "the rows are \(range.lowerBound)...\(range.upperBound - 1)"
        throw TestPagerError(
          .anchorOutOfRange,
          message: "No row has the index \(anchorIndex): \(rows), counted from the first loaded one. "
            + (config.placeholders ? "" : "Placeholders are off, so only loaded rows count."))
      }
    }
    return PagingState(pages: pagesWithRows(of: held), anchorIndex: anchorIndex, config: config)
  }

  /// What the source would be told at a refresh with that item on screen.
  ///
  /// - Parameter id: The item; of several copies the first counts.
  /// - Throws: ``TestPagerError`` before the first refresh, and when the item is not loaded.
  public func state(anchoredAt id: Source.Item.ID) throws(TestPagerError) -> PagingState<Source.Key, Source.Item> {
    let held = try held(before: "state(anchoredAt:)")
    guard let index = held.flatMap(\.page.items).firstIndex(where: { $0.id == id }) else {
      throw TestPagerError(
        .itemNotLoaded,
        message: "No loaded item has the ID \(id); load its page first with append() or prepend().")
    }
    return PagingState(pages: pagesWithRows(of: held), anchorIndex: index, config: config)
  }

  /// As the pager's engine hands them over: without empty pages, whose keys pass to the neighbour that led there.
  private func pagesWithRows(of held: [Loaded]) -> [SourcePage] {
    var pages: [SourcePage] = []
    var front: Source.Key??
    for page in held.map(\.page) {
      if page.items.isEmpty {
        if pages.isEmpty { front = front ?? .some(page.previousKey) }
        if let last = pages.indices.last { pages[last].nextKey = page.nextKey }
        continue
      }
      pages.append(page)
      if pages.count == 1, let front { pages[0].previousKey = front }
    }
    return pages
  }
}
