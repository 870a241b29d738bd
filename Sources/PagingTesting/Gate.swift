import Synchronization

/// A closed gate that work waits at until a test opens it.
///
/// Gives a test the order of events: it holds a load, does something meanwhile, and lets the load go on.
///
/// ```swift
/// let gate = Gate()
/// let source = ScriptedPageSource<Int, SampleItem>(clock: clock, steps: [.held(by: gate, .page(page))])
/// …
/// await gate.waiting(atLeast: 1)  // the load has begun
/// gate.open()  // and now it returns
/// ```
///
/// Every member may be used from any thread.
public final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var nextID: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]
  }

  private let state = Mutex(State())
  private let atGate = Tally()

  /// A closed gate.
  public init() {}

  /// Lets all go on who wait, and all who come later; a gate stays open.
  public func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    atGate.add(-waiting.count)
    for continuation in waiting { continuation.resume() }
  }

  /// Whether the gate was opened.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// How many wait at the gate now.
  public var waiting: Int { state.withLock { $0.waiting.count } }

  /// Returns when at least `count` wait at the gate at the same time, or when the task that asks is cancelled.
  public func waiting(atLeast count: Int) async {
    await atGate.reached(count)
  }

  /// Returns when the gate is open.
  ///
  /// - Throws: `CancellationError`, as soon as the task that waits is cancelled.
  public func pass() async throws {
    try Task.checkCancellation()
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.isOpen { return .success(()) }
          state.waiting[id] = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) } else { atGate.add(1) }
      }
    } onCancel: {
      guard let continuation = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
      atGate.add(-1)
      continuation.resume(throwing: CancellationError())
    }
  }
}
