import Foundation
import LoadingHTTP
import Paging

/// By what a server says that it does not know a page's key any more, or never did.
///
/// An expired key is one that was good once: a pager starts again around the rows on screen
/// (``/Paging/PagingError/Code/cursorExpired``). An invalid one is a failure (``/Paging/PagingError/Code/invalidKey``).
/// Only refusals of pages with a key are looked at. Words are looked for in all texts of a refusal's JSON, by their
/// letters and digits alone, so `invalid_cursor` is found in `"Invalid cursor."` and in `"InvalidCursorException"`; and
/// never in one with status 401, 403, 408 or 429, or from 500 on, which speak of something else. A reply of success is
/// looked at where it has no rows and says `"ok": false` or `"success": false`, as Slack does, and where no page could
/// be read from it.
///
/// ```swift
/// var convention = PageConvention<Feed>.cursor(\.next)
/// convention.keyRefusals.expiredStatuses.insert(419)
/// convention.keyRefusals.invalidWords.append("bad_marker")
/// ```
public struct KeyRefusals: Hashable, Sendable {
  /// Statuses of an expired key, whatever the body says; default 410.
  public var expiredStatuses: Set<Int>
  /// Statuses of an invalid key, whatever the body says; default none.
  public var invalidStatuses: Set<Int>
  /// Words of an expired key.
  public var expiredWords: [String]
  /// Words of an invalid key.
  public var invalidWords: [String]

  /// Rules of one's own.
  ///
  /// - Parameters:
  ///   - expiredStatuses: Statuses of an expired key.
  ///   - invalidStatuses: Statuses of an invalid key.
  ///   - expiredWords: Words of an expired key; one without letters and digits is never found.
  ///   - invalidWords: Words of an invalid key, looked for where no word of an expired one was found.
  public init(
    expiredStatuses: Set<Int> = [410], invalidStatuses: Set<Int> = [], expiredWords: [String] = [],
    invalidWords: [String] = []
  ) {
    self.expiredStatuses = expiredStatuses
    self.invalidStatuses = invalidStatuses
    self.expiredWords = expiredWords
    self.invalidWords = invalidWords
  }

  /// Status 410, and the codes that public servers document.
  ///
  /// | expired | of |
  /// |---|---|
  /// | `expired_cursor`, `cursor_expired`, `next_cursor_expired` | Glean, Ashby |
  /// | `expired_page_token`, `page_token_expired`, `ExpiredNextTokenException`, `ExpiredIteratorException` | Google, AWS |
  /// | `search_context_missing_exception` | Elasticsearch |
  /// | `syncStateNotFound`, `resyncRequired`, `fullSyncRequired` | Microsoft Graph, Google |
  ///
  /// | invalid | of |
  /// |---|---|
  /// | `invalid_cursor`, `invalid_next_cursor` | Slack, Paddle, Ashby, Django REST |
  /// | `invalid_page_token`, `InvalidNextToken`, `InvalidPaginationToken`, `invalid_continuation_token` | Google, AWS |
  /// | `_token has invalid content` | Kinto |
  /// | `invalid_page_info` | Shopify |
  public static let standard = KeyRefusals(
    expiredWords: [
      "expired_cursor", "cursor_expired", "cursor has expired", "expired_page_token", "page_token_expired",
      "expired_next_token", "next_token_expired", "expired_iterator", "search_context_missing", "syncStateNotFound",
      "resyncRequired", "fullSyncRequired",
    ],
    invalidWords: [
      "invalid_cursor", "invalid_next_cursor", "cursor is invalid", "invalid_page_token", "page_token_invalid",
      "invalid_next_token", "invalid_pagination_token", "invalid_continuation_token", "token has invalid content",
      "next_token is invalid", "invalid_page_info",
    ])

  /// What a refused page with a key says of the key.
  func verdict(status: Int, body: Data) -> PagingError.Code? {
    if expiredStatuses.contains(status) { return .cursorExpired }
    if invalidStatuses.contains(status) { return .invalidKey }
    guard (400..<500).contains(status), ![401, 403, 408, 429].contains(status) else { return nil }
    return verdict(on: body)
  }

  /// What the words in a body say of the key.
  func verdict(on body: Data) -> PagingError.Code? {
    // A refusal is short; a long body is a page of something else.
    guard body.count <= 64 << 10, let value = JSONValue(json: body) else { return nil }
    var texts: [String] = []
    Self.collect(from: value, depth: 6, into: &texts)
    for (words, code) in [(expiredWords, PagingError.Code.cursorExpired), (invalidWords, .invalidKey)] {
      for word in words.map(Self.bare) where !word.isEmpty {
        if texts.contains(where: { $0.contains(word) }) { return code }
      }
    }
    return nil
  }

  private static func collect(from value: JSONValue, depth: Int, into texts: inout [String]) {
    guard depth > 0 else { return }
    switch value {
    case .string(let text): texts.append(bare(text))
    case .array(let elements): for element in elements { collect(from: element, depth: depth - 1, into: &texts) }
    case .object(let members): for member in members.values { collect(from: member, depth: depth - 1, into: &texts) }
    case .null, .bool, .integer, .number: break
    }
  }

  /// The ASCII letters, lowered, and digits.
  private static func bare(_ text: String) -> String {
    String(text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
  }
}
