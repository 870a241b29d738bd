import Foundation
import LoadingHTTP

/// Where bodies keep the URLs of a page's neighbours.
package struct NextMember: Sendable {
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
    NextMember("next_url"), NextMember("nextUrl"), NextMember("next_page_url"), NextMember("nextPageUrl"),
    NextMember("next_href"), NextMember("nextLink"), NextMember("@odata.nextLink"), NextMember("odata.nextLink"),
    NextMember("_links", "next", "href"), NextMember("links", "next", "href"), NextMember("pagination", "next_url"),
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

  /// The previous page's URL, in the header or else in the body; nil where nothing names it.
  static func previous<Response>(in reply: PageReply<Response>, _ look: MemberLookup<Response>) -> URL? {
    if let link = reply.http.link("prev") ?? reply.http.link("previous") { return link }
    let base = reply.http.url
    for candidate in knownPrevious {
      guard let value = look(reply.response, candidate.path), !value.isEmpty,
        candidate.isAlwaysURL || looksLikeURL(value, from: base), let url = base.following(value)
      else { continue }
      return url
    }
    return nil
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
