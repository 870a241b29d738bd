import Foundation
import LoadingHTTP
import Paging

/// Looks into a decoded page: the member at a path of names, as text; nil where there is none, or null, or an object or
/// array. A number may be given by its digits.
package typealias MemberLookup<Response> = @Sendable (_ response: Response, _ path: [String]) -> String?

extension PageConvention {
  /// The next page's URL is in the `Link` header, or else in the body, wherever it is usually found.
  ///
  /// Each reply is judged by itself: `rel=next` of its `Link` header comes first, then the first of
  /// ``NextMember/known`` that holds a URL. Where none does and one holds something else, that is a cursor, or a number,
  /// and the load fails as ``HTTPPageError/Code/unreadableNext``: going on as if the list had ended would lose rows. The
  /// way back is read in the same way. The load size is not sent.
  ///
  /// - Parameter member: Looks into a page.
  package static func linkOrNextURL(_ member: @escaping MemberLookup<Response>) -> PageConvention {
    followingURLs(size: nil) { reply in
      var keys = PageKeys()
      keys.next = try (reply.http.link("next") ?? NextMember.find(.next, in: reply, member)).map { HTTPPageKey($0) }
      keys.previous = try
        (reply.http.link("prev") ?? reply.http.link("previous") ?? NextMember.find(.previous, in: reply, member))
        .map { HTTPPageKey($0) }
      return keys
    }
  }
}

/// Where bodies keep the URLs of a page's neighbours.
package struct NextMember: Sendable {
  enum Side { case next, previous }

  /// The names from the top of the body down.
  package let path: [String]
  /// Whether its name says that it is a URL, so that its value needn't look like one.
  package let isAlwaysURL: Bool

  private init(_ path: String..., isAlwaysURL: Bool = true) {
    self.path = path
    self.isAlwaysURL = isAlwaysURL
  }

  /// The members that may hold the next page's URL, the surest ones first.
  package static let known: [NextMember] = [
    NextMember("next_url"), NextMember("nextUrl"), NextMember("next_page_url"), NextMember("@odata.nextLink"),
    NextMember("_links", "next", "href"), NextMember("links", "next", "href"),
    NextMember("links", "next", isAlwaysURL: false), NextMember("_links", "next", isAlwaysURL: false),
    NextMember("paging", "next", isAlwaysURL: false), NextMember("pagination", "next", isAlwaysURL: false),
    NextMember("meta", "next", isAlwaysURL: false), NextMember("info", "next", isAlwaysURL: false),
    NextMember("next", isAlwaysURL: false),
  ]

  /// The members that may hold the previous page's URL.
  static let knownPrevious: [NextMember] = [
    NextMember("previous_url"), NextMember("prev_url"), NextMember("prevUrl"), NextMember("prev_page_url"),
    NextMember("_links", "prev", "href"), NextMember("links", "prev", "href"),
    NextMember("links", "prev", isAlwaysURL: false), NextMember("paging", "previous", isAlwaysURL: false),
    NextMember("pagination", "prev", isAlwaysURL: false), NextMember("meta", "previous", isAlwaysURL: false),
    NextMember("info", "prev", isAlwaysURL: false), NextMember("previous", isAlwaysURL: false),
    NextMember("prev", isAlwaysURL: false),
  ]

  fileprivate static func find<Response>(
    _ side: Side, in reply: PageReply<Response>, _ member: MemberLookup<Response>
  ) throws -> URL? {
    var unread: NextMember?
    for candidate in side == .next ? known : knownPrevious {
      guard let value = member(reply.response, candidate.path), !value.isEmpty else { continue }
      if candidate.isAlwaysURL || looksLikeURL(value, from: reply.http.url),
        let url = reply.http.url.following(value)
      {
        return url
      }
      unread = unread ?? candidate
    }
    guard side == .next, let unread else { return nil }
    throw HTTPPageError(
      .unreadableNext,
      message:
        "The member \"\(unread.path.joined(separator: "."))\" of this page says that there is more, and is not a "
        + "URL: it looks like a cursor or a page number. Name the convention: cursor, pageNumber or offset "
        + "(--convention on the command line).",
      status: reply.http.status)
  }

  /// Whether `value` is more likely a URL, absolute or relative to `base`, than a cursor.
  ///
  /// A cursor in Base64 may have a slash, but neither a question mark nor a scheme.
  static func looksLikeURL(_ value: String, from base: URL) -> Bool {
    if WebOrigin.isAbsolute(value) { return true }
    if value.contains(where: \.isWhitespace) { return false }
    if value.contains("?") { return value.contains("=") }
    if value.hasPrefix("./") || value.hasPrefix("../") { return true }
    if value.hasPrefix("/") { return !value.hasSuffix("=") && !value.contains("+") }
    return !base.pathExtension.isEmpty && value.hasSuffix("." + base.pathExtension)
  }
}
