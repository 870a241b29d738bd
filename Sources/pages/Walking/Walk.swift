import Paging
import PagingHTTP

/// One walk over a list: loads page after page, writes each page's new rows, and knows where it stands.
struct Walk {
  /// How it ended.
  enum End {
    /// The list is at its end, or as much of it was written as was asked for.
    case done
    /// The list can't be the whole one: its first reply says that it goes on, in another way.
    case goesOn(RemoteList.Lead)
    /// The reader of the rows went away.
    case readerLeft
    /// A page did not come, or could not be written. All rows of the pages before it are written.
    case failed(any Error)
  }

  /// How much is asked for.
  struct Limits {
    var items: Int?
    var pages: Int?
  }

  /// How many rows were written.
  private(set) var rows = 0
  /// How many pages came.
  private(set) var pages = 0
  /// The key of the page that comes next, where the walk has not reached the end.
  private(set) var resumeKey: HTTPPageKey?

  private let list: RemoteList
  private let writer: RowWriter
  private let notes: Notes
  private var filter = RepeatFilter()
  /// The rows of the page before, where a server may give the same page for ever.
  private var lastLines: [[UInt8]] = []

  init(_ list: RemoteList, to writer: RowWriter, notes: Notes) {
    self.list = list
    self.writer = writer
    self.notes = notes
  }

  /// How many rows were left out since they had come before.
  var repeats: Int { filter.repeats }

  /// Walks from `key` on. Ends early, by ``End/failed(_:)`` with a `CancellationError`, when its task is cancelled.
  mutating func run(from key: HTTPPageKey?, pageSize: Int, limits: Limits) async -> End {
    let clock = ContinuousClock()
    let start = clock.now
    resumeKey = key
    var walk = Tracing.walked(list.source).pages(from: key, pageSize: pageSize, maxPages: limits.pages)
      .makeAsyncIterator()
    if limits.items == 0 { return .done }
    do {
      while let page = try await walk.next() {
        if isCountedInVain(page.items) { return .failed(SamePageAgain()) }
        pages += 1
        let isWhole = try write(page.items, atMost: limits.items.map { $0 - rows })
        // Of a page that was cut off, going on gives the written rows again, and so loses none.
        if isWhole { resumeKey = page.nextKey }
        let seconds = max(0.001, (clock.now - start) / .seconds(1))
        notes.progress("\(grouped(rows)) rows, \(grouped(pages)) pages, \(grouped(Int(Double(rows) / seconds))) rows/s")
        if pages == 1 {
          if page.nextKey != nil { tellConvention() } else if let lead = list.unusedLead { return .goesOn(lead) }
        }
        if let items = limits.items, rows >= items { return .done }
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

  /// Writes what is new of `items`, at most `limit` rows; returns whether it got to the end of them.
  private mutating func write(_ items: [RawRow], atMost limit: Int?) throws(WriteFailure) -> Bool {
    var new: [RawRow] = []
    new.reserveCapacity(items.count)
    var isWhole = true
    for item in items {
      if let limit, new.count >= limit {
        isWhole = false
        break
      }
      if filter.isNew(item.id) { new.append(item) }
    }
    try writer.write(new)
    rows += new.count
    return isWhole
  }

  /// Whether a server whose pages are counted gives the page that it gave before, since it does not know the parameter that
  /// was guessed.
  private mutating func isCountedInVain(_ items: [RawRow]) -> Bool {
    guard !items.isEmpty, list.found?.isNumbered == true else { return false }
    let lines = items.map(\.line)
    defer { lastLines = lines }
    return lines == lastLines
  }

  private func tellConvention() {
    guard let found = list.found else { return }
    notes.detail("pages lead on by \(found.kind.rawValue): \(printable(found.reason))")
  }
}

/// A page came twice, where how the list pages was guessed from its first reply.
struct SamePageAgain: Error, CustomStringConvertible {
  let description =
    "the server gave the same page again, so it pages in another way than its first reply looks like; --convention names it."
}
