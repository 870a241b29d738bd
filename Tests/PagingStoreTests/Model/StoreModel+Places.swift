@testable import PagingStore

extension StoreModel {
  func savePlace(_ step: StoreStep, in list: ModelList) throws {
    let rows = list.seen.rows.map(\.id)
    guard let index = rows.indices.isEmpty ? nil : step.b % rows.count, let record = list.seen.record else { return }
    try list.list.savePosition(ListPosition(item: rows[index], offset: Double(tick)))
    try list.list.flushPosition()
    let below = rows[(index + 1)...].prefix(8)
    let above = rows[..<index].reversed().prefix(8)
    var near: [Int] = []
    for (a, b) in zip(below, above) { near += [a, b] }
    near += below.dropFirst(above.count) + Array(above.dropFirst(below.count))
    list.place = ModelList.SavedRow(id: rows[index], near: near, epoch: record.epoch)
  }

  /// Q9: back at the row, or at the nearest that is left of those around it, and never in another list or order.
  func restorePlace(of list: ModelList) throws {
    guard let seen = try reader.read(self).lists[list.name] else { return }
    let rows = seen.rows.map(\.id)
    let found = try list.list.savedPosition()
    guard let place = list.place, !rows.isEmpty else {
      if found != nil { breaches.append("Q9: a place without a row: \(String(describing: found))") }
      return
    }
    guard let found else { return breaches.append("Q9: the place at \(place.id) is lost") }
    let id = found.position.item
    if !rows.contains(id) { breaches.append("Q9: \(id) is no row of \(list.name)") }
    let expected = ([place.id] + place.near).first { rows.contains($0) }
    if let expected, id != expected { breaches.append("Q9: back at \(id), not at \(expected), saved at \(place.id)") }
    if found.isExact != (expected == place.id) { breaches.append("Q9: \(id) is taken for the saved row \(place.id)") }
    let isOther = settings.rule == .cursor && place.epoch != seen.record?.epoch
    if expected == nil, isOther, id != rows.first {
      breaches.append("Q9: a position of another order led to \(id), not to the newest")
    }
  }

  /// Q10: what is counted is what comes.
  func showPending(_ list: ModelList) throws {
    let count = try list.list.currentPendingCount()
    let before = list.seen.shown.count
    list.wantsNew = true
    try list.list.showPending()
    let after = try reader.read(self).lists[list.name]
    if let after, after.shown.count != before + count.count {
      breaches.append("Q10: \(count.count) were counted, \(after.shown.count - before) came")
    }
  }

  func sessionStep(_ step: StoreStep) throws {
    let list = session.list
    switch step.kind {
    case .askSession:
      session.flights.append(ModelSession.Flight(request: try list.request(.head), asked: tick))
    case .askMoreOfSession:
      guard let number = session.current, let order = session.orders[number] else { return }
      let request = try list.request(.olderThanAll)
      guard request.token != nil else { return }
      session.flights.append(
        ModelSession.Flight(
          request: request, asked: tick, continues: order.session, offset: order.offset, limit: 1 + step.b % 4))
    case .deliverSession:
      guard let flight = pick(session.flights, step.a) else { return }
      // Some answers come twice.
      if step.b % 4 != 0 { session.flights.remove(at: step.a % session.flights.count) }
      try deliver(flight, step)
    case .backToSession:
      // The first order of all was made before there was anything in it.
      let hadPrevious = session.previous.flatMap { session.orders[$0] }.map { $0.session >= 0 } ?? false
      if try list.showPreviousSession() != hadPrevious { breaches.append("S9: no session to go back to") }
      if hadPrevious { swap(&session.current, &session.previous) }
    default: break
    }
  }

  private func deliver(_ flight: ModelSession.Flight, _ step: StoreStep) throws {
    let list = session.list
    let number = flight.request.core.departure.list
    guard let continued = flight.continues else {
      // The server ranks by its own taste.
      let ranked = server.visible.sorted { ($0.id * 7919) % 101 < ($1.id * 7919) % 101 || ($0.id == $1.id) }
      session.snapshots.append(ModelSession.Snapshot(items: ranked))
      let page = page(of: session.snapshots.count - 1, from: 0, limit: flight.limit)
      for item in page.items { learn(item, asked: flight.asked) }
      let outcome = try inOneTransaction { try list.switchOver(to: page, for: flight.request) }
      guard number == session.current || session.current == nil else {
        if !outcome.wasStale { breaches.append("S9: a session began for an order that is shown no more") }
        return
      }
      session.previous.map { session.orders[$0] = nil }
      session.previous = number
      session.current = try reader.read(self).session?.number
      session.orders[number] = session.orders[number] ?? ([], -1, 0)
      if let current = session.current {
        let ids = page.items.map(\.id).filter { (gone[$0] ?? 0) <= flight.asked }
        session.orders[current] = (ids, session.snapshots.count - 1, page.items.count)
      }
      return
    }
    let page = page(of: continued, from: flight.offset, limit: flight.limit)
    for item in page.items { learn(item, asked: flight.asked) }
    let outcome = try inOneTransaction { try list.apply(page, for: flight.request) }
    guard var order = session.orders[number], order.session == continued, order.offset == flight.offset else {
      if outcome.inserted > 0 { breaches.append("S9: an answer was taken in twice, or for another session") }
      return
    }
    guard outcome.refusal == nil else { return }
    let fresh = page.items.map(\.id).filter { (gone[$0] ?? 0) <= flight.asked && !order.ids.contains($0) }
    order.ids += fresh
    order.offset += page.items.count
    session.orders[number] = order
  }

  private func page(of number: Int, from offset: Int, limit: Int) -> RemotePage<ModelItem> {
    let all = session.snapshots[number].items
    let rows = all.dropFirst(offset).prefix(limit)
    // A session keeps the order; the items are as they are when they are asked for.
    let now = Dictionary(server.visible.map { ($0.id, $0) }) { first, _ in first }
    let end = offset + rows.count
    return RemotePage(
      rows.map { now[$0.id] ?? $0 }, olderToken: end < all.count ? "r\(number):\(end)" : nil,
      reachedEnd: end >= all.count)
  }
}
