import Synchronization

/// The member of a reply that leads to the next page, where the user named none: the first of the usual ones that has a
/// value is it from then on, so that another can't step in on the last page.
final class NextMemberFinder: Sendable {
  /// Where cursors usually are, and the parameter in which each usually goes back.
  static let cursors: [(path: JSONPath, parameter: String)] = [
    ("next_cursor", "cursor"), ("nextCursor", "cursor"), ("next_page_token", "page_token"),
    ("nextPageToken", "pageToken"), ("next_token", "next_token"), ("nextToken", "nextToken"),
    ("NextToken", "NextToken"), ("continuation_token", "continuation_token"),
    ("continuationToken", "continuationToken"), ("meta.next_cursor", "cursor"), ("pagination.next_cursor", "cursor"),
    ("paging.next_cursor", "cursor"), ("response_metadata.next_cursor", "cursor"), ("meta.next_token", "next_token"),
    ("paging.cursors.after", "after"), ("next", "cursor"), ("cursor", "cursor"), ("scroll_id", "scroll_id"),
  ].map { (JSONPath($0.0), $0.1) }

  /// Where the next page's URL usually is.
  static let urls: [JSONPath] = [
    "next_url", "nextUrl", "next_page_url", "nextPageUrl", "next_href", "nextLink", "/@odata.nextLink",
    "/odata.nextLink", "_links.next.href", "links.next.href", "links.next", "_links.next", "paging.next",
    "pagination.next_url", "pagination.next", "meta.next", "info.next", "next",
  ].map { JSONPath($0) }

  private let candidates: [JSONPath]
  private let settled = Mutex<JSONPath?>(nil)

  /// The named member, or the first of `usual` that proves to be there.
  init(named: JSONPath?, usual: [JSONPath]) {
    candidates = named.map { [$0] } ?? usual
  }

  /// The text or number in `body` that leads on; nil where there is none, or null, or an empty text.
  func text(in body: JSONSlice) -> String? {
    settled.withLock { settled in
      if let settled { return Self.text(at: settled, in: body) }
      for path in candidates {
        guard let text = Self.text(at: path, in: body) else { continue }
        settled = path
        return text
      }
      return nil
    }
  }

  /// Whether any of the members is there, be it null.
  func isPresent(in body: JSONSlice) -> Bool {
    candidates.contains { $0.value(in: body) != nil }
  }

  /// A cursor in a reply that nothing else leads on from, and the parameter in which it usually goes back.
  static func unusedCursor(in body: JSONSlice) -> (path: JSONPath, parameter: String, value: String)? {
    for (path, parameter) in cursors where path.names != ["cursor"] {
      if let value = text(at: path, in: body) { return (path, parameter, value) }
    }
    return nil
  }

  /// A member by which a reply says, without a word how, that there is more.
  static func saysMore(_ body: JSONSlice) -> JSONPath? {
    let paths = [
      "has_more", "hasMore", "has_next", "hasNext", "meta.has_more", "pagination.has_more", "pageInfo.hasNextPage",
    ]
    return paths.map { JSONPath($0) }.first { $0.value(in: body)?.isTrue == true }
  }

  private static func text(at path: JSONPath, in body: JSONSlice) -> String? {
    path.value(in: body)?.scalarText.flatMap { $0.isEmpty ? nil : $0 }
  }
}
