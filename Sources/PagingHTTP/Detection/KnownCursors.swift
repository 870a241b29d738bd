/// Where servers usually keep a cursor, and under which parameter each usually goes back.
package struct KnownCursor: Sendable {
  /// The names from the top of the body down.
  package let path: [String]
  /// The usual parameter.
  package let parameter: String

  private init(_ path: String, _ parameter: String) {
    self.path = path.split(separator: ".").map(String.init)
    self.parameter = parameter
  }

  /// The surest ones first.
  package static let all: [KnownCursor] = named + nested

  private static let named: [KnownCursor] = [
    KnownCursor("next_cursor", "cursor"), KnownCursor("nextCursor", "cursor"),
    KnownCursor("next_page_token", "page_token"), KnownCursor("nextPageToken", "pageToken"),
    KnownCursor("next_token", "next_token"), KnownCursor("nextToken", "nextToken"),
    KnownCursor("continuation_token", "continuation_token"), KnownCursor("continuationToken", "continuationToken"),
    KnownCursor("meta.next_cursor", "cursor"), KnownCursor("pagination.next_cursor", "cursor"),
    KnownCursor("paging.next_cursor", "cursor"), KnownCursor("response_metadata.next_cursor", "cursor"),
    KnownCursor("meta.next_token", "pagination_token"), KnownCursor("paging.cursors.after", "after"),
    KnownCursor("data.after", "after"), KnownCursor("next_page", "cursor"), KnownCursor("next", "cursor"),
    KnownCursor("meta.next_page", "cursor"), KnownCursor("pagination.next_page", "cursor"),
    KnownCursor("meta.next", "cursor"), KnownCursor("pagination.next", "cursor"), KnownCursor("paging.next", "cursor"),
    KnownCursor("links.next", "cursor"), KnownCursor("info.next", "cursor"), KnownCursor("scroll_id", "scroll_id"),
  ]

  /// What says something of the page beside its rows, and may hold its cursor.
  private static let containers = [
    "meta", "_meta", "paging", "pagination", "page_info", "pageInfo", "page", "info", "cursors", "links",
    "response_metadata", "paging.cursors", "meta.cursors", "meta.pagination", "meta.paging", "meta.page",
  ]

  /// Names of cursors below the top, and those that are a cursor wherever they stand.
  private static let nested: [KnownCursor] = {
    let sure = [
      ("next_cursor", "cursor"), ("nextCursor", "cursor"), ("next_page_token", "page_token"),
      ("nextPageToken", "pageToken"), ("next_token", "next_token"), ("nextToken", "nextToken"),
      ("continuation_token", "continuation_token"), ("continuationToken", "continuationToken"),
    ]
    // They may be the last row's, so that what says whether there is more counts before them.
    let open = [("cursor", "cursor"), ("after", "after"), ("end_cursor", "after"), ("endCursor", "after")]
    return containers.flatMap { place in (sure + open).map { KnownCursor(place + "." + $0.0, $0.1) } }
      + [KnownCursor("cursors.next", "cursor")] + open.map { KnownCursor($0.0, $0.1) }
  }()

  /// Names of cursors that may stand on the last page, too.
  static let standing: Set<String> = ["cursor", "after", "end_cursor", "endCursor"]
  /// Names of what says whether there is more.
  package static let flags = [
    "has_more", "hasMore", "more", "has_next", "hasNext", "has_next_page", "hasNextPage",
  ]

  /// Tokens of AWS, which go back under their own names or, for the odd ones, under these.
  static let aws: [(member: String, parameter: String)] = [
    ("LastEvaluatedKey", "ExclusiveStartKey"), ("NextToken", "NextToken"), ("nextForwardToken", "nextToken"),
    ("NextMarker", "Marker"), ("NextContinuationToken", "ContinuationToken"),
  ]
}
