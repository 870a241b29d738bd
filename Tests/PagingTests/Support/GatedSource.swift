import Paging
import Synchronization

/// A source whose loads wait until the test says what becomes of each.
///
/// It also counts how many loads are under way in each direction. Cancellation is noted and then obeyed or, where the source is
/// said to ignore it, not.
final class GatedSource<Key: Hashable & Sendable, Item: Identifiable & Sendable>: PageSource where Item.ID: Sendable {
  /// One load that has begun.
  struct Load: Sendable {
    /// Which one it is, from 0, in the order in which they began.
    let number: Int
    let params: LoadParams<Key>
    fileprivate(set) var wasCancelled = false
    fileprivate(set) var hasEnded = false
  }

  private struct State {
    var loads: [Load] = []
    var held: [Int: CheckedContinuation<Page<Key, Item>, any Error>] = [:]
    /// What was said of loads between their beginning and their being held.
    var decided: [Int: Result<Page<Key, Item>, any Error>] = [:]
    var running: [LoadType: Int] = [:]
    var most: [LoadType: Int] = [:]
    var mostInAll = 0
    var watchers: [(reached: @Sendable ([Load]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []

    /// Takes out those whose wait is over.
    mutating func takeReached() -> [CheckedContinuation<Void, Never>] {
      let reached = watchers.filter { $0.reached(loads) }
      watchers.removeAll { $0.reached(loads) }
      return reached.map(\.continuation)
    }
  }

  private let state = Mutex(State())
  private let ignoresCancellation: Bool

  init(ignoresCancellation: Bool = false) {
    self.ignoresCancellation = ignoresCancellation
  }

  func load(_ params: LoadParams<Key>) async throws -> Page<Key, Item> {
    let number = begin(params)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        hold(number, continuation)
      }
    } onCancel: {
      cancelled(number)
    }
  }

  // MARK: - What the test sees

  /// All loads that have begun.
  var loads: [Load] { state.withLock { $0.loads } }

  /// What was asked for, in order.
  var params: [LoadParams<Key>] { loads.map(\.params) }

  /// How many loads of that type are under way.
  func running(_ type: LoadType) -> Int { state.withLock { $0.running[type, default: 0] } }

  /// How many loads of that type were under way at the same time, at most.
  func mostRunning(_ type: LoadType) -> Int { state.withLock { $0.most[type, default: 0] } }

  /// How many loads of all types were under way at the same time, at most.
  var mostRunning: Int { state.withLock { $0.mostInAll } }

  // MARK: - What the test waits for

  /// Returns when that many loads have begun, since the source was made.
  func begun(_ count: Int) async { await reached { $0.count >= count } }

  /// Returns when load `number` was cancelled.
  func cancelled(load number: Int) async {
    await reached { $0.indices.contains(number) && $0[number].wasCancelled }
  }

  // MARK: - What the test decides

  /// Load `number` returns that page. False, where it has ended already or has not begun.
  @discardableResult func succeed(_ number: Int, with page: Page<Key, Item>) -> Bool { end(number, .success(page)) }

  /// Load `number` throws that error.
  @discardableResult func fail(_ number: Int, with error: any Error) -> Bool { end(number, .failure(error)) }

  /// Load `number` throws `CancellationError`, though nobody may have cancelled it.
  @discardableResult func throwCancellation(_ number: Int) -> Bool { end(number, .failure(CancellationError())) }

  // MARK: - Inside

  private func begin(_ params: LoadParams<Key>) -> Int {
    let number = state.withLock { state in
      let number = state.loads.count
      state.loads.append(Load(number: number, params: params))
      state.running[params.type, default: 0] += 1
      state.most[params.type] = max(state.most[params.type, default: 0], state.running[params.type, default: 0])
      state.mostInAll = max(state.mostInAll, state.running.values.reduce(0, +))
      return number
    }
    wakeWatchers()
    return number
  }

  private func hold(_ number: Int, _ continuation: CheckedContinuation<Page<Key, Item>, any Error>) {
    let outcome = state.withLock { state in
      let outcome = state.decided.removeValue(forKey: number)
      if outcome == nil { state.held[number] = continuation }
      return outcome
    }
    if let outcome { continuation.resume(with: outcome) }
  }

  private func cancelled(_ number: Int) {
    state.withLock { $0.loads[number].wasCancelled = true }
    if !ignoresCancellation { end(number, .failure(CancellationError())) }
    wakeWatchers()
  }

  @discardableResult private func end(_ number: Int, _ outcome: Result<Page<Key, Item>, any Error>) -> Bool {
    let (ends, continuation) = state.withLock { state in
      guard state.loads.indices.contains(number), !state.loads[number].hasEnded else {
        return (false, CheckedContinuation<Page<Key, Item>, any Error>?.none)
      }
      state.loads[number].hasEnded = true
      state.running[state.loads[number].params.type, default: 0] -= 1
      let continuation = state.held.removeValue(forKey: number)
      if continuation == nil { state.decided[number] = outcome }
      return (true, continuation)
    }
    continuation?.resume(with: outcome)
    return ends
  }

  private func reached(_ condition: @escaping @Sendable ([Load]) -> Bool) async {
    await withCheckedContinuation { continuation in
      state.withLock { $0.watchers.append((condition, continuation)) }
      wakeWatchers()
    }
  }

  private func wakeWatchers() {
    for continuation in state.withLock({ $0.takeReached() }) { continuation.resume() }
  }
}
