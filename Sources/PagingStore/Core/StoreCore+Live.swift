import Synchronization

/// How the order of subscribed lists is known: policies aren't stored.
final class LiveRules: Sendable {
  private let rules = Mutex<[ListName: OrderRule]>([:])

  func set(_ rule: OrderRule, of list: ListName) { rules.withLock { $0[list] = rule } }

  func rule(of list: ListName) -> OrderRule? { rules.withLock { $0[list] } }
}

extension StoreCore {
  /// How the order of subscribed lists is known.
  var liveRules: LiveRules { book { LiveRules() } }

  /// A subscription begins. What an earlier one proved is proved no more.
  func beginLive(_ name: ListName, policy: ListPolicy) throws(ListStoreError) -> Int64 {
    liveRules.set(policy.order.rule, of: name)
    // First, so that an answer for the earlier one that comes while its proof is taken back proves nothing anew.
    let session = subscriptions.begin(name)
    do throws(ListStoreError) {
      try breakStream(of: name, rule: policy.order.rule)
    } catch {
      _ = subscriptions.end(session, of: name)
      throw error
    }
    return session
  }

  /// A subscription ends: the head is no longer known to be current, and what was held is dropped.
  func endLive(_ session: Int64, of name: ListName, rule: OrderRule) throws(ListStoreError) {
    guard subscriptions.end(session, of: name) else { return }
    try breakStream(of: name, rule: rule)
  }

  private func breakStream(of name: ListName, rule: OrderRule) throws(ListStoreError) {
    let isOpen = try database.read { connection throws(ListStoreError) in
      guard let list = try list(name, on: connection) else { return true }
      let isLive = try connection.order(of: list.number).runs().first?.newer.state == .live
      let held = try connection.held.count(in: list.number, limit: 1)
      return !isLive && held == 0
    }
    guard !isOpen else { return }
    try commit { transaction, change throws(ListStoreError) in
      guard let list = try list(name, on: transaction.connection) else { return }
      _ = try reorder(list, named: name, in: transaction, change: &change) {
        order, moment, numbers throws(ListStoreError) in
        try RunMerger(rule).streamBroke(in: order, at: moment, numbers: &numbers)
      }
      change.noteTop(of: list.number)
    }
  }

  /// Items came by a subscription, the first that happened first.
  func receive(
    _ items: [StoreItem], by session: Int64, in name: ListName, policy: ListPolicy
  ) throws(ListStoreError) {
    try commit { transaction, change throws(ListStoreError) in
      try check(session, of: name)
      let kind = try transaction.connection.kinds.add(name.kind)
      for item in items {
        guard let number = try pushed(item, kind: kind, in: transaction, &change) else { continue }
        let list = try pinned(try openList(name, in: transaction), policy: policy, transaction, &change)
        let live = MergeItem(number, sortBytes: item.sortBytes)
        let outcome: MergePlan.Outcome = try reorder(list, named: name, in: transaction, change: &change) {
          order, moment, numbers throws(ListStoreError) in
          try RunMerger(policy.order.rule).liveItemArrived(live, in: order, at: moment, numbers: &numbers)
        }
        switch outcome.live {
        case .appended, .inserted, .known:
          try transaction.connection.sending.remove(number, in: list.number)
        case .held where policy.unprovenLive != .refused:
          try transaction.connection.held.hold(
            number, sortBytes: item.sortBytes, in: list.number, arrival: transaction.draw())
          // Whoever counts them looks again.
          change.noteTop(of: list.number)
        case .held, .ignored, nil: break
        }
      }
    }
  }

  /// Fresher copies came by a subscription: they show where the items are stored, and nowhere else.
  func receiveUpdates(_ items: [StoreItem], by session: Int64, of name: ListName) throws(ListStoreError) {
    try commit { transaction, change throws(ListStoreError) in
      try check(session, of: name)
      guard let kind = try transaction.connection.kinds.number(of: name.kind) else { return }
      for item in items where try transaction.connection.items.find(item.key, kind: kind) != nil {
        _ = try pushed(item, kind: kind, in: transaction, &change)
      }
    }
  }

  /// The server said by a subscription that items are deleted.
  func receiveDeletions(_ keys: [ItemKey], by session: Int64, of name: ListName) throws(ListStoreError) {
    try commit { transaction, change throws(ListStoreError) in
      try check(session, of: name)
      try delete(keys, kind: name.kind, transaction, &change)
    }
  }

  /// A copy that nobody asked for. What was deleted stays so, unless the server's version says that it was changed
  /// since.
  ///
  /// - Returns: The item's number; nil: it is deleted.
  private func pushed(
    _ item: StoreItem, kind: Int64, in transaction: WriteTransaction, _ change: inout StoreChange
  ) throws(ListStoreError) -> Int64? {
    if let known = try transaction.connection.items.find(item.key, kind: kind), known.deletedSequence != nil {
      guard let ours = known.version, let theirs = item.version, theirs > ours else { return nil }
    }
    return try arrived(item, kind: kind, asked: transaction.sequence, isPushed: true, in: transaction, change: &change)
      .number
  }

  private func check(_ session: Int64, of name: ListName) throws(ListStoreError) {
    guard subscriptions.current(of: name) == session else {
      throw ListStoreError(
        .wrongState,
        message:
          "The live session of “\(name.name)” has ended, or a later one began. Begin one anew, and ask for the head.")
    }
  }
}
