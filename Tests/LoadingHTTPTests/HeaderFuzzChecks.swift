import Foundation

@testable import LoadingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What must hold of the header parsers whatever bytes they are given; replayed over the corpus by the tests, and run on
/// bytes made up by `Scripts/fuzz`.
enum HeaderFuzzChecks {
  private static let received = Date(timeIntervalSince1970: 784_111_777)
  private static let most = Duration.seconds(2_147_483_648)

  /// What is wrong with what the parsers named `target` made of `bytes`, or nil.
  static func problem(_ target: String, _ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    switch target {
    case "retry-after": return retryAfter(text)
    case "date": return date(text)
    case "cache-control": return cacheControl(text)
    default: return "no parser is named \(target)"
    }
  }

  /// The value, and after a line break the reply's `Date`.
  private static func retryAfter(_ text: String) -> String? {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let date = lines.count > 1 ? lines[1] : nil
    guard let delay = RetryAfter.delay(lines[0], date: date, receivedAt: received) else { return nil }
    return delay >= .zero && delay <= most ? nil : "waits for \(delay)"
  }

  private static func date(_ text: String) -> String? {
    guard let date = HTTPDate.parse(text, now: received) else { return nil }
    let seconds = date.timeIntervalSince1970
    guard seconds >= -62_167_219_200, seconds <= 253_402_300_800, seconds == seconds.rounded() else {
      return "\(text) is \(seconds)"
    }
    // Space around it does not count, nor does the case of its letters.
    return HTTPDate.parse(" \(text.lowercased())\t", now: received) == date ? nil : "\(text) depends on its case"
  }

  /// Any of the headers that freshness is made from, one on a line; a line without a colon is a `Cache-Control`.
  private static func cacheControl(_ text: String) -> String? {
    var headers = HTTPHeaders()
    for line in text.split(separator: "\n", maxSplits: 16) {
      if let colon = line.firstIndex(of: ":") {
        headers.append(String(line[line.index(after: colon)...]), for: String(line[..<colon]))
      } else {
        headers.append(String(line), for: "Cache-Control")
      }
    }
    let control = CacheControl(headers)
    if control.directives.contains(where: \.name.isEmpty) { return "a directive without a name" }
    if let maxAge = control.maxAge, maxAge < .zero || maxAge > most { return "max-age is \(maxAge)" }
    // What forbids keeping must not get lost, where no quotes can hide it.
    let words = headers.values(for: "Cache-Control").flatMap { $0.split(separator: ",") }
    if !text.contains("\""), words.contains(where: { $0.trimmingBlanks.lowercased() == "no-store" }), !control.noStore {
      return "no-store was lost"
    }
    let reply = HTTPReply(status: 200, headers: headers, body: Data(), url: URL(filePath: "/"), receivedAt: received)
    let freshness = HTTPFreshness(reply: reply, request: URLRequest(url: URL(filePath: "/")), heuristic: 0.1)
    if freshness.lifetime < .zero || freshness.lifetime > most { return "lives for \(freshness.lifetime)" }
    if freshness.age(at: received) < .zero { return "is \(freshness.age(at: received)) old" }
    if control.noStore, !control.mustUnderstand, freshness.isStorable { return "is kept under no-store" }
    if control.noCache, freshness.verdict(at: received) == .fresh { return "is fresh under no-cache" }
    var confirmation = reply
    confirmation.status = 304
    guard let fresh = reply.freshened(by: confirmation) else { return "a 304 with its own headers confirms it not" }
    return fresh.freshened(by: confirmation) == fresh ? nil : "the same 304 changes it again"
  }
}

extension Substring {
  fileprivate var trimmingBlanks: Substring {
    Substring(
      utf8.drop(while: isBlank).reversed().drop(while: isBlank).reversed().map { Character(Unicode.Scalar($0)) })
  }
}
