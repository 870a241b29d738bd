import Foundation
import LoadingHTTP

/// A part of a body that can be continued: how far it goes, and what tells that the rest belongs to it.
struct Resumption: Hashable, Sendable {
  /// Bytes that are there, from the first on; more than zero.
  let offset: Int
  /// The value of `If-Range`.
  let validator: String
  /// The length of the whole in bytes, where it is known.
  let total: Int?

  /// The headers that ask for the rest, or for the whole where it is another by now (RFC 9110, section 13.1.5).
  var headers: HTTPHeaders { ["Range": "bytes=\(offset)-", "If-Range": validator] }

  /// The length of the whole that a 206 completes; nil where its range is not the rest of this part.
  func total(joinedBy head: HTTPReply) -> Int? {
    guard head.status == 206, !Self.isEncoded(head),
      let range = head.headers.values(for: "Content-Range").first.flatMap({ ContentRange($0) }),
      head.headers.values(for: "Content-Range").count == 1, range.first == offset
    else { return nil }
    if let total, let theirs = range.total, total != theirs { return nil }
    // A server that sends a part of another version must not, and some do.
    if let tag = head.headers.values(for: "ETag").first, validator.hasPrefix("\""), tag != validator { return nil }
    return range.total ?? total ?? range.last + 1
  }

  /// What tells that the rest of a body belongs to its beginning; nil where nothing does that can be relied on.
  ///
  /// A strong `ETag`, or where there is none a `Last-Modified` at least a minute before `Date` (RFC 9110, sections
  /// 8.8.2.2 and 8.8.3), of a server that says that it takes ranges, for a body that came as it is: what was unpacked
  /// on the way can't be counted into.
  static func validator(of head: HTTPReply) -> String? {
    let ranges = head.headers.values(for: "Accept-Ranges").joined(separator: ",").lowercased()
    guard head.status == 200 || head.status == 206, !isEncoded(head), !CacheControl(head.headers).noStore,
      head.status == 206 || ranges.split(whereSeparator: { $0 == "," || $0 == " " }).contains("bytes")
    else { return nil }
    if let tag = head.headers.values(for: "ETag").first {
      return tag.utf8.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") ? tag : nil
    }
    guard let modified = head.headers.values(for: "Last-Modified").first,
      let date = HTTPDate.parse(modified, now: head.receivedAt),
      let made = head.headers.values(for: "Date").first.flatMap({ HTTPDate.parse($0, now: head.receivedAt) }),
      made.timeIntervalSince(date) >= 60
    else { return nil }
    return modified
  }

  private static func isEncoded(_ head: HTTPReply) -> Bool {
    head.headers.values(for: "Content-Encoding").contains { $0.lowercased() != "identity" && !$0.isEmpty }
  }

  /// How long a body says that it is; nil where it doesn't, or not of what arrives.
  static func length(of head: HTTPReply) -> Int? {
    guard !isEncoded(head), head.headers.values(for: "Transfer-Encoding").isEmpty else { return nil }
    return head.headers.values(for: "Content-Length").first.flatMap { ContentRange.number($0[...]) }
  }
}

/// `bytes 21010-47021/47022` of a 206 (RFC 9110, section 14.4).
struct ContentRange: Hashable {
  let first: Int
  let last: Int
  /// Nil for `*`.
  let total: Int?

  /// Nil for another unit, an unsatisfied range, and numbers that make no sense.
  init?(_ value: String) {
    let words = value.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
    let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
      last < Int.max
    else { return nil }
    if parts[1] == "*" {
      total = nil
    } else {
      guard let whole = Self.number(parts[1]), last < whole else { return nil }
      total = whole
    }
    self.first = first
    self.last = last
  }

  /// Decimal digits and nothing else.
  static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }
}
