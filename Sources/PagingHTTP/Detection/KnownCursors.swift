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
  package static let all: [KnownCursor] = [
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

  /// Tokens of AWS, which go back under their own names or, for the odd ones, under these.
  static let aws: [(member: String, parameter: String)] = [
    ("LastEvaluatedKey", "ExclusiveStartKey"), ("NextToken", "NextToken"), ("nextForwardToken", "nextToken"),
    ("NextMarker", "Marker"), ("NextContinuationToken", "ContinuationToken"),
  ]
}
