import Synchronization

/// Notes of what happened, in order, which a test can wait for.
final class Log<Entry: Sendable & Equatable>: Sendable {
  private struct State {
    var entries: [Entry] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  var entries: [Entry] { state.withLock { $0.entries } }
  var count: Int { entries.count }

  func add(_ entry: Entry) {
    let reached = state.withLock { state in
      state.entries.append(entry)
      let reached = state.watchers.filter { $0.count <= state.entries.count }
      state.watchers.removeAll { $0.count <= state.entries.count }
      return reached
    }
    for watcher in reached { watcher.continuation.resume() }
  }

  /// Returns when that many entries have come.
  func reached(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        if state.entries.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReached { continuation.resume() }
    }
  }
}

/// Holds work until it is let go, whatever becomes of its task: work that ignores cancellation.
final class Stop: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func open() {
    let waiting = state.withLock { state in
      defer { state = (true, []) }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// How many are in at the same time, and the most that ever were.
final class Crowd: Sendable {
  private let state = Mutex<(now: Int, most: Int, ever: Int)>((0, 0, 0))

  var now: Int { state.withLock { $0.now } }
  var most: Int { state.withLock { $0.most } }
  var ever: Int { state.withLock { $0.ever } }

  func enter() {
    state.withLock { state in
      state.now += 1
      state.ever += 1
      state.most = max(state.most, state.now)
    }
  }

  func leave() { state.withLock { $0.now -= 1 } }
}

/// Gives other tasks their turn until that holds.
func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

struct Broken: Error, Equatable {}
