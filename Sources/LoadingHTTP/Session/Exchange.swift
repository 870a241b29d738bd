import Foundation
import Synchronization

/// One request on the wire, shared by the URL session that feeds it and the task that reads it.
///
/// Memory: holds what arrived and was not read yet, at most the request's `maxBodyBytes`.
final class Exchange: Sendable {
  private struct Waiter {
    let need: ExchangeState.Need
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct Inside {
    var state: ExchangeState
    var waiters: [Waiter] = []
    /// Ends the request on the wire; nil before the start and after use.
    var end: (@Sendable () -> Void)?
    var watch: Task<Void, Never>?
    /// Who is told of the head and of the end; nil after the end.
    var pass: BudgetPass?
    var isHeadTold = false
  }

  private let inside: Mutex<Inside>
  private let now: @Sendable () -> Date

  init(url: URL, maxBodyBytes: Int, expectsBody: Bool, now: @escaping @Sendable () -> Date) {
    inside = Mutex(Inside(state: ExchangeState(url: url, maxBodyBytes: maxBodyBytes, expectsBody: expectsBody)))
    self.now = now
  }

  /// The request is about to go out; `end` ends it on the wire and is called at most once. `pass` is told of the head
  /// and then of the end, before those who wait for them.
  func started(
    timeout: Duration, clock: any Clock<Duration>, pass: BudgetPass? = nil, end: @escaping @Sendable () -> Void
  ) {
    let watch = Task { [weak self] in
      while (try? await clock.sleep(for: timeout / ExchangeState.quietTicks)) != nil, let self, !self.isOver {
        self.change { $0.ticked() }
      }
    }
    inside.withLock {
      $0.end = end
      $0.watch = watch
      $0.pass = pass
    }
  }

  private var isOver: Bool { inside.withLock { $0.state.isOver } }

  // MARK: - From the wire

  func activity() {
    inside.withLock { $0.state.activity() }
  }

  func headArrived(status: Int, headers: HTTPHeaders, url: URL, announced length: Int64) {
    let head = HTTPReply(status: status, headers: headers, body: Data(), url: url, receivedAt: now())
    change { $0.headArrived(head, announced: length) }
  }

  func pieceArrived(_ piece: Data) {
    change { $0.pieceArrived(piece) }
  }

  /// The request ended on the wire; `late` is the head where none was announced, and has arrived now.
  func completed(code: Int?, cause: (any Error)?, late: HTTPReply?) {
    var late = late
    late?.receivedAt = now()
    change { [late] in
      $0.completed(code: code, cause: cause, late: late)
      return false
    }
  }

  /// Ends the request, with `error` for whoever reads it.
  func stop(with error: any Error) {
    change { $0.stopped(with: error) }
  }

  /// What follows from an event, done after the lock is released.
  private struct Effects {
    var ready: [Waiter] = []
    var head: HTTPReply?
    var pass: BudgetPass?
    var isOver = false
    var end: (@Sendable () -> Void)?
    var watch: Task<Void, Never>?
  }

  /// Applies one event; tells the budget, wakes readers and ends the request after the lock is released.
  private func change(_ event: (inout ExchangeState) -> Bool) {
    let effects = inside.withLock { inside -> Effects in
      var effects = Effects()
      let endsNow = event(&inside.state)
      let state = inside.state
      effects.ready = inside.waiters.filter { state.satisfies($0.need) }
      if !effects.ready.isEmpty { inside.waiters.removeAll { state.satisfies($0.need) } }
      effects.pass = inside.pass
      if !inside.isHeadTold, let head = state.head {
        inside.isHeadTold = true
        effects.head = head
      }
      guard state.isOver else { return effects }
      effects.isOver = true
      effects.end = endsNow ? inside.end : nil
      effects.watch = inside.watch
      inside.end = nil
      inside.watch = nil
      inside.pass = nil
      return effects
    }
    if let head = effects.head { effects.pass?.answered(head) }
    if effects.isOver { effects.pass?.end() }
    for waiter in effects.ready { waiter.continuation.resume() }
    effects.end?()
    effects.watch?.cancel()
  }

  // MARK: - To the reader

  /// The head of the answer; for a redirect, after its end.
  func head() async throws -> HTTPReply? {
    await wait(for: .head)
    return try inside.withLock { try $0.state.readHead() }
  }

  /// What arrived since the last call, waiting for it; nil at the end of the body.
  func piece() async throws -> Data? {
    await wait(for: .piece)
    return try inside.withLock { try $0.state.readPiece() }
  }

  /// The head and the whole body.
  func whole() async throws -> HTTPReply? {
    await wait(for: .end)
    return try inside.withLock { try $0.state.readWhole() }
  }

  /// Waits until the state satisfies `need`; cancelling the waiting task stops the exchange, which satisfies all.
  private func wait(for need: ExchangeState.Need) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = inside.withLock {
          if $0.state.satisfies(need) { return true }
          $0.waiters.append(Waiter(need: need, continuation: continuation))
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      stop(with: CancellationError())
    }
  }
}
