import Foundation
import LoadingHTTP
import Synchronization

/// Sends a probe's requests: not too fast, not too many, and not while the server asks to be left alone. Remembers the
/// last one and what came of it.
final class ProbeTransport: HTTPTransport {
  /// A request that was made.
  struct Sent: Sendable {
    let request: HTTPRequest
    /// What came; nil where nothing did.
    var reply: HTTPReply?
    /// How long that took.
    var milliseconds = 0
  }

  /// No further request may be made.
  enum Stop: Error, Hashable, Sendable {
    /// So many were made already.
    case requests(Int)
    /// The server asks to wait longer than a probe does, in seconds.
    case waits(Int)

    /// In words, for the report.
    var words: String {
      switch self {
      case .requests(let limit): "what is left: the limit of \(limit) requests was reached."
      case .waits(let seconds): "what is left: the server asks to wait \(seconds) seconds more."
      }
    }
  }

  private struct State {
    var count = 0
    var last: Sent?
    var nextAt: ContinuousClock.Instant?
    var waited = Duration.zero
    var throttles = (count: 0, seconds: 0)
  }

  /// How long a probe waits in all because a server asks it to.
  static let maxWait = Duration.seconds(120)
  /// How often one request is made anew after a wait.
  private static let maxAttempts = 3

  private let transport: any HTTPTransport
  private let limit: Int
  private let pace: Duration
  private let notes: Notes
  private let state = Mutex(State())

  /// A transport that sends at most `limit` requests by `transport`, each at least `pace` after the one before.
  init(_ transport: any HTTPTransport, limit: Int, pace: Duration, notes: Notes) {
    self.transport = transport
    self.limit = limit
    self.pace = pace
    self.notes = notes
  }

  /// How many requests were made.
  var count: Int { state.withLock { $0.count } }
  /// The last request.
  var last: Sent? { state.withLock { $0.last } }
  /// How often the server asked to wait, and for how many seconds at most.
  var throttles: (count: Int, seconds: Int) { state.withLock { $0.throttles } }

  func send(_ request: HTTPRequest) async throws -> HTTPReply {
    var attempt = 1
    while true {
      try await takeTurn(request)
      let clock = ContinuousClock()
      let start = clock.now
      let reply = try await transport.send(request)
      let milliseconds = Int((clock.now - start) / .milliseconds(1))
      state.withLock { $0.last = Sent(request: request, reply: reply, milliseconds: milliseconds) }
      let wait = ServerBudget.wait(toldBy: reply)
      guard wait != nil || [429, 503].contains(reply.status) else {
        if let pause = ServerBudget.pause(after: reply) { try rest(for: pause) }
        return reply
      }
      let seconds = wait.map { Int($0.components.seconds) } ?? 0
      let waited = state.withLock { state in
        state.throttles = (state.throttles.count + 1, max(state.throttles.seconds, seconds))
        state.waited += wait ?? .zero
        return state.waited
      }
      guard let wait, attempt < Self.maxAttempts else { return reply }
      guard waited <= Self.maxWait else { throw Stop.waits(seconds) }
      notes.say("waits \(seconds) s, as the server asks.")
      try await Task.sleep(for: wait)
      attempt += 1
    }
  }

  func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    try await takeTurn(request)
    return try await transport.stream(request)
  }

  /// Puts the next request off, as a server asks with a good reply.
  private func rest(for pause: Duration) throws {
    let seconds = Int(pause.components.seconds)
    let waited = state.withLock { state in
      state.throttles = (state.throttles.count + 1, max(state.throttles.seconds, seconds))
      state.waited += pause
      state.nextAt = max(state.nextAt ?? .now, .now + pause)
      return state.waited
    }
    if waited > Self.maxWait { throw Stop.waits(seconds) }
  }

  private func takeTurn(_ request: HTTPRequest) async throws {
    let turn = try state.withLock { state throws(Stop) -> ContinuousClock.Instant in
      guard state.count < limit else { throw .requests(limit) }
      state.count += 1
      state.last = Sent(request: request)
      let turn = max(state.nextAt ?? .now, .now)
      state.nextAt = turn + pace
      return turn
    }
    notes.progress("\(count) of at most \(limit) requests")
    if turn > .now { try await Task.sleep(until: turn) }
  }
}
