import Foundation
import LoadingHTTP
import Synchronization

/// Sends requests on, and waits where a server says that it must not be asked yet: a walk has time.
///
/// A refusal with status 429 or 503 that says how long (`Retry-After`) is asked again then; so is one with 403 or 429
/// of a server that says when its budget is full again (`X-RateLimit-Reset` where `X-RateLimit-Remaining` is 0). After
/// a reply with `Backoff`, as Kinto gives one, the next request waits. What would take longer than ``longest`` isn't
/// waited for, nor is a server that refuses ``mostRefusals`` times in a row. A wait ends at once when its task is
/// cancelled.
final class PatientTransport: HTTPTransport {
  /// The longest wait.
  static let longest = Duration.seconds(900)
  /// How often in a row one request may be refused.
  static let mostRefusals = 20

  private let transport: any HTTPTransport
  private let notes: Notes
  private let clock = ContinuousClock()
  /// Until when nothing is to be asked.
  private let closedUntil = Mutex<ContinuousClock.Instant?>(nil)

  /// A transport that sends by `transport` and says in `notes` what it waits for.
  init(_ transport: any HTTPTransport, notes: Notes) {
    self.transport = transport
    self.notes = notes
  }

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    var refusals = 0
    while true {
      if let until = closedUntil.withLock({ $0 }), until > clock.now { try await clock.sleep(until: until) }
      let reply = try await transport.send(request)
      if let wait = ServerBudget.pause(after: reply) { close(for: min(wait, Self.longest)) }
      guard let wait = ServerBudget.wait(toldBy: reply), wait <= Self.longest, refusals < Self.mostRefusals else {
        return reply
      }
      refusals += 1
      close(for: wait)
      let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
      notes.say("the server asks to wait \(grouped(seconds)) s (status \(reply.status)); waiting.")
    }
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    try await transport.stream(request)
  }

  private func close(for wait: Duration) {
    let until = clock.now + wait
    closedUntil.withLock { $0 = max($0 ?? until, until) }
  }
}

/// How long a server wants to be left alone, as its replies tell.
enum ServerBudget {
  /// How long to wait before a refused request is sent again; nil: it was not refused for its time, or nothing says how
  /// long.
  static func wait(toldBy reply: HTTPReply) -> Duration? {
    switch reply.status {
    case 429, 503: reply.retryAfter ?? (reply.status == 429 ? reset(in: reply) : nil)
    case 403: reset(in: reply)
    default: nil
    }
  }

  /// How long to wait after a good reply, as its `Backoff` says in seconds; nil: not at all.
  static func pause(after reply: HTTPReply) -> Duration? {
    guard (200..<300).contains(reply.status) else { return nil }
    return reply.headers["Backoff"].flatMap { Int($0) }.flatMap { $0 > 0 ? .seconds(min($0, 1 << 31)) : nil }
  }

  /// When a spent budget is full again: seconds from now, or since 1970.
  private static func reset(in reply: HTTPReply) -> Duration? {
    for prefix in ["X-RateLimit-", "RateLimit-", "X-Rate-Limit-"]
    where reply.headers[prefix + "Remaining"].flatMap({ Int($0) }) == 0 {
      guard let number = reply.headers[prefix + "Reset"].flatMap({ Int($0) }), number >= 0 else { continue }
      // No budget lasts for decades, and no clock stands before 2001.
      guard number > 1_000_000_000 else { return .seconds(number) }
      let seconds = Double(number) - reply.receivedAt.timeIntervalSince1970
      return .seconds(Int(min(max(1, seconds.rounded(.up)), Double(1 << 31))))
    }
    return nil
  }
}
