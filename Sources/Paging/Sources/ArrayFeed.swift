import Synchronization

/// The arrays of an asynchronous sequence: the newest one, and the one that the generation reads which began last.
///
/// The sequence is read from the first load or stream of changes on, until the feed is released or the last stream has
/// ended. Memory: two arrays.
final class ArrayFeed<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private struct State {
    var newest: [Item]?
    /// What the last refresh read: appends and prepends go on with it.
    var read: [Item]?
    var failure: (any Error)?
    var hasEnded = false
    var iteration: Task<Void, Never>?
    /// Which iteration runs; what an earlier one still brings is not taken.
    var number: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var nextID: UInt64 = 0
  }

  private let state = Mutex(State())
  private let signal = ChangeSignal<Item>()
  private let iterate: @Sendable (_ took: @Sendable ([Item]) -> Bool) async throws -> Void

  init<Updates: AsyncSequence & Sendable>(_ updates: Updates) where Updates.Element == [Item] {
    iterate = { took in
      for try await items in updates {
        guard took(items) else { return }
      }
    }
  }

  deinit { state.withLock { $0.iteration }?.cancel() }

  /// The newest array; nil before the first.
  var newest: [Item]? { state.withLock { $0.newest } }

  /// A stream that hears of each array after the first.
  func changes() -> AsyncStream<SourceChange<Item>> {
    let stream = signal.stream { [weak self] in self?.stopUnlessHeard() }
    state.withLock { start(&$0) }
    return stream
  }

  /// The array that a load reads: a refresh the newest one, for which it waits if there is none yet; others the same
  /// one.
  ///
  /// - Throws: What the sequence threw; `CancellationError` where the wait was cancelled.
  func items(for type: LoadType) async throws -> [Item] {
    while true {
      let known = try state.withLock { state -> [Item]? in
        if type != .refresh, let read = state.read { return read }
        if let failure = state.failure { throw failure }
        guard let newest = state.newest ?? (state.hasEnded ? [] : nil) else {
          start(&state)
          return nil
        }
        state.read = newest
        return newest
      }
      if let known { return known }
      await somethingCame()
      try Task.checkCancellation()
    }
  }

  // MARK: - Waiting for the first array

  private func somethingCame() async {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if Task.isCancelled || state.newest != nil || state.hasEnded { return true }
          state.waiting[id] = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }
  }

  private static func takeWaiting(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    defer { state.waiting = [:] }
    return Array(state.waiting.values)
  }

  // MARK: - Reading the sequence

  private func start(_ state: inout State) {
    guard state.iteration == nil, !state.hasEnded else { return }
    state.number += 1
    state.iteration = Task.detached { [weak self, iterate, number = state.number] in
      do {
        try await iterate { [weak self] items in self?.came(items, in: number) ?? false }
        self?.ended(nil, in: number)
      } catch {
        self?.ended(error, in: number)
      }
    }
  }

  /// - Returns: Whether more is wanted.
  private func came(_ items: [Item], in number: UInt64) -> Bool {
    let (isWanted, isFirst, waiting) = state.withLock { state in
      guard state.number == number else { return (false, true, [CheckedContinuation<Void, Never>]()) }
      defer { state.newest = items }
      return (true, state.newest == nil, Self.takeWaiting(&state))
    }
    for continuation in waiting { continuation.resume() }
    // Nothing was read before the first one, so nothing is out of date.
    if isWanted, !isFirst { signal.send(.everything) }
    return isWanted
  }

  private func ended(_ failure: (any Error)?, in number: UInt64) {
    let (hadRows, waiting) = state.withLock { state in
      guard state.number == number else { return (false, [CheckedContinuation<Void, Never>]()) }
      state.iteration = nil
      state.hasEnded = true
      state.failure = failure
      return (state.newest != nil, Self.takeWaiting(&state))
    }
    for continuation in waiting { continuation.resume() }
    // Rows that are shown can't change any more: the refresh that follows says why. Who still waits for some hears it
    // so.
    if failure != nil, hadRows { signal.send(.everything) }
  }

  /// Ends the iteration where nobody hears what comes of it.
  private func stopUnlessHeard() {
    let iteration = state.withLock { state -> Task<Void, Never>? in
      guard state.waiting.isEmpty, !signal.isHeard else { return nil }
      state.number += 1
      defer { state.iteration = nil }
      return state.iteration
    }
    iteration?.cancel()
  }
}
