import Paging
import Synchronization

/// A row as an app has it: a number, a text, a flag.
struct Row: Identifiable, Equatable, Sendable {
  var id: Int
  var text: String
  var isRead = false
}

/// A source over a list that can be changed, and that answers at once.
final class ListSource: PageSource {
  private let rows: Mutex<[Row]>
  private let pageSize: Int

  init(_ rows: [Row], pageSize: Int = 20) {
    self.rows = Mutex(rows)
    self.pageSize = pageSize
  }

  func replace(_ rows: [Row]) { self.rows.withLock { $0 = rows } }

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> {
    rows.withLock { rows in
      let start = params.key ?? 0
      let end = min(start + pageSize, rows.count)
      return Page(Array(rows[start..<end]), nextKey: end < rows.count ? end : nil)
    }
  }
}

/// A source without an end to speak of, whose pages are made when they are asked for.
struct CountingSource: PageSource {
  var count: Int

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> {
    let start = params.key ?? 0
    let end = min(start + 20, count)
    return Page((start..<end).map { Row(id: $0, text: "row") }, nextKey: end < count ? end : nil)
  }
}

enum Fixtures {
  static func rows(_ count: Int) -> [Row] { (0..<count).map { Row(id: $0, text: "row \($0)") } }

  /// Pages of 20 rows that come one at a time, when they are asked for.
  static let config = PagingConfig(pageSize: 20, prefetchDistance: 0, initialLoadSize: 20)

  /// Loads until so many rows are there.
  static func fill<Key>(_ pager: Pager<Key, Row>, to count: Int) async throws {
    if pager.snapshot.isEmpty { try await pager.load(.refresh).finished() }
    while pager.snapshot.items.count < count, !pager.snapshot.states.append.isAtEnd {
      try await pager.load(.append).finished()
    }
  }
}
