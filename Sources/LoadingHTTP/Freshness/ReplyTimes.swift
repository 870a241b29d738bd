import Foundation

/// The times that a reply's headers give, and what follows from them.
struct ReplyTimes {
  private let headers: HTTPHeaders
  private let receivedAt: Date
  /// When the reply was made: its `Date`, or its arrival where it has none (RFC 9110, section 6.6.1).
  private let made: Date

  init(_ reply: HTTPReply) {
    headers = reply.headers
    receivedAt = reply.receivedAt
    made = Self.date("Date", reply.headers, reply.receivedAt) ?? reply.receivedAt
  }

  /// Whether there is an `Expires`, legible or not.
  var hasExpires: Bool { !headers.values(for: "Expires").isEmpty }

  /// From the reply's making to its `Expires`; zero for one in the past or that is no date, such as `0` or `-1`, and
  /// nil when there is none (RFC 9111, section 5.3).
  var expiresAfter: Duration? {
    guard hasExpires else { return nil }
    guard let expires = Self.date("Expires", headers, receivedAt) else { return .zero }
    return Self.duration(expires.timeIntervalSince(made))
  }

  /// A part of the time since the reply was last modified, at most a tenth (RFC 9111, section 4.2.2).
  func guess(_ part: Double) -> Duration {
    let part = part.isNaN ? 0 : min(max(0, part), 0.1)
    guard part > 0, let modified = Self.date("Last-Modified", headers, receivedAt) else { return .zero }
    return Self.duration(made.timeIntervalSince(modified) * part)
  }

  /// How old the reply was when it arrived, in seconds (RFC 9111, section 4.2.3).
  func initialAge(requestedAt: Date?) -> Double {
    let apparent = max(0, receivedAt.timeIntervalSince(made))
    let delay = requestedAt.map { max(0, receivedAt.timeIntervalSince($0)) } ?? 0
    return min(max(apparent, age + delay), Double(DeltaSeconds.most))
  }

  /// What `Age` says; of a list the first, and zero for what is no number (RFC 9111, section 5.1).
  private var age: Double {
    guard let field = headers.values(for: "Age").first else { return 0 }
    let first = field.prefix { $0 != "," }.trimmingCharacters(in: .whitespaces)
    return Double(DeltaSeconds.parse(first) ?? 0)
  }

  private static func date(_ name: String, _ headers: HTTPHeaders, _ now: Date) -> Date? {
    headers.values(for: name).first.flatMap { HTTPDate.parse($0, now: now) }
  }

  private static func duration(_ seconds: Double) -> Duration {
    .seconds(min(max(0, seconds), Double(DeltaSeconds.most)))
  }
}

/// What `Vary` names (RFC 9110, section 12.5.5).
struct VaryNames {
  /// The names in lower case, each once, in order.
  let names: [String]
  /// Whether `*` is among them.
  let isAll: Bool

  init(_ headers: HTTPHeaders) {
    var names: [String] = []
    for field in headers.values(for: "Vary") {
      for member in field.split(separator: ",") {
        let name = member.trimmingCharacters(in: .whitespaces).lowercased()
        if !name.isEmpty, !names.contains(name) { names.append(name) }
      }
    }
    isAll = names.contains("*")
    self.names = names.filter { $0 != "*" }
  }
}

/// Which replies a private cache may keep (RFC 9111, section 3).
enum StorageRules {
  /// Whether a status may be kept although nothing says for how long (RFC 9110, section 15.1). Not 206: parts are not
  /// kept.
  static func isKeptUnasked(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }

  /// Whether `method` is GET; methods are told apart by case (RFC 9110, section 9.1).
  static func isGet(_ method: String) -> Bool { method == "GET" }

  static func mayStore(
    status: Int, method: String, control: CacheControl, asked: CacheControl, hasExpires: Bool
  ) -> Bool {
    guard isGet(method), (200...599).contains(status), status != 206, status != 304, !asked.noStore else {
      return false
    }
    if control.mustUnderstand {
      // Overrides no-store for those who know the status, and forbids it to all others (RFC 9111, section 5.2.2.3).
      guard isUnderstood(status) else { return false }
    } else if control.noStore {
      return false
    }
    return isKeptUnasked(status) || control.has("max-age") || hasExpires || control.isPublic || control.isPrivate
  }

  /// Whether the meaning of a status to a cache is known here: those that RFC 9110, section 15, defines.
  private static func isUnderstood(_ status: Int) -> Bool {
    switch status {
    case 200...205, 300...303, 307, 308, 400...417, 421, 422, 426, 500...505: true
    default: false
    }
  }
}
