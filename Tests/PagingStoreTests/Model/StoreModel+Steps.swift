@testable import PagingStore

extension StoreModel {
  /// Takes a step, and says what is wrong after it.
  func take(_ step: StoreStep) async throws -> [String] {
    tick += 1
    breaches = []
    // The second list gets a third of it.
    let list = lists[step.a % 3 == 0 ? 1 : 0]
    switch step.kind {
    case .add, .addHidden, .backdate, .change, .move, .delete, .hide: serverChanges(step)
    case .connect:
      guard list.session == nil else { break }
      list.excuseHeld()
      try inOneTransaction { try list.connect() }
    case .disconnect:
      guard let session = list.session else { break }
      list.excuseHeld()
      inOneTransaction { session.end() }
      list.lostConnection()
    case .deliverEvent: try deliverEvent(to: list)
    case .askHead: try ask(.head, nil, step, of: list)
    case .askRefresh:
      try ask(.head, nil, step, of: list)
      list.flights[list.flights.count - 1].isRefresh = true
    case .askOlder: if let run = pick(list.seen.order.stored, step.b / 8) { try ask(.older, run, step, of: list) }
    case .askNewer: if let run = pick(list.seen.order.stored, step.b / 8) { try ask(.newer, run, step, of: list) }
    case .askAround: try ask(.around, nil, step, of: list)
    case .serve: if !list.flights.isEmpty { serve(step.b % list.flights.count, of: list) }
    case .deliver, .deliverTwice, .repeatDelivery: try deliver(step, to: list)
    case .drop: if !list.flights.isEmpty { list.flights.remove(at: step.b % list.flights.count) }
    case .evict: try evict(step, from: list)
    case .sweep:
      try await store.core.sweep(maxItems: 5 + step.b % 20, keptRows: 2 + step.a % 4)
      swept()
    case .expire:
      guard let run = pick(list.seen.order.stored, step.b / 8) else { break }
      let kind = listKind(step.b % 2 == 0 ? .older : .newer, run, of: list)
      let request = try list.list.request(kind)
      // A cursor list mostly has another way on.
      try store.core.refused(
        request.core, canRecover: step.b % 8 > 1, in: list.list.id, policy: list.list.policy)
      let again = try list.list.request(kind)
      if again.token != nil { breaches.append("S11: a refused token is used again") }
    case .catchUp: try catchUp(step, list)
    case .crossFill: try crossFill(step, of: list)
    case .crossConnection: try crossConnection(step, of: list)
    case .edit: try edit(step)
    case .send: try send(step)
    case .fail: try fail(step)
    case .acknowledge: try acknowledge(step)
    case .rollBack: try rollBack(step)
    case .create: try create(step, in: list)
    case .savePlace: try savePlace(step, in: list)
    case .restorePlace: try restorePlace(of: list)
    case .showPending: try showPending(list)
    case .killAndReopen: try killAndReopen()
    case .askSession, .askMoreOfSession, .deliverSession, .backToSession: try sessionStep(step)
    }
    return breaches + (try broken())
  }

  private func serverChanges(_ step: StoreStep) {
    switch step.kind {
    case .add: emit(.created(server.add(isHidden: false)))
    case .addHidden: note(server.add(isHidden: true))
    case .backdate:
      guard settings.rule == .keyed, let item = server.backdate(Int64(step.a)) else { return }
      emit(.created(item))
    case .change:
      guard let item = pick(server.visible, step.a) else { return }
      let text = "s\(tick)"
      if let changed = server.change(item.id, { $0.text = text }) { emit(.changed(changed)) }
    case .move:
      guard settings.rule == .keyed, let item = pick(server.visible, step.a) else { return }
      guard let moved = server.move(item, to: step.b % 2 == 0 ? nil : Int64(step.b)) else { return }
      emit(.created(moved))
      for list in lists {
        list.ghosts.insert(item.place)
        // An answer that is older than the row's place may not move it, and speaks of the range all the same.
        list.excused.insert(moved.place)
      }
    case .delete:
      guard let item = pick(server.visible, step.a) else { return }
      server.delete(item)
      for list in lists { list.ghosts.insert(item.place) }
      emit(.deleted(item.id))
    case .hide:
      guard let item = pick(server.visible, step.a) else { return }
      server.hide(item)
      for list in lists { list.ghosts.insert(item.place) }
    default: break
    }
  }

  /// All that is under way comes, one after the other.
  func deliverEvents(to list: ModelList) throws {
    while !list.queue.isEmpty {
      try deliverEvent(to: list)
      breaches += try broken()
    }
  }

  func deliverEvent(to list: ModelList) throws {
    guard let session = list.session, !list.queue.isEmpty else { return }
    switch list.queue.removeFirst() {
    case .created(let item):
      learn(item, asked: tick, isPushed: true)
      list.told[item.id] = item.place
      try inOneTransaction { try session.receive([item]) }
    case .changed(let item):
      if known[item.id] != nil { learn(item, asked: tick, isPushed: true) }
      try inOneTransaction { try session.receiveUpdates([item]) }
    case .deleted(let id):
      forget(id)
      try inOneTransaction { try session.receiveDeletions([id]) }
    }
  }
}
