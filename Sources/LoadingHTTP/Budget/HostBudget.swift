public import Foundation
import Loading
import Synchronization

/// What each server is asked at a time, shared by every list and loader that is given it.
///
/// A server is scheme, host name and port. Requests beyond the limit wait, and go out by the priority of their
/// ``HTTPRequest/ticket``, which may be changed meanwhile; those of one priority in the order in which they came.
///
/// A reply of status 429 or 503 with a `Retry-After` that can be read closes its server for all who share the budget,
/// for the time told, at most `maxCoolDown`. That reply goes to the one who asked; the others wait. When the time is up
/// one request goes first, and the rest follow once it was answered with anything but another refusal. What is under
/// way when a server closes goes on.
///
/// Give it to ``URLSessionTransport`` or, in front of any other transport, to ``BudgetedTransport``. Memory: the
/// requests that wait or are out, and the servers that refused; those that nobody asked again are swept as their number
/// doubles. Callable from any thread. Source: RFC 9110, section 10.2.3; RFC 6585, section 4.
public final class HostBudget: Sendable {
  private struct Waiting {
    let continuation: CheckedContinuation<Void, any Error>
    let ticket: LoadTicket
  }

  private struct State {
    var decisions: BudgetState
    var waiting: [UInt64: Waiting] = [:]
    var nextID: UInt64 = 1
    /// What sleeps until the next server may be asked again.
    var waker: Task<Void, Never>?
  }

  private let state: Mutex<State>
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (_ until: Duration) async throws -> Void

  /// A budget that nobody has used yet.
  ///
  /// Stops the program with a message naming the value when one makes no sense: these are written by a developer, not
  /// by a server or a user.
  ///
  /// - Parameters:
  ///   - maxConcurrentPerHost: How many requests may be out to one server, from 1 to 1,000. A streamed body counts
  ///     until it has arrived, or nobody reads it any more.
  ///   - maxCoolDown: The longest that a server is left alone, whatever it asks for: more than zero and at most a day.
  ///   - clock: What that time is measured on.
  public init(
    maxConcurrentPerHost: Int = 4, maxCoolDown: Duration = .seconds(600), clock: any Clock<Duration> = ContinuousClock()
  ) {
    if let problem = Self.problem(maxConcurrentPerHost: maxConcurrentPerHost, maxCoolDown: maxCoolDown) {
      preconditionFailure(problem)
    }
    state = Mutex(State(decisions: BudgetState(maxPerHost: maxConcurrentPerHost, maxCoolDown: maxCoolDown)))
    (elapsed, sleep) = Self.time(on: clock)
  }

  deinit { state.withLock { $0.waker }?.cancel() }

  /// How long the server of `url` is still left alone; nil when it may be asked, and for what is no http or https URL.
  public func coolDown(for url: URL) -> Duration? {
    guard let host = BudgetHost(url) else { return nil }
    let now = elapsed()
    return state.withLock { $0.decisions.coolDown(of: host, now: now) }
  }

  /// How many requests wait and how many are out, to all servers together.
  package var load: (waiting: Int, running: Int) {
    state.withLock { ($0.decisions.waiting, $0.decisions.running) }
  }

  /// What is wrong with those values, or nil.
  static func problem(maxConcurrentPerHost: Int, maxCoolDown: Duration) -> String? {
    if !(1...1_000).contains(maxConcurrentPerHost) {
      return "HostBudget: maxConcurrentPerHost is \(maxConcurrentPerHost); give a number from 1 to 1000"
    }
    if maxCoolDown <= .zero || maxCoolDown > .seconds(86_400) {
      return "HostBudget: maxCoolDown is \(maxCoolDown); give more than zero and at most a day"
    }
    return nil
  }

  private static func time<C: Clock<Duration>>(
    on clock: C
  ) -> (@Sendable () -> Duration, @Sendable (Duration) async throws -> Void) {
    let start = clock.now
    return ({ start.duration(to: clock.now) }, { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) })
  }

  // MARK: - For transports

  /// Waits until one request may go to the server of `url`.
  ///
  /// - Returns: What to tell of the answer and its end; nil for what is no http or https URL, which is not counted.
  /// - Throws: `CancellationError` when the task is cancelled before the turn came. Therefore untyped.
  func pass(to url: URL, _ ticket: LoadTicket) async throws -> BudgetPass? {
    guard let host = BudgetHost(url) else { return nil }
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    let observation = ticket.observe { [weak self] in self?.priorityChanged(of: id) }
    defer { ticket.stopObserving(observation) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        var isCancelled = false
        perform { state, now in
          // A cancellation from here on finds the request; one before has set the flag.
          isCancelled = Task.isCancelled
          if isCancelled { return [] }
          state.waiting[id] = Waiting(continuation: continuation, ticket: ticket)
          return state.decisions.asked(id, host, priority: ticket.priority, now: now)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      cancelled(id)
    }
    return BudgetPass(id: id, host: host, budget: self)
  }

  func answered(_ id: UInt64, _ host: BudgetHost, _ answer: BudgetState.Answer) {
    perform { $0.decisions.answered(id, host, answer, now: $1) }
  }

  func ended(_ id: UInt64) {
    perform { $0.decisions.ended(id, now: $1) }
  }

  // MARK: - Inside

  /// Reads the priority under the lock: of changes made at the same time, the last one to come here sees what holds.
  private func priorityChanged(of id: UInt64) {
    perform { state, now in
      guard let ticket = state.waiting[id]?.ticket else { return [] }
      return state.decisions.reprioritised(id, to: ticket.priority, now: now)
    }
  }

  private func cancelled(_ id: UInt64) {
    var continuation: CheckedContinuation<Void, any Error>?
    perform { state, now in
      let (wasWaiting, actions) = state.decisions.cancelled(id, now: now)
      if wasWaiting { continuation = state.waiting.removeValue(forKey: id)?.continuation }
      return actions
    }
    continuation?.resume(throwing: CancellationError())
  }

  /// Lets one event happen, and does outside the lock what follows from it.
  ///
  /// - Parameter moment: What the time is at least; a waker's, since a clock may wake it a little early.
  private func perform(
    notBefore moment: Duration = .zero, _ event: (inout State, _ now: Duration) -> [BudgetState.Action]
  ) {
    let now = max(elapsed(), moment)
    var replaced: Task<Void, Never>?
    let started = state.withLock { state in
      var started: [CheckedContinuation<Void, any Error>] = []
      for action in event(&state, now) {
        switch action {
        case .start(let id): state.waiting.removeValue(forKey: id).map { started.append($0.continuation) }
        case .wake(let moment):
          replaced = state.waker
          state.waker = moment.map { waker(at: $0) }
        }
      }
      return started
    }
    replaced?.cancel()
    for continuation in started { continuation.resume() }
  }

  private func waker(at moment: Duration) -> Task<Void, Never> {
    Task.detached { [weak self, sleep] in
      do { try await sleep(moment) } catch {
        // Replaced by a later one, or the budget has gone. A clock that fails otherwise must not hold requests for
        // good.
        if Task.isCancelled { return }
      }
      self?.perform(notBefore: moment) { $0.decisions.timePassed(now: $1) }
    }
  }
}
