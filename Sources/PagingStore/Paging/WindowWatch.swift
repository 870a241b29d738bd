import Paging
import Synchronization

/// Hears the store for one page source, and tells its pager what concerns the rows that it loaded.
final class WindowWatch<Item: StoredItem>: Sendable {
  private struct State {
    /// The rows of the newest generation.
    var current = LoadedRows()
    /// Those of the ones before, one of which may be on screen still; the latest first.
    var previous: [LoadedRows] = []
    /// Windows that are being read, with what was committed meanwhile.
    var reading: [UInt64: StoreChange] = [:]
    var nextReading: UInt64 = 0
    var subscription: ChangeSubscription?
  }

  private let list: StoredList<Item>
  private let signal = ChangeSignal<ListRow<Item>>()
  private let state = Mutex(State())
  /// Held while copies are read and told, so that an older one is never told after a fresher one.
  private let telling = Mutex(())

  /// A refresh that was given up leaves an older generation on screen.
  private static var keptGenerations: Int { 3 }

  /// A watch over nothing yet.
  init(_ list: StoredList<Item>) {
    self.list = list
  }

  /// What concerns the rows, from now on.
  func changes() -> AsyncStream<SourceChange<ListRow<Item>>> {
    listen()
    return signal.stream()
  }

  /// A window is going to be read.
  ///
  /// - Returns: What ``ended(_:with:)`` is called with.
  func begin(isRefresh: Bool) -> UInt64 {
    listen()
    return state.withLock { state in
      if isRefresh {
        if state.current.list != nil {
          state.previous.insert(state.current, at: 0)
          state.previous.removeLast(max(0, state.previous.count - Self.keptGenerations))
        }
        state.current = LoadedRows()
      }
      state.nextReading += 1
      state.reading[state.nextReading] = StoreChange(sequence: 0)
      return state.nextReading
    }
  }

  /// The window was read; nil: it couldn't be, or the list isn't there yet.
  ///
  /// - Returns: Whether it is to be read again, because a commit after it touched it before anybody could be told.
  func ended(_ reading: UInt64, with window: Window?) -> Bool {
    state.withLock { state in
      guard let missed = state.reading.removeValue(forKey: reading) else { return false }
      guard let window else { return false }
      var rows = LoadedRows()
      rows.add(window)
      if missed.sequence > window.sequence, rows.effect(of: missed, on: list.id) != .none { return true }
      state.current.add(window)
      return false
    }
  }

  /// Where a loaded item stood when it was read.
  func standing(of item: Int64) -> ListKey.Standing? {
    state.withLock { state in
      state.current.standing(of: item) ?? state.previous.lazy.compactMap { $0.standing(of: item) }.first
    }
  }

  /// The item below a loaded gap.
  func row(below gap: Int64) -> Int64? {
    state.withLock { state in
      state.current.row(below: gap) ?? state.previous.lazy.compactMap { $0.row(below: gap) }.first
    }
  }

  private func listen() {
    let isListening = state.withLock { $0.subscription != nil }
    guard !isListening else { return }
    let subscription = list.core.hub.subscribe { [weak self] in self?.heard($0) }
    // Of two that listen at once one is let go of, outside the lock, as its end asks the hub.
    let spare = state.withLock { state in
      guard state.subscription == nil else { return Optional(subscription) }
      state.subscription = subscription
      return nil
    }
    spare?.cancel()
  }

  private func heard(_ change: StoreChange) {
    telling.withLock { _ in
      let effect = state.withLock { state in
        for reading in state.reading.keys { state.reading[reading]?.fold(change) }
        return state.previous.reduce(state.current.effect(of: change, on: list.id)) {
          $0.joined($1.effect(of: change, on: list.id))
        }
      }
      switch effect {
      case .none: break
      case .everything: signal.send(.everything)
      case .items(let numbers):
        // What can't be read now is said by the load that follows.
        signal.send((try? list.rows(of: numbers)).map { .items($0) } ?? .everything)
      }
    }
  }
}

extension LoadedRows.Effect {
  /// What two changes mean together.
  fileprivate func joined(_ other: LoadedRows.Effect) -> LoadedRows.Effect {
    switch (self, other) {
    case (.everything, _), (_, .everything): .everything
    case (.none, let effect), (let effect, .none): effect
    case (.items(let items), .items(let others)): .items(items.union(others))
    }
  }
}
