import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import TestSupport
import Testing

/// A row of the feed, however its server writes it.
struct FeedRow: Identifiable, Hashable, Sendable {
  let id: Int
}

/// What knows the number of a row.
protocol Numbered: Identifiable, Sendable where ID: Sendable {
  var number: Int { get }
}

/// `{"id": 7}`.
struct PlainRow: Numbered, Decodable {
  var id: Int
  var number: Int { id }
}

/// One way to page of one server.
struct FeedStyle: PageSource, CustomTestStringConvertible {
  /// How rows that come and go while the list is read show.
  enum Drift {
    /// No row repeats, and none that is there throughout is missed.
    case none
    /// Two that come in at the top repeat two, two that go there miss two.
    case shifts
  }

  let name: String
  let drift: Drift
  /// The largest page, where the server cuts silently; nil: it refuses.
  let cap: Int?
  /// How many pages 200 rows are in pages of 100: two, or three where only an empty page ends the list.
  let pagesOf200: Int
  /// Whether the list begins with row 1, not with the newest.
  let isOldestFirst: Bool
  /// Whether the first page says how many rows there are.
  let hasTotal: Bool
  private let loadPage: @Sendable (LoadParams<HTTPPageKey>) async throws -> Page<HTTPPageKey, FeedRow>

  init<Source: PageSource<HTTPPageKey, Item>, Item: Numbered>(
    _ name: String, _ source: Source, drift: Drift, cap: Int?, pagesOf200: Int = 2, isOldestFirst: Bool = false,
    hasTotal: Bool
  ) {
    self.name = name
    self.drift = drift
    self.cap = cap
    self.pagesOf200 = pagesOf200
    self.isOldestFirst = isOldestFirst
    self.hasTotal = hasTotal
    loadPage = { params in
      let page = try await source.load(params)
      return Page(
        page.items.map { FeedRow(id: $0.number) }, previousKey: page.previousKey, nextKey: page.nextKey,
        itemsBefore: page.itemsBefore, itemsAfter: page.itemsAfter, total: page.total)
    }
  }

  var testDescription: String { name }

  @concurrent func load(_ params: LoadParams<HTTPPageKey>) async throws -> Page<HTTPPageKey, FeedRow> {
    try await loadPage(params)
  }

  /// The numbers of `count` rows in list order.
  func numbers(_ count: Int) -> [Int] { isOldestFirst ? Array(1...count) : Array((1...count).reversed()) }
}

/// What every style of every server has to keep.
enum FeedChecks {
  /// All rows come once, in order, in full pages, and the walk ends by itself.
  static func everyRowOnce(_ style: FeedStyle, of server: RealServer, rows count: Int = 10_000) async throws {
    try await server.tell("rows \(count)")
    let first = try await style.first(size: 100)
    if style.hasTotal { #expect(first.total == .exact(count), "\(style.name)") }
    let pages = try await style.walked(size: 100)
    #expect(pages.joined().map(\.id) == style.numbers(count), "\(style.name)")
    #expect(pages.dropLast(2).allSatisfy { $0.count == 100 })
  }

  /// Rows that come in and go while the list is read.
  static func drift(_ style: FeedStyle, of server: RealServer) async throws {
    for change in ["insert", "delete", "anchor"] {
      try await server.tell("rows 300")
      let first = try await style.first(size: 20)
      let ids = first.items.map(\.id)
      #expect(ids == Array(style.numbers(300).prefix(20)), "\(style.name)")
      let gone: [Int]
      switch change {
      case "insert":
        try await server.tell("insert 2 top")
        gone = []
      case "delete": gone = Array(ids.prefix(2))
      default: gone = ids.suffix(1)
      }
      if !gone.isEmpty { try await server.tell("delete " + gone.map(String.init).joined(separator: ",")) }
      let rest = try await style.walked(from: first.nextKey, size: 20).joined().map(\.id)
      let all = (ids + rest).filter { $0 <= 300 }
      let repeated = all.count - Set(all).count
      let missed = Set(1...300).subtracting(all).count
      switch (style.drift, change) {
      case (.none, _): #expect(repeated == 0 && missed == 0, "\(style.name), \(change)")
      case (.shifts, "insert"): #expect(repeated == 2 && missed == 0, "\(style.name), \(change)")
      case (.shifts, _): #expect(repeated == 0 && missed == gone.count, "\(style.name), \(change)")
      }
    }
  }

  /// One page, no rows, a full last page, and more rows than a page may have.
  static func edges(_ style: FeedStyle, of server: RealServer) async throws {
    try await server.tell("rows 0")
    #expect(try await style.walked(size: 20).joined().isEmpty, "\(style.name)")
    try await server.tell("rows 5")
    let one = try await style.walked(size: 20)
    #expect(one.joined().map(\.id) == style.numbers(5) && one.count <= style.pagesOf200 - 1, "\(style.name)")
    try await server.tell("rows 200")
    let pages = try await style.walked(size: 100)
    #expect(pages.count == style.pagesOf200 && pages.joined().map(\.id) == style.numbers(200), "\(style.name)")
    try await server.tell("rows 300")
    guard let cap = style.cap else {
      let error = await #expect(throws: HTTPPageError.self, "\(style.name)") { try await style.first(size: 5000) }
      #expect(error.map { [400, 422, 200].contains($0.status) } == true, "\(style.name)")
      return
    }
    let big = try await style.walked(size: 5000)
    #expect(big.first?.count == min(cap, 300) && big.joined().map(\.id) == style.numbers(300), "\(style.name)")
  }
}
