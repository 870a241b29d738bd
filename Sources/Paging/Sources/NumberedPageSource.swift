import Synchronization

/// A source for a server whose pages are numbered, from a closure.
///
/// ```swift
/// let source = NumberedPageSource<Post> { params in
///   let reply = try await api.posts(page: params.key, size: params.loadSize)
///   return PageSlice(reply.posts, total: reply.count)
/// }
/// ```
///
/// Where the list ends is known from what the server says, in this order: ``PageSlice/hasMore``; ``PageSlice/total``,
/// when the rows up to here are certainly that many; an empty page. A short page alone is not the end, since servers
/// cap the size that they are asked for, and a total that more rows have come than it says is not believed. So a server
/// that says neither, or too little, is asked for one page beyond its last; where it answers that with an error, the
/// closure should give an empty slice for it.
///
/// All pages must be of one size. Where rows come and go meanwhile, numbers repeat or skip some: a cursor doesn't.
public struct NumberedPageSource<Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  private let firstPage: Int
  private let loadSlice: @Sendable (LoadParams<Int>) async throws -> PageSlice<Item>
  private let servedSize = ServedSize()

  /// A source whose pages `load` brings.
  ///
  /// - Parameters:
  ///   - firstPage: The number of the first page; default 1.
  ///   - load: Loads the page with the number `params.key`, which is never nil here and never below `firstPage`. What
  ///     ``PageSource/load(_:)`` says holds for it.
  public init(
    firstPage: Int = 1, load: @escaping @Sendable (_ params: LoadParams<Int>) async throws -> PageSlice<Item>
  ) {
    self.firstPage = firstPage
    loadSlice = load
  }

  /// Calls the closure, and makes the keys and counts of what it returns.
  @concurrent public func load(_ params: LoadParams<Int>) async throws -> Page<Int, Item> {
    let number = max(firstPage, params.key ?? firstPage)
    var numbered = params
    numbered.key = number
    let slice = try await loadSlice(numbered)
    let count = slice.items.count
    let size = servedSize.pageCame(asked: params.loadSize, count: count)
    let total = slice.total.flatMap { $0 < 0 ? nil : $0 }
    let before = rowsBefore(number, size: size)

    let seen = before?.addingReportingOverflow(count)
    // More rows than the total says: it is wrong, and ends the list only together with a page that is known to be
    // short.
    let isDisproved = if let seen, let total { !seen.overflow && seen.partialValue > total } else { false }
    let reachesTotal = if let seen, let total { seen.overflow || seen.partialValue >= total } else { false }
    let endsByTotal = reachesTotal && (!isDisproved || size > count)
    let hasMore = slice.hasMore ?? !(count == 0 || endsByTotal)
    // A size that only this page speaks for is good enough to go on by, not to show placeholders by.
    let isPlaced = number == firstPage || count >= params.loadSize || size > count
    let after =
      if let seen, let total, isPlaced, !seen.overflow { max(0, total - seen.partialValue) } else { Int?.none }
    return Page(
      slice.items,
      previousKey: number > firstPage ? number - 1 : nil,
      nextKey: hasMore && number < .max ? number + 1 : nil,
      itemsBefore: isPlaced ? before : nil,
      itemsAfter: hasMore ? after : 0,
      total: total.map { isDisproved ? .atLeast(seen?.partialValue ?? $0) : .exact($0) })
  }

  /// ``KeyKind/pageNumber``.
  public var keyKind: KeyKind { .pageNumber }

  private func rowsBefore(_ number: Int, size: Int) -> Int? {
    let (pages, overflows) = number.subtractingReportingOverflow(firstPage)
    let (rows, alsoOverflows) = pages.multipliedReportingOverflow(by: size)
    return overflows || alsoOverflows ? nil : rows
  }
}

/// How many rows the server puts on a page: what it was asked for, or fewer where it has a cap of its own.
///
/// Without this the last page, which is short, would look like one of a server that caps, and the page after it would
/// be asked for. It holds two numbers, of the size that was asked for last.
private final class ServedSize: Sendable {
  private let longest = Mutex((asked: 0, count: 0))

  /// The longest page so far with that size, this one included, and no more than was asked for: at most the true size.
  func pageCame(asked: Int, count: Int) -> Int {
    longest.withLock { longest in
      if longest.asked != asked { longest = (asked, 0) }
      longest.count = max(longest.count, min(count, asked))
      return longest.count
    }
  }
}
