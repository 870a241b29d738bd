import Foundation

extension HTTPReply {
  /// This reply with its headers brought up to date by the 304 that confirmed it.
  ///
  /// Each field of the 304 takes the place of those of its name; the body, the status and the URL stay. What describes
  /// the stored body stays too: `Content-Encoding`, `Content-Length`, `Content-Range`, `Content-Type`,
  /// `Transfer-Encoding`; and what is about the connection is not taken over (RFC 9111, sections 3.1 and 3.2). `Age`
  /// and `Date` are the 304's alone: with the old ones beside a new arrival, the reply would seem older or younger than
  /// it was just said to be.
  ///
  /// - Parameter confirmation: The answer to a request with this reply's ``HTTPFreshness/conditions``.
  /// - Returns: Nil when it is no 304, or its `ETag` is of another reply (RFC 9111, section 4.3.4): then ask again
  ///   without conditions. Tags are compared without `W/`: servers that compress on the way mark the one and not the
  ///   other.
  public func freshened(by confirmation: HTTPReply) -> HTTPReply? {
    guard confirmation.status == 304 else { return nil }
    if let theirs = confirmation.headers.values(for: "ETag").first,
      let ours = headers.values(for: "ETag").first, !HTTPHeaders.isIdentical(Self.opaque(theirs), Self.opaque(ours))
    {
      return nil
    }
    let listed = confirmation.headers.values(for: "Connection").flatMap { field in
      field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let kept = Self.notTakenOver + listed
    var fresh = self
    for name in ["Age", "Date"] { fresh.headers.remove(name) }
    // Names are told apart as the headers do, by ASCII case alone: by any other, the same 304 could add a field each
    // time.
    var replaced: [String] = []
    for field in confirmation.headers where !kept.contains(where: { HTTPHeaders.isSame($0, field.name) }) {
      if replaced.contains(where: { HTTPHeaders.isSame($0, field.name) }) {
        fresh.headers.append(field.value, for: field.name)
      } else {
        replaced.append(field.name)
        fresh.headers.set(field.value, for: field.name)
      }
    }
    fresh.receivedAt = confirmation.receivedAt
    return fresh
  }

  private static let notTakenOver = [
    "Content-Encoding", "Content-Length", "Content-Range", "Content-Type", "Transfer-Encoding", "Connection",
    "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization", "TE",
    "Trailer", "Upgrade",
  ]

  /// The tag without the mark of a weak one (RFC 9110, section 8.8.3.2).
  private static func opaque(_ tag: String) -> Substring {
    tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
  }
}
