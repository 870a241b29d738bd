import Paging
import Synchronization

/// What one observer of a list's number of new items has seen, and when to count again.
final class PendingWatch<Item: StoredItem>: Sendable {
  private struct State {
    var last: PendingCount?
    var subscription: ChangeSubscription?
    /// Whether items count, by number: a rule that decodes is asked once for each. Those that wait now, and no others.
    var counted: [Int64: Bool] = [:]
    /// The items that changed while a count is under way, which may judge older copies of them; nil: none is under way.
    var changed: Set<Int64>?
    /// Whether the last count failed, so that it is reported once.
    var isFailing = false
  }

  private let list: StoredList<Item>
  private let poll: PendingPoll
  private let state = Mutex(State())
  private let signals: AsyncStream<Void>

  /// Listens from now on.
  init(_ list: StoredList<Item>) {
    self.list = list
    poll = list.core.book(of: list.id) { PendingPoll() }
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    let subscription = list.core.hub.subscribe { [weak self] change in
      if self?.isConcerned(by: change) ?? false { continuation.yield() }
    }
    state.withLock { $0.subscription = subscription }
    poll.began(every: list.policy.pollInterval, clock: list.core.clock, ask: Self.question(list))
  }

  deinit { poll.ended() }

  /// The count as it is now, the first time; then each time that it is another. nil when the task that waits is
  /// cancelled.
  func next() async -> PendingCount? {
    if let count = look() { return count }
    for await _ in signals {
      if let count = look() { return count }
    }
    return nil
  }

  private func look() -> PendingCount? {
    var asked: Set<Int64> = []
    state.withLock { $0.changed = [] }
    defer { state.withLock { $0.changed = nil } }
    do throws(ListStoreError) {
      let rule = rule
      let count = try list.core.pendingCount(
        of: list.id, policy: list.policy,
        where: rule.map { rule in
          { number, blob in
            asked.insert(number)
            return rule(number, blob)
          }
        })
      return state.withLock { state in
        state.isFailing = false
        // What was shown meanwhile, or has gone, doesn't come again by that number.
        if state.counted.count > asked.count { state.counted = state.counted.filter { asked.contains($0.key) } }
        guard state.last != count else { return nil }
        state.last = count
        return count
      }
    } catch {
      let isFirst = state.withLock { state in
        defer { state.isFailing = true }
        return !state.isFailing
      }
      if isFirst {
        list.core.report(
          ListStoreReport(kind: .pendingUncounted, list: list.name, count: 0, message: error.message))
      }
      return nil
    }
  }

  /// Whether an item counts; nil: all do.
  private var rule: ((Int64, [UInt8]) -> Bool)? {
    guard let isVisible = list.isVisible else { return nil }
    return { [list] number, blob in
      if let known = self.state.withLock({ $0.counted[number] }) { return known }
      // What doesn't decode shows nowhere.
      let counts = (try? list.coder.decode(Item.self, from: blob)).map(isVisible) ?? false
      // Of one that changed meanwhile this was an older copy; the change has it counted anew.
      self.state.withLock { if $0.changed?.contains(number) == false { $0.counted[number] = counts } }
      return counts
    }
  }

  private func isConcerned(by change: StoreChange) -> Bool {
    state.withLock { state in
      if change.isEverything {
        state.changed = nil
        state.counted = [:]
      } else {
        state.changed?.formUnion(change.items)
        for item in change.items { state.counted[item] = nil }
      }
    }
    // Which order the list shows is read anyway, so any order that changed is reason enough.
    return change.isEverything || !change.lists.isEmpty || change.names.contains(list.id)
      || change.switched.contains(list.id) || (list.isVisible != nil && !change.items.isEmpty)
  }

  /// Asks the remote once for the number of newer items; nil: it can't be asked.
  private static func question(_ list: StoredList<Item>) -> (@Sendable () async -> Void)? {
    guard let count = list.remote?.countNewer else { return nil }
    let (core, coder, id) = (list.core, list.coder, list.id)
    return { [weak core] in
      // A poll that fails says nothing; the next one may.
      guard let core, let (number, blob) = try? core.pollAnchor(of: id),
        let newest = try? coder.decode(Item.self, from: blob),
        let total = try? await count(newest, StoreCore.pendingLimit)
      else { return }
      try? core.hint(total.count, isLowerBound: !total.isExact, newerThan: number, in: id)
    }
  }
}
