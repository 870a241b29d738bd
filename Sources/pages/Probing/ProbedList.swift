import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A list as a probe asks it: page by page as a client does, or by a request of which something was changed.
struct ProbedList: Sendable {
  /// What a request for a page came to.
  struct Loaded: Sendable {
    let rows: [RowID]
    /// The key of the next page.
    var next: HTTPPageKey?
    let sent: ProbeTransport.Sent
    /// The body; nil where it isn't JSON.
    let body: JSONValue?
    /// Why there is no page.
    var failure: (any Error)?
    /// The reply's, where there is one. Kept, since the optimizer of Swift 6.3 stops at its being looked up in some
    /// callers.
    let status: Int?
  }

  let remote: RemoteList
  private let transport: ProbeTransport
  private let reader: ProbeReader
  private let pageSize: Int

  private init(remote: RemoteList, transport: ProbeTransport, reader: ProbeReader, pageSize: Int) {
    self.remote = remote
    self.transport = transport
    self.reader = reader
    self.pageSize = pageSize
  }

  /// The list that `options` tell of, once it is known which one that is.
  ///
  /// - Parameters:
  ///   - transport: What sends the requests.
  ///   - watched: The same, as the list's source is to have it.
  static func opened(
    _ options: ListOptions, _ transport: ProbeTransport, watched: WatchedTransport
  ) async throws -> ProbedList {
    // What is found is told in the report.
    let remote = try await RemoteList.opened(options, notes: Notes(isSilent: true), transport: watched)
    return ProbedList(
      remote: remote, transport: transport, reader: ProbeReader(options), pageSize: options.pageSize)
  }

  /// The page with that key; nil is the first.
  ///
  /// - Throws: What ends a probe: ``ProbeTransport/Stop`` and cancellation. All else is what was found.
  func load(_ key: HTTPPageKey?) async throws -> Loaded {
    do {
      let page = try await remote.source.load(
        LoadParams(key == nil ? .refresh : .append, key: key, loadSize: pageSize))
      return try loaded(next: page.nextKey, failure: nil, isPage: true)
    } catch {
      try rethrow(error)
      return try loaded(next: nil, failure: error)
    }
  }

  /// The reply to `request` with a change.
  ///
  /// - Throws: As ``load(_:)`` does.
  func ask(_ request: HTTPRequest, _ change: (inout URLRequest) -> Void) async throws -> Loaded {
    var changed = request
    change(&changed.urlRequest)
    do {
      _ = try await transport.send(changed)
      return try loaded(next: nil, failure: nil)
    } catch {
      try rethrow(error)
      return try loaded(next: nil, failure: error)
    }
  }

  private func rethrow(_ error: any Error) throws {
    if error is ProbeTransport.Stop || error is CancellationError { throw error }
    // A page source may wrap what its transport throws.
    if let error = error as? PagingError, let cause = error.cause { try rethrow(cause) }
  }

  /// - Parameter isPage: Whether the list's convention takes the reply for a page, as a 404 past the end.
  private func loaded(next: HTTPPageKey?, failure: (any Error)?, isPage: Bool = false) throws -> Loaded {
    guard let sent = transport.last else { throw failure ?? CancellationError() }
    var failure = failure
    var rows: [RowID] = []
    var body: JSONValue?
    if let reply = sent.reply {
      // What a refusal lists are no rows.
      let isServed = (200..<300).contains(reply.status)
      do {
        guard isServed else {
          throw HTTPPageError(.status, message: "status \(reply.status).", status: reply.status)
        }
        let read = try reader.read(reply.body)
        body = read.body
        rows = read.rows
      } catch {
        body = (try? JSONSlice(checking: Array(reply.body)))?.abridged()
        if !isPage { failure = failure ?? error }
      }
    }
    return Loaded(
      rows: rows, next: next, sent: sent, body: body, failure: failure, status: sent.reply?.status)
  }
}

/// Reads the rows' identities out of replies.
private final class ProbeReader: Sendable {
  private let reader: RowReader
  private let isNamed: Bool
  private let settled = Mutex<RowIdentity?>(nil)

  init(_ options: ListOptions) {
    reader = RowReader(items: options.items, id: options.id, notes: Notes(isSilent: true))
    isNamed = options.id != nil
  }

  /// The rows in a body, and the body, abridged.
  func read(_ data: Data) throws -> (rows: [RowID], body: JSONValue) {
    let document = try reader.read(data)
    let body = document.body.abridged()
    if isNamed { return (document.rows.map(\.id), body) }
    let rows = document.rows.compactMap { try? JSONSlice(checking: $0.line) }
    let identity = settled.withLock { settled in
      if settled == nil, !rows.isEmpty { settled = RowIdentity(guessedFrom: rows) }
      return settled ?? .none
    }
    let ids = rows.map { row in
      let line = row.compact
      let id = identity.id(of: row, line: line, number: 0)
      // Without an ID, a row is known again by its contents.
      return id.tells ? id : .textAndContents("", hash: line.hashValue)
    }
    return (ids, body)
  }
}
