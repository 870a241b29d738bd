public import Foundation
public import LoadingHTTP

extension HTTPReply {
  /// Where the first link of that relation in the `Link` headers leads, resolved against the reply's URL; nil: nowhere.
  ///
  /// Reads any number of links in any number of header lines, quoted parameters, and several relations in one `rel`,
  /// without regard to case. A link with an `anchor` speaks of another resource than the one that was asked for and is
  /// passed over. Of a malformed header, what comes before its fault is read. Linear in the headers' length.
  /// Source: RFC 8288, section 3 and appendix B.
  ///
  /// - Parameter relation: A relation type, as `next`.
  public func link(_ relation: String) -> URL? {
    let wanted = Array(relation.utf8)
    for value in headers.values(for: "Link") {
      var links = LinkHeader(value.utf8)
      while let link = links.next() {
        guard !link.hasAnchor, link.has(wanted) else { continue }
        if let url = url.following(String(decoding: link.target, as: UTF8.self)) { return url }
      }
    }
    return nil
  }
}

extension HTTPReply {
  /// The key of the page that a link of this reply's leads to; nil where there is no link, or an empty one.
  ///
  /// - Throws: ``HTTPPageError/Code/unreadableNext`` for a link that can't be read: it is no end, and taken for one the
  ///   rest of the list would be missing without a word.
  func key(following link: String?) throws(HTTPPageError) -> HTTPPageKey? {
    guard let link, !link.isEmpty else { return nil }
    guard let target = url.following(link) else {
      // A query may hold secrets.
      let path = link.utf8.prefix { $0 != UInt8(ascii: "?") }
      throw HTTPPageError(
        .unreadableNext,
        message: "The page names its neighbour by \"\(PlainText.escaped(path, limit: 100))\", which is no URL.",
        status: status)
    }
    return HTTPPageKey(target)
  }
}

extension URL {
  /// Where `reference`, absolute or relative, leads from this URL; nil when it is empty or can't be read.
  ///
  /// Source: RFC 3986, section 5.2.
  func following(_ reference: String) -> URL? {
    reference.isEmpty ? nil : URL(string: reference, relativeTo: self)?.absoluteURL
  }
}
