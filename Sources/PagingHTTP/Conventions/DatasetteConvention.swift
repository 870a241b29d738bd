import LoadingHTTP
import Paging

extension PageConvention {
  /// A table of Datasette.
  ///
  /// ```
  /// GET /feed/items.json?_shape=objects&_size=20&_next=180 HTTP/1.1
  ///
  /// HTTP/1.1 200 OK
  ///
  /// { "rows": [ … rows … ], "next": "200", "filtered_table_rows_count": 10000 }
  /// ```
  ///
  /// The list ends where `next` is null. `_shape=objects` is sent unless the URL names a shape, and the load size as
  /// `_size`, at most 1,000, which is what Datasette gives as it is installed; more would be refused. A table without
  /// an index on the column that it is sorted by gives every row once whatever comes or goes; sorted down by a column
  /// with an index and equal values, Datasette 0.65 itself repeats rows and misses others. A cursor of another list is
  /// answered with a page without rows, or with the list's first page: nothing in the reply tells that from a list that
  /// has become shorter.
  ///
  /// - Parameter size: The query parameter for the load size; nil: not sent.
  public static func datasette<Item>(size: String? = "_size") -> PageConvention where Response == DatasettePage<Item> {
    PageConvention(keyKind: .cursor) { page, request in
      request.setQueryIfAbsent("_shape", to: "objects")
      if let size { request.setQueryIfAbsent(size, to: String(min(page.loadSize, 1000))) }
      if let key = page.key { request.setQuery("_next", to: key.text) }
    } keys: { reply in
      PageKeys(
        next: HTTPPageKey(cursor: reply.response.next), total: reply.response.total.flatMap(Total.init(counted:)))
    }
  }
}

/// A page of a Datasette table, rows as objects.
public struct DatasettePage<Item: Decodable & Sendable>: Decodable, Sendable {
  /// The rows.
  public var items: [Item] { rows.elements }
  /// How many rows there are under the URL's filters; nil: not counted.
  public let total: Int?
  /// The next page's cursor; nil: this is the last.
  public let next: String?
  private let rows: LenientArray<Item>

  private enum CodingKeys: String, CodingKey {
    case rows, next
    case total = "filtered_table_rows_count"
  }
}
