import Paging
import PagingTesting
import Synchronization

/// A place in a list that is sorted by time and, where times tie, by ID.
enum RowPlace: Hashable, Sendable {
  case after(timestamp: Int, id: Int)
  case before(timestamp: Int, id: Int)
}

/// A source by sort key, which goes both ways and refuses a key that no row has.
struct KeysetLikeSource: PageSource {
  private let rows: [SampleItem]

  init(count: Int) {
    // Newest first; four rows share each time.
    rows = (0..<count).map { SampleItem(id: $0, timestamp: 1_000 - $0 / 4) }
  }

  @concurrent func load(_ params: LoadParams<RowPlace>) async throws -> Page<RowPlace, SampleItem> {
    let range: Range<Int>
    switch params.key {
    case nil: range = 0..<min(rows.count, params.loadSize)
    case .after(let timestamp, let id):
      let start = try place(timestamp, id) + 1
      range = start..<min(rows.count, start + params.loadSize)
    case .before(let timestamp, let id):
      let end = try place(timestamp, id)
      range = max(0, end - params.loadSize)..<end
    }
    guard let first = rows[range].first, let last = rows[range].last else { return Page([]) }
    return Page(
      Array(rows[range]),
      previousKey: range.lowerBound > 0 ? .before(timestamp: first.timestamp, id: first.id) : nil,
      nextKey: range.upperBound < rows.count ? .after(timestamp: last.timestamp, id: last.id) : nil)
  }

  var keyKind: KeyKind { .keyset }

  private func place(_ timestamp: Int, _ id: Int) throws -> Int {
    guard let index = rows.firstIndex(where: { $0.timestamp == timestamp && $0.id == id }) else {
      throw PagingError(.invalidKey)
    }
    return index
  }
}

/// A source that starts in the middle of its list, as a chat does at the first unread message.
struct UnreadSource: PageSource {
  private let base = ArrayPageSource((0..<40).map { Number(id: $0) })

  @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, Number> {
    var params = params
    if params.key == nil { params.key = 23 }
    return try await base.load(params)
  }
}

/// A source with an isolation of its own.
actor IsolatedSource: PageSource {
  private let base = HundredSource(count: 33)
  private(set) var loads = 0

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Number> {
    loads += 1
    return try await base.load(params)
  }
}

/// What a session has not delivered yet, the same key each time.
final class SessionSource: PageSource {
  private let left = Mutex(Array(0..<30))

  @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, Number> {
    left.withLock { left in
      let ids = left.prefix(params.loadSize)
      left.removeFirst(ids.count)
      return Page(ids.map { Number(id: $0) }, nextKey: left.isEmpty ? nil : 1)
    }
  }

  var allowsRepeatedKeys: Bool { true }
}

/// Pages by number, from a server that says how many rows there are.
func numberedSource(count: Int) -> NumberedPageSource<Number> {
  NumberedPageSource { params in
    let start = ((params.key ?? 1) - 1) * params.loadSize
    let rows = start < count ? (start..<min(count, start + params.loadSize)).map { Number(id: $0) } : []
    return PageSlice(rows, total: count)
  }
}

/// Cursors that only go forward, a server that caps pages at seven rows, and now and then an empty page.
func cursorSource(count: Int) -> CursorPageSource<String, Number> {
  CursorPageSource { params in
    let start =
      try params.key.map { key in
        guard let start = Int(key.dropFirst()), key.hasPrefix("c") else { throw PagingError(.invalidKey) }
        return start
      } ?? 0
    if start == 14, params.key == "c14" { return Page([], nextKey: "c014") }
    let end = min(count, start + min(7, params.loadSize), start < 14 ? 14 : .max)
    return Page((start..<end).map { Number(id: $0) }, nextKey: end < count ? "c\(end)" : nil)
  }
}
