import Paging
import PagingHTTP

/// One walk over a list: loads page after page, has each kept, and knows where it stands.
struct Walk {
  /// How it ended.
  enum End {
    /// The list is at its end, or as much of it was kept as was asked for.
    case done
    /// The list can't be the whole one: its first reply says that it goes on, in another way.
    case goesOn(RemoteList.Lead)
    /// The reader of the rows went away.
    case readerLeft
    /// A page did not come, or could not be kept. All rows of the pages before it are.
    case failed(any Error)
  }

  /// How much is asked for.
  struct Limits {
    var items: Int?
    var pages: Int?
  }

  /// How many rows were kept that had not come lately.
  private(set) var rows = 0
  /// How many pages came.
  private(set) var pages = 0
  /// The key of the page that comes next, where the walk has not reached the end.
  private(set) var resumeKey: HTTPPageKey?
  /// Whether all rows came in one reply that says nothing of others, of a list of which nothing was known.
  private(set) var isOneReply = false

  private let list: RemoteList
  private var sink: any WalkSink
  private let notes: Notes
  private var filter = RepeatFilter()
  /// The rows of the page before, where a server may give the same page for ever.
  private var lastLines: [[UInt8]] = []

  init(_ list: RemoteList, to sink: any WalkSink, notes: Notes) {
    self.list = list
    self.sink = sink
    self.notes = notes
  }

  /// How many rows were left out since they had come before.
  var repeats: Int { filter.repeats }

  /// Walks from `key` on. Ends early, by ``End/failed(_:)`` with a `CancellationError`, when its task is cancelled.
  mutating func run(from key: HTTPPageKey?, pageSize: Int, limits: Limits) async -> End {
    let clock = ContinuousClock()
    let start = clock.now
    resumeKey = key
    let source = Tracing.walked(list.source)
    var walk = source.pages(from: key, pageSize: pageSize, maxPages: limits.pages).makeAsyncIterator()
    if limits.items == 0 { return .done }
    do {
      for row in try sink.lastRows { _ = filter.isNew(row.id) }
      filter.forgetCount()
      try sink.willLoad()
      while let page = try await walk.next() {
        if cameBefore(page.items) {
          guard pages == 1, let other = try await otherKey(pageSize) else { return .failed(SamePageAgain(list.found)) }
          resumeKey = other
          walk = source.pages(from: other, pageSize: pageSize, maxPages: limits.pages.map { $0 - pages })
            .makeAsyncIterator()
          continue
        }
        let isFirst = pages == 0
        let isStart = isFirst && key == nil
        let lead =
          page.nextKey == nil ? list.lead(on: page.items.count, isFirst: isFirst, isStart: isStart) : nil
        let walked = walked(page, isEnd: page.nextKey == nil && lead == nil, atMost: limits.items.map { $0 - rows })
        try await sink.take(walked)
        pages += 1
        rows += walked.new.count
        // Of a page that was cut off, going on gives the kept rows again, and so loses none.
        if walked.isWhole { resumeKey = page.nextKey }
        let seconds = max(0.001, (clock.now - start) / .seconds(1))
        notes.progress(
          "\(counted(rows, "row")), \(counted(pages, "page")), \(grouped(Int(Double(rows) / seconds))) rows/s")
        if let lead { return .goesOn(lead) }
        if isFirst, page.nextKey != nil { tellConvention() }
        isOneReply = isStart && page.nextKey == nil && walked.isWhole && rows > 0 && list.isOneReply
        if walked.isEnd, walked.isWhole { try sink.finish() }
        if let items = limits.items, rows >= items { return .done }
        if page.nextKey != nil { try sink.willLoad() }
      }
      return .done
    } catch let failure as PageWalkFailure<HTTPPageKey> {
      resumeKey = failure.resumeKey
      return .failed(failure.cause)
    } catch let failure as WriteFailure {
      return failure.readerLeft ? .readerLeft : .failed(failure)
    } catch {
      return .failed(error)
    }
  }

  /// What of a page is to be kept, with at most `limit` new rows.
  private mutating func walked(
    _ page: Page<HTTPPageKey, RawRow>, isEnd: Bool, atMost limit: Int?
  ) -> WalkedPage {
    var walked = WalkedPage(items: page.items, new: [], nextKey: page.nextKey, isEnd: isEnd)
    walked.new.reserveCapacity(page.items.count)
    let limit = sink.takesWholePages ? nil : limit
    for item in page.items {
      if let limit, walked.new.count >= limit {
        walked.isWhole = false
        break
      }
      if filter.isNew(item.id) { walked.new.append(item) }
    }
    return walked
  }

  /// Whether a server gives the page that it gave before, since it does not know the parameter that was guessed.
  private mutating func cameBefore(_ items: [RawRow]) -> Bool {
    guard !items.isEmpty, list.found?.parameterIsGuessed == true else { return false }
    let lines = items.map(\.line)
    defer { lastLines = lines }
    return lines == lastLines
  }

  /// A key under another parameter than the one that was guessed, which gives other rows than the first page's.
  private func otherKey(_ pageSize: Int) async throws -> HTTPPageKey? {
    let other = try await list.settleParameter(insteadOf: resumeKey) { key in
      do {
        let page = try await list.source.load(LoadParams(.append, key: key, loadSize: pageSize))
        return page.items.map(\.line).isMostly(unlike: lastLines)
      } catch let error as CancellationError {
        throw error
      } catch {
        // What isn't a parameter of this list may be refused.
        return false
      }
    }
    if other != nil { tellConvention() }
    return other
  }

  private func tellConvention() {
    guard let found = list.found else { return }
    notes.detail("pages lead on by \(found.kind.rawValue): \(printable(found.reason))")
  }
}

/// A page came twice, where how the list pages was guessed from its first reply.
struct SamePageAgain: Error, CustomStringConvertible {
  let description: String

  init(_ found: DetectedConvention?) {
    let way = found?.parameter.map { "by its parameter \"\(printable($0))\"" } ?? "by what its first reply looks like"
    description =
      "the server gave the same page again, so it does not page \(way): --param or --convention names another."
  }
}
