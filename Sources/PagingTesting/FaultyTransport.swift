public import Foundation
public import LoadingHTTP
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport that goes wrong by script, in front of one that doesn't.
///
/// ```swift
/// let transport = FaultyTransport(stub, clock: clock)
/// transport.plan(.reset, .status(503, retryAfter: "2"), .latency(.seconds(1)), .truncate(after: 10))
/// ```
///
/// Each request takes the next fault of the plan; when none is left, requests pass unharmed. Callable from any thread.
public final class FaultyTransport: HTTPTransport {
  /// What happens to one request; more may come.
  public struct Fault: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case none, reset, hang
      case latency(Duration)
      case truncate(Int)
      case status(Int, String?)
    }

    let kind: Kind

    /// Nothing: the request passes.
    public static let none = Fault(kind: .none)
    /// The connection breaks before an answer; the server never sees the request.
    public static let reset = Fault(kind: .reset)
    /// Nothing comes until the task is cancelled.
    public static let hang = Fault(kind: .hang)

    /// The answer comes so much later.
    public static func latency(_ duration: Duration) -> Fault { Fault(kind: .latency(duration)) }

    /// The body breaks off after so many bytes, at most one less than it has: `send` fails, a stream's reader sees the
    /// bytes and then the failure.
    public static func truncate(after bytes: Int) -> Fault { Fault(kind: .truncate(max(0, bytes))) }

    /// The answer has that status, no body, and `Retry-After` where one is given; the server never sees the request.
    public static func status(_ status: Int, retryAfter: String? = nil) -> Fault {
      Fault(kind: .status(status, retryAfter))
    }
  }

  private struct State {
    var plan: [Fault] = []
    var count = 0
  }

  private let base: any HTTPTransport
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  private let state = Mutex(State())

  /// `base`, unharmed until there is a plan.
  ///
  /// - Parameters:
  ///   - base: Who answers what passes.
  ///   - clock: What latency is measured by.
  ///   - now: What the replies that are made up here are dated by.
  public init(
    _ base: any HTTPTransport, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 0) }
  ) {
    self.base = base
    self.clock = clock
    self.now = now
  }

  /// Adds faults at the end of the plan, one for each request to come.
  public func plan(_ faults: Fault...) {
    state.withLock { $0.plan += faults }
  }

  /// How many faults of the plan no request has taken yet.
  public var faultsLeft: Int { state.withLock { $0.plan.count } }

  /// How many requests came so far.
  public var requestCount: Int { state.withLock { $0.count } }

  /// Sends the request, or has it go wrong.
  ///
  /// - Throws: What the base throws; `HTTPError` for a fault; `CancellationError` when cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPReply {
    let fault = next()
    if let reply = try await answer(to: request, fault) { return reply }
    let reply = try await base.send(request)
    guard case .truncate = fault.kind, !reply.body.isEmpty else { return reply }
    throw Self.cutOff(reply)
  }

  /// Sends the request and gives the head, or has either go wrong, or the body.
  ///
  /// - Throws: What the base throws; `HTTPError` for a fault; `CancellationError` when cancelled.
  public func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    let fault = next()
    if let reply = try await answer(to: request, fault) {
      return HTTPStreamedReply(head: reply, body: AsyncThrowingStream { $0.finish() })
    }
    guard case .truncate(let most) = fault.kind else { return try await base.stream(request) }
    // Read whole, so that a body as short as the cut is cut all the same.
    var head = try await base.send(request)
    guard !head.body.isEmpty else { return HTTPStreamedReply(head: head, body: AsyncThrowingStream { $0.finish() }) }
    let kept = head.body.prefix(min(most, head.body.count - 1))
    let error = Self.cutOff(head)
    head.body = Data()
    let pieces = AsyncThrowingStream<Data, any Error> { continuation in
      if !kept.isEmpty { continuation.yield(Data(kept)) }
      continuation.finish(throwing: error)
    }
    return HTTPStreamedReply(head: head, body: pieces)
  }

  private func next() -> Fault {
    state.withLock { state in
      state.count += 1
      return state.plan.isEmpty ? .none : state.plan.removeFirst()
    }
  }

  /// What comes in the base's place; nil when the base is to answer.
  private func answer(to request: HTTPRequest, _ fault: Fault) async throws -> HTTPReply? {
    try Task.checkCancellation()
    switch fault.kind {
    case .none, .truncate: return nil
    case .latency(let duration):
      try await clock.sleep(for: duration)
      return nil
    case .reset:
      throw HTTPError(.connectionFailed, message: "the connection was reset, as the plan of the test says")
    case .hang:
      let never = AsyncStream<Never>.makeStream()
      // The continuation must live as long as the wait, or the stream would end at once.
      await withTaskCancellationHandler {
        for await _ in never.stream {}
      } onCancel: {
        never.continuation.finish()
      }
      throw CancellationError()
    case .status(let status, let retryAfter):
      var headers = HTTPHeaders()
      headers["Retry-After"] = retryAfter
      return HTTPReply(
        status: status, headers: headers, body: Data(), url: request.urlRequest.url ?? URL(filePath: "/"),
        receivedAt: now())
    }
  }

  private static func cutOff(_ reply: HTTPReply) -> HTTPError {
    HTTPError(
      .invalidResponse, message: "the body broke off before its end, as the plan of the test says", status: reply.status
    )
  }
}
