@testable import PagingStore

// Answers that cross a change of what they are about, and what such an answer may not bring about.
extension StoreModel {
  /// A gap is asked for from one side, up to the other one. Before the answer comes, that other side changes, or something new comes
  /// to stand in the gap.
  func crossFill(_ step: StoreStep, of list: ModelList) throws {
    try makeGap(step.b / 8, in: list)
    let runs = list.seen.order.stored
    guard runs.count > 1 else { return }
    let upper = step.a / 3 % (runs.count - 1)
    let isFromAbove = step.b / 16 % 2 == 0
    let flights = list.flights.count
    // The numbers are even, so the question names the other side.
    let ask = StoreStep(kind: .crossFill, a: step.a, b: step.b / 32 % 2 == 0 ? 4 : 8)
    try self.ask(isFromAbove ? .older : .newer, runs[isFromAbove ? upper : upper + 1], ask, of: list)
    guard list.flights.count > flights else { return }
    if step.b % 2 == 0 {
      try evict(endOf: runs[isFromAbove ? upper + 1 : upper], isTop: isFromAbove, step.b / 64, from: list)
    } else {
      serve(flights, of: list)
      try backdate(between: runs[upper], and: runs[upper + 1], step.b / 64, in: list)
    }
    if step.b / 4 % 2 == 0 { try deliver(list.flights.removeLast(), to: list) }
  }

  /// Sees to it that there is a gap, mostly: rows are given up between others, or the head goes away.
  private func makeGap(_ choice: Int, in list: ModelList) throws {
    guard list.seen.order.stored.count < 2 else { return }
    let rows = list.seen.order.entries
    if settings.rule == .keyed, rows.count > 2 {
      let middle = rows[1 + choice % (rows.count - 2)].position
      try evict(middle...middle, older: nil, newer: nil, from: list)
    } else if list.session == nil, !rows.isEmpty {
      for _ in 0..<3 { emit(.created(server.add(isHidden: false))) }
      try ask(.head, nil, StoreStep(kind: .askHead, a: 0, b: 1 + choice % 2), of: list)
      try deliver(StoreStep(kind: .deliver, a: 0, b: list.flights.count - 1), to: list)
    }
    breaches += try broken()
  }

  /// The head is asked for, as it is or to begin anew, and before the answer comes the connection breaks and another one stands.
  func crossConnection(_ step: StoreStep, of list: ModelList) throws {
    try ask(.head, nil, step, of: list)
    list.flights[list.flights.count - 1].isRefresh = step.b % 2 == 0
    if step.b / 2 % 2 == 0 { serve(list.flights.count - 1, of: list) }
    list.excuseHeld()
    if let session = list.session {
      session.end()
      list.lostConnection()
    }
    if step.b / 4 % 3 > 0 { emit(.created(server.add(isHidden: false))) }
    if step.b / 12 % 3 > 0 { try list.connect() }
    breaches += try broken()
    if step.b / 36 % 2 == 0 { try deliver(list.flights.removeLast(), to: list) }
  }

  /// Gives up the rows at one end of a run, some of which stay.
  private func evict(endOf run: Run, isTop: Bool, _ choice: Int, from list: ModelList) throws {
    let rows = list.seen.order.entries.filter { run.low <= $0.position && $0.position <= run.high }
    guard rows.count > 1 else { return }
    if settings.rule == .keyed {
      let row = rows[isTop ? choice % (rows.count - 1) : 1 + choice % (rows.count - 1)].position
      return try evict(isTop ? row...run.high : run.low...row, older: nil, newer: nil, from: list)
    }
    let joints = list.seen.order.cuts.filter { run.low < $0.key && $0.key <= run.high }.sorted { $0.key < $1.key }
    guard let (position, cut) = pick(joints.filter { isTop ? $0.value.newer != nil : $0.value.older != nil }, choice)
    else { return }
    try evict(
      isTop ? position...run.high : run.low...position - 1, older: isTop ? nil : cut.older,
      newer: isTop ? cut.newer : nil, from: list)
  }

  /// Something with an old place comes to stand in a gap, and who listens is told.
  private func backdate(between upper: Run, and lower: Run, _ choice: Int, in list: ModelList) throws {
    let entries = list.seen.order.entries
    guard settings.rule == .keyed, let above = entries.first(where: { $0.position == upper.low })?.item,
      let below = entries.first(where: { $0.position == lower.high })?.item, above - below > 1
    else { return }
    guard let item = server.backdate(below + Int64(choice) % (above - below - 1)) else { return }
    emit(.created(item))
    if list.session != nil { try deliverEvents(to: list) }
  }

  /// What must hold right after an answer was taken in.
  func checkAfter(_ flight: ModelList.Flight, of list: ModelList, _ before: SeenList?) throws {
    let isLive = try reader.read(self).lists[list.name]?.order.stored.first?.newer.state == .live
    let wasLive = before?.order.stored.first?.newer.state == .live
    if isLive, !wasLive, flight.connection == nil || flight.connection != list.connection {
      breaches.append("INV5: an answer that was asked for on another connection made the head of \(list.name) live")
    }
    // Rows near the reader's are mostly gone then, and positions mean something else.
    if flight.isRefresh { try restorePlace(of: list) }
  }

  /// B89: what a sweep cuts off can be asked for again.
  func checkCutTail(of list: ModelList, _ after: SeenList?) {
    guard let bottom = after?.order.stored.last, !bottom.isEmpty,
      let before = list.seen.order.stored.first(where: { $0.number == bottom.number }), before.low < bottom.low
    else { return }
    if bottom.older.state != .open || bottom.older.token == nil {
      breaches.append("B89: a sweep cut \(list.name) off from what continues it: \(after?.text ?? "")")
    }
  }

  /// What is held waits only as long as nobody can say where it belongs.
  func brokenHeld(of list: ModelList, _ seen: SeenList) -> [String] {
    var broken: [String] = []
    let runs = seen.order.stored
    let isLive = list.session != nil && runs.first?.newer.state == .live
    func run(of row: SeenList.Row?) -> Run? {
      row.flatMap { row in runs.first { $0.low <= row.position && row.position <= $0.high } }
    }
    for (id, place) in seen.heldItems {
      // What was held when a process died stays until somebody listens again.
      if list.session == nil, !list.seen.heldItems.contains(where: { $0.id == id }) {
        broken.append("INV5: \(id) was held in \(list.name), and nobody listens")
      }
      guard settings.rule == .keyed else {
        if isLive { broken.append("INV4: \(id) is held in \(list.name), whose head is live") }
        continue
      }
      if let told = list.told[id], told != place {
        broken.append("INV3: \(id) is held in \(list.name) for \(place), and was last told to be at \(told)")
      }
      let above = run(of: seen.rows.last { $0.place > place })
      let below = run(of: seen.rows.first { $0.place < place })
      let isInside = above != nil && (above == below || (below == nil && above?.older.state == .reached))
      if isInside || (isLive && above == nil) {
        broken.append("INV4: \(id) is held in \(list.name), and its place at \(place) is known")
      }
    }
    return broken
  }

  /// S7: where new rows wait for the reader's word, none comes above those that were shown.
  func brokenWaiting(of list: ModelList, _ seen: SeenList, _ record: ListRecord) -> [String] {
    defer { list.wantsNew = false }
    guard settings.waits, !list.wantsNew, let before = list.seen.record, before.number == record.number,
      before.epoch == record.epoch
    else { return [] }
    struct Place: Hashable {
      var id: Int
      var place: Int64
    }
    let ids = Set(list.seen.shown)
    let shown = Set(list.seen.rows.filter { ids.contains($0.id) }.map { Place(id: $0.id, place: $0.place) })
    guard let top = seen.rows.firstIndex(where: { shown.contains(Place(id: $0.id, place: $0.place)) }) else {
      return []
    }
    let above = seen.rows[..<top].filter { row in record.shownPosition.map { row.position <= $0 } ?? true }
    return above.map { "S7: \($0.id) came above what was shown in \(list.name), and nobody asked for it" }
  }
}
