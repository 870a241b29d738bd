public import Foundation
public import LoadingHTTP
public import Paging

/// Where a server's items are by their IDs.
public struct IDBatches: Hashable, Sendable {
  let url: URL
  let parameter: String
  let separator: String
  let limit: Int

  /// Items at a URL, asked for by a query parameter that holds some IDs.
  ///
  /// - Parameters:
  ///   - url: The URL of the items.
  ///   - parameter: The query parameter for the IDs.
  ///   - separator: What stands between two IDs.
  ///   - limit: How many IDs the server takes at once, at least 1; a page is no longer.
  public init(_ url: URL, parameter: String = "ids", separator: String = ",", limit: Int = 100) {
    precondition(limit >= 1, "IDBatches: limit is \(limit) and must be at least 1.")
    self.url = url
    self.parameter = parameter
    self.separator = separator
    self.limit = limit
  }
}

extension IDListPageSource {
  /// A source for a server that gives the IDs of a list first and items by their IDs, as Discourse and Hacker News do.
  ///
  /// ```
  /// GET /topics/9/ids HTTP/1.1            →  { "ids": [ 4711, 4710, … ], "next": null }
  /// GET /items?ids=4711,4710 HTTP/1.1     →  { "items": [ … items, in any order … ] }
  /// ```
  ///
  /// ```swift
  /// let source = IDListPageSource<Post>(
  ///   idsAt: listURL, convention: .cursor(\.next), ids: \IDs.ids,
  ///   batches: IDBatches(itemsURL), items: \Batch.items)
  /// ```
  ///
  /// The list of IDs may itself come in pages, by any convention; all of it is read where a generation begins, at most
  /// `maxIDs`, since what is shown must not change under the reader. Everything else is as ``/Paging/IDListPageSource``
  /// says.
  ///
  /// - Parameters:
  ///   - url: The URL of the list of IDs.
  ///   - convention: How that list is paged; nil, the default: it comes whole.
  ///   - idsPerPage: How many IDs to ask for at once, where the convention sends a size.
  ///   - maxIDs: How many IDs to read at most; a longer list ends there.
  ///   - ids: Where in a reply the IDs are, in list order.
  ///   - batches: Where the items are.
  ///   - config: Headers, allowed origins, decoder and bounds of all requests.
  ///   - transport: What sends them.
  ///   - items: Where in a reply the items are.
  public init<List: Decodable & Sendable, Batch: Decodable & Sendable>(
    idsAt url: URL, convention: PageConvention<List>? = nil, idsPerPage: Int = 1000, maxIDs: Int = 100_000,
    ids: @escaping @Sendable (List) throws -> [Item.ID], batches: IDBatches, config: HTTPPageSourceConfig = .init(),
    transport: any HTTPTransport = URLSessionTransport(), items: @escaping @Sendable (Batch) throws -> [Item]
  ) {
    let whole = PageConvention<List> { _, _ in
    } keys: { _ in
      PageKeys()
    }
    let list = HTTPPageSource(url, convention: convention ?? whole, config: config, transport: transport) {
      try ids($0).map(ListedID.init)
    }
    self.init(idsPerCall: batches.limit) {
      try await list.items(pageSize: max(1, idsPerPage)).collect(atMost: max(1, maxIDs)).map(\.id)
    } items: { ids in
      let names = ids.map { "\($0)" }.joined(separator: batches.separator)
      let batch = PageConvention<Batch> { _, request in
        request.setQuery(batches.parameter, to: names)
      } keys: { _ in
        PageKeys()
      }
      let source = HTTPPageSource(batches.url, convention: batch, config: config, transport: transport, items: items)
      return try await source.load(LoadParams(.refresh, loadSize: ids.count)).items
    }
  }
}

/// A row of a list that holds nothing but IDs.
private struct ListedID<ID: Hashable & Sendable>: Identifiable, Sendable {
  let id: ID
}
