import Loading

/// Something that goes wrong with some of the lists that are asked for.
///
/// Written `WHEN:WHAT`. When: `3`, the third request; `2-4`; `every 5`; `all`. What:
///
/// | | |
/// |---|---|
/// | `500` | that status, of 400 to 599; `429:2` and `503:2` with `Retry-After: 2`, and plain `429` with 1 |
/// | `slow:2s` | the answer takes that much longer |
/// | `close` | the connection is closed, nothing is answered |
/// | `cut` | it breaks off in the middle of the body |
/// | `truncated` | half of the body, with a length that fits |
/// | `empty` | no body |
/// | `html` | a page of HTML with status 200, as portals give |
/// | `type` | the right body, called `text/html` |
/// | `null` | `null` in the place of everything |
/// | `utf8` | a body that is not UTF-8 |
/// | `again` | the page that was given before, once more |
struct ServedFault: Hashable, Sendable {
  /// What goes wrong.
  enum Kind: Hashable, Sendable {
    case status(Int, retryAfter: Int?)
    case slow(Duration)
    case close, cut, truncated, empty, html, type, null, utf8, again
  }

  /// Which requests it is for, counted from 1: each `step`th of a range.
  let requests: ClosedRange<Int>
  let step: Int
  let kind: Kind

  /// The fault that `text` says; nil where it says none.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
      $0.drop(while: \.isWhitespace).split(separator: " ").joined(separator: " ")
    }
    guard parts.count >= 2, let when = Self.when(parts[0]), let kind = Self.kind(parts[1], Array(parts.dropFirst(2)))
    else { return nil }
    (requests, step) = when
    self.kind = kind
  }

  /// What can go wrong, for the user to read.
  static let words =
    "WHAT is a status (429:2 with Retry-After), slow:TIME, close, cut, truncated, empty, html, type, null, utf8 or "
    + "again."

  /// Whether it is for that request.
  func concerns(_ request: Int) -> Bool {
    requests.contains(request) && (request - requests.lowerBound) % step == 0
  }

  private static func when(_ text: String) -> (ClosedRange<Int>, Int)? {
    if text == "all" { return (1...Int.max, 1) }
    let words = text.split(separator: " ")
    if words.count == 2, words[0] == "every" {
      guard let step = Int(words[1]), step > 0 else { return nil }
      return (step...Int.max, step)
    }
    let bounds = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard bounds.count <= 2, let first = bounds.first ?? nil, let last = bounds.last ?? nil, first > 0, first <= last
    else { return nil }
    return (first...last, 1)
  }

  private static func kind(_ what: String, _ rest: [String]) -> Kind? {
    if what == "slow" {
      guard rest.count == 1, let time = TimeSpan.read(rest[0]) else { return nil }
      return .slow(time)
    }
    if let status = Int(what) {
      guard (400...599).contains(status), rest.count <= 1 else { return nil }
      guard let word = rest.first else { return .status(status, retryAfter: status == 429 ? 1 : nil) }
      guard let seconds = Int(word), (0...86_400).contains(seconds) else { return nil }
      return .status(status, retryAfter: seconds)
    }
    guard rest.isEmpty else { return nil }
    let plain: [String: Kind] = [
      "close": .close, "cut": .cut, "truncated": .truncated, "empty": .empty, "html": .html, "type": .type,
      "null": .null, "utf8": .utf8, "again": .again,
    ]
    return plain[what]
  }

  /// What becomes of a reply.
  ///
  /// - Parameter last: The last good reply before it.
  func spoiled(_ reply: ServedReply, last: ServedReply?) -> ServedReply {
    guard case .bytes(let bytes) = reply.body else { return reply }
    var spoiled = reply
    switch kind {
    case .status(let status, let seconds):
      spoiled = .refusal(status, "this is a fault that was planned", code: "planned")
      if let seconds { spoiled.headers.append(("Retry-After", String(seconds))) }
    case .slow(let time): spoiled.delay += time
    case .close: spoiled.body = .nothing
    case .cut: spoiled.body = .broken(bytes, sent: bytes.count / 2)
    case .truncated: spoiled.body = .bytes(Array(bytes.prefix(bytes.count / 2)))
    case .empty: spoiled.body = .bytes([])
    case .html:
      spoiled = ServedReply(
        headers: [("Content-Type", "text/html")],
        body: .bytes(Array("<!DOCTYPE html><html><title>Sign in</title><p>Welcome to this network.</html>".utf8)))
    case .type:
      spoiled.headers.removeAll { $0.name == "Content-Type" }
      spoiled.headers.append(("Content-Type", "text/html"))
    case .null: spoiled.body = .bytes(Array("null".utf8))
    case .utf8: spoiled.body = .bytes(bytes.dropLast() + [0xFF, 0xFE] + bytes.suffix(1))
    case .again: return last ?? reply
    }
    // A cache may not keep what is spoiled under the tag of what is not.
    if case .slow = kind { return spoiled }
    spoiled.headers.removeAll { $0.name == "ETag" }
    return spoiled
  }
}

/// The faults of a server and how long its answers take, by chance that is the same in every run.
struct ServedFaults: Sendable {
  private let faults: [ServedFault]
  private var chance = SeededGenerator(seed: 7)

  init(_ faults: [ServedFault]) {
    self.faults = faults
  }

  /// What goes wrong with a request; of several the first.
  func fault(of request: Int) -> ServedFault? { faults.first { $0.concerns(request) } }

  /// How long the next answer takes.
  mutating func latency(_ range: ClosedRange<Duration>) -> Duration {
    let width = range.upperBound - range.lowerBound
    return width == .zero ? range.lowerBound : range.lowerBound + width * Double.random(in: 0...1, using: &chance)
  }
}
