import Foundation
import PagingHTTP
import PagingStore

/// Rows in a list of a store, in their server's order. The store knows every row that it has, so none is kept twice.
///
/// The first walk fills the list from the top, page by page, each with what leads on from it. Another walk from the top
/// goes over it: rows that came are put where they stand now, rows that went go.
struct StoreSink: WalkSink {
  /// The list was changed by somebody else while a page of it was on its way.
  struct Conflict: Error, CustomStringConvertible {
    let description = "another program changed the list in the store meanwhile."
  }

  private let store: ListStore
  private let list: StoredList<StoredRow>
  private let note: StoredListNote
  private let goesOn: Bool
  private var isNoted = false
  private var request: ListRequest<StoredRow>?
  /// The row that the next page stands behind.
  private var last: StoredRow?

  /// The list of that name in the file at `path`, which is made where there is none.
  ///
  /// - Parameters:
  ///   - goesOn: Whether the walk goes on below the last row that is there.
  ///   - note: What is noted of the list; its ID is the list's name.
  /// - Throws: A `ListStoreError`.
  init(_ path: String, note: StoredListNote, goesOn: Bool) throws {
    store = try ListStore(at: URL(fileURLWithPath: path))
    var policy = ListPolicy(order: .cursor, freshness: .prepend, gaps: .record)
    // A walk reaches the end: what the store has below that is gone.
    policy.endIsAuthoritative = true
    list = store.list(note.id, of: StoredRow.self, policy: policy)
    self.note = note
    self.goesOn = goesOn
  }

  var takesWholePages: Bool { true }

  /// Where the list goes on that is there.
  enum Place: Hashable, Sendable {
    /// At its start, since nothing of it is there.
    case start
    /// At a page.
    case page(HTTPPageKey)
    /// Nowhere: it is whole.
    case end
  }

  /// Where the list goes on that is there.
  ///
  /// - Throws: A `ListStoreError`; what reading the key throws, if another program wrote it.
  func place() throws -> Place {
    let edge = try list.request(.olderThanAll)
    guard edge.boundary != nil else { return .start }
    guard let token = edge.token else { return .end }
    return .page(try JSONDecoder().decode(HTTPPageKey.self, from: Data(token.utf8)))
  }

  mutating func willLoad() throws {
    request = try nextRequest()
  }

  mutating func take(_ page: WalkedPage) async throws {
    let rows = page.items.map { StoredRow($0, in: note.id) }
    if try apply(page, rows) {
      // Not as it was when the page was asked for: once more as it is now.
      request = try nextRequest()
      if try apply(page, rows) { throw Conflict() }
    }
    last = rows.last ?? last
    if !isNoted {
      try await note.put(in: store)
      isNoted = true
    }
  }

  /// Returns whether the page came too late for its request.
  private func apply(_ page: WalkedPage, _ rows: [StoredRow]) throws -> Bool {
    guard let request else { return false }
    // Around a row that is known, the page hangs on that row.
    let isAround = request.boundary == nil && last != nil
    var remote = RemotePage((isAround ? last.map { [$0] } ?? [] : []) + rows)
    remote.olderToken = try page.nextKey.map(Self.token)
    remote.reachedEnd = page.isEnd
    return try list.apply(remote, for: request).wasStale
  }

  private func nextRequest() throws -> ListRequest<StoredRow> {
    guard let last else {
      return try list.request(goesOn ? .olderThanAll : .head)
    }
    let below = try list.request(.olderThanAll)
    return below.boundary == last.id ? below : try list.request(.around(last.id))
  }

  /// The key as the store's remotes write theirs, so that a list goes on with either.
  private static func token(of key: HTTPPageKey) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(key), as: UTF8.self)
  }
}
