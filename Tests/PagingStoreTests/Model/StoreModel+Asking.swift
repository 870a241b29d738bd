@testable import PagingStore

extension StoreModel {
  /// The question for an edge of a run.
  func listKind(_ kind: MergeRequest.Kind, _ run: Run, of list: ModelList) -> ListRequest<ModelItem>.Kind {
    let runs = list.seen.order.stored
    let index = runs.firstIndex { $0.number == run.number } ?? 0
    let number = list.seen.record?.number ?? 0
    func gap(_ lower: Run) -> Gap { Gap(id: lower.number, list: number, fillableSides: [.above, .below]) }
    if kind == .older { return index + 1 < runs.count ? .older(than: gap(runs[index + 1])) : .olderThanAll }
    return index > 0 ? .newer(than: gap(run)) : .newerThanAll
  }

  /// Notes a question that leaves now, if it can be asked.
  func ask(_ kind: MergeRequest.Kind, _ run: Run?, _ step: StoreStep, of list: ModelList) throws {
    var ask = ModelServer.Ask(kind: kind, from: nil, bound: nil, limit: 1 + step.b % 5)
    var request: ListRequest<ModelItem>
    switch kind {
    case .head: request = try list.list.request(.head)
    case .around:
      guard let row = pick(list.seen.rows, step.b) else { return }
      request = try list.list.request(.around(row.id))
      ask.from = row.place
    case .older, .newer:
      guard let run else { return }
      request = try list.list.request(listKind(kind, run, of: list))
      let boundary = request.boundary.flatMap { list.seen.place(of: $0) }
      // A cursor list goes on by token only.
      guard let from = ModelServer.number(request.token) ?? (settings.rule == .keyed ? boundary : nil) else { return }
      ask.from = from
      if step.b % 2 == 0 { ask.bound = request.bound.flatMap { list.seen.place(of: $0) } }
    }
    list.flights.append(ModelList.Flight(request: request, ask: ask, asked: tick, connection: list.connection))
  }

  func serve(_ index: Int, of list: ModelList) {
    guard list.flights[index].answer == nil else { return }
    let answer = server.places.answer(list.flights[index].ask)
    var page = RemotePage(
      answer.items.compactMap { server.items[$0] }, newerToken: answer.newer, olderToken: answer.older,
      reachedEnd: answer.ends)
    page.reachedBound = answer.isBounded
    list.flights[index].answer = ModelList.Answer(page: page, events: list.eventsMade)
  }

  func deliver(_ step: StoreStep, to list: ModelList) throws {
    guard !list.flights.isEmpty else { return }
    let index = step.b % list.flights.count
    serve(index, of: list)
    let flight = list.flights[index]
    if step.kind != .repeatDelivery { list.flights.remove(at: index) }
    try deliver(flight, to: list)
    guard step.kind == .deliverTwice else { return }
    let once = try reader.read(self).lists[list.name]
    try deliver(flight, to: list)
    let twice = try reader.read(self).lists[list.name]
    if once?.rows != twice?.rows || once?.held != twice?.held {
      breaches.append("Q3: an answer that came twice: \(once?.text ?? "") then \(twice?.text ?? "")")
    }
  }

  func deliver(_ flight: ModelList.Flight, to list: ModelList) throws {
    guard let answer = flight.answer else { return }
    if settings.rule == .cursor, flight.ask.kind == .head {
      // A cursor list can't tell a late event from a new one: its stream is no slower than its head.
      while !list.queue.isEmpty, list.eventsMade - list.queue.count < answer.events { try deliverEvent(to: list) }
    }
    for item in answer.page.items { learn(item, asked: flight.asked) }
    let before = try reader.read(self).lists[list.name]
    let outcome = try inOneTransaction {
      try flight.isRefresh
        ? list.list.replace(with: answer.page, for: flight.request) : list.list.apply(answer.page, for: flight.request)
    }
    try checkAfter(flight, of: list, before)
    guard outcome.refusal == nil, !flight.isRefresh, flight.ask.kind == .older || flight.ask.kind == .newer else {
      return
    }
    let after = try reader.read(self).lists[list.name]
    // At the ends of the list there may be nothing to be had: a head is asked again and again, and an end is an end.
    let isGap =
      flight.request.core.departure.facing != nil
      || (flight.ask.kind == .older && before?.order.stored.last?.older.state == .open)
    if before?.rows == after?.rows, before?.order.stored == after?.order.stored, isGap, !flight.isRepeat(in: list) {
      breaches.append("Q7: an answer changed nothing: \(flight.ask) \(after?.text ?? "")")
    }
  }

  func evict(_ step: StoreStep, from list: ModelList) throws {
    guard let run = pick(list.seen.order.stored, step.a), !run.isEmpty else { return }
    let order = list.seen.order
    var range = run.low...run.high
    var tokens: (older: String?, newer: String?)
    if settings.rule == .keyed {
      let first = step.a % order.entries.count
      let last = min(order.entries.count - 1, first + step.b % 4)
      range = order.entries[last].position...order.entries[first].position
    } else if step.b % 4 != 0 {
      let joints = order.cuts.filter { run.low < $0.key && $0.key <= run.high }.sorted { $0.key < $1.key }
      guard let (position, cut) = pick(joints, step.b) else { return }
      if let older = cut.older {
        (range, tokens.older) = (run.low...position - 1, older)
      } else if let newer = cut.newer {
        (range, tokens.newer) = (position...run.high, newer)
      }
    }
    try evict(range, older: tokens.older, newer: tokens.newer, from: list)
  }

  func evict(_ range: ClosedRange<Position>, older: String?, newer: String?, from list: ModelList) throws {
    let rule = settings.rule
    try store.core.commit { transaction, change throws(ListStoreError) in
      guard let record = try store.core.list(list.list.id, on: transaction.connection) else { return }
      _ = try store.core.reorder(record, named: list.list.id, in: transaction, change: &change) {
        order, moment, numbers throws(ListStoreError) in
        try RunMerger(rule).evicted(
          range, olderToken: older, newerToken: newer, in: order, at: moment, numbers: &numbers)
      }
    }
  }

  /// Items that the sweep deleted are not known any more.
  func swept() {
    guard let sight = try? reader.read(self) else { return }
    for id in known.keys where sight.items[id] == nil { known[id] = nil }
    for list in lists { checkCutTail(of: list, sight.lists[list.name]) }
    // The end of a session goes too, and is asked for again from the token at the joint.
    guard let number = session.current, var order = session.orders[number], let ids = sight.session?.ids,
      ids != order.ids
    else { return }
    guard Array(order.ids.prefix(ids.count)) == ids else {
      return breaches.append("S9: a sweep cut \(order.ids) to \(ids)")
    }
    let token = try? session.list.request(.olderThanAll).token
    if !ids.isEmpty, token == .some(nil) { breaches.append("S9: a sweep cut a session off from what continues it") }
    order.ids = ids
    order.offset = token.flatMap { $0 }.flatMap { $0.split(separator: ":").last }.flatMap { Int($0) } ?? -1
    session.orders[number] = order
  }

  /// Reads on in the server's log of changes.
  func catchUp(_ step: StoreStep, _ list: ModelList) throws {
    guard settings.rule == .keyed, list.name == "home", list.seen.record != nil else { return }
    guard logRead == (try store.core.changeToken(of: list.list.id).flatMap(Int.init) ?? 0) else {
      return breaches.append("INV11: the log's token is not the one that was stored with its changes")
    }
    let request = try list.list.request(.head)
    let entries = server.log[logRead..<min(server.log.count, logRead + 1 + step.b % 8)]
    var items: [ModelItem] = []
    var deletions: Set<Int> = []
    for event in entries {
      switch event {
      case .created(let item), .changed(let item):
        items.removeAll { $0.id == item.id }
        items.append(item)
      case .deleted(let id):
        items.removeAll { $0.id == id }
        deletions.insert(id)
      }
    }
    // A log names what an item is now.
    items = items.compactMap { server.item($0.id) }.filter { server.places.items[$0.place] == true }
    var upserts: [StoreItem] = []
    for item in items { upserts.append(try list.list.stored(item)) }
    var keys: [ItemKey] = []
    for id in deletions.sorted() { keys.append(try ItemKey(id)) }
    for id in deletions { forget(id) }
    let stored = try reader.read(self).items
    _ = try inOneTransaction {
      try store.core.changed(
        upserts, deletions: keys, token: "\(logRead + entries.count)", asked: request.core, in: list.list.id,
        policy: list.list.policy)
    }
    logRead += entries.count
    let after = try reader.read(self).items
    for item in items where stored[item.id] != nil || after[item.id] != nil { learn(item, asked: tick) }
  }
}

extension ModelList.Flight {
  /// Whether it may be delivered again.
  func isRepeat(in list: ModelList) -> Bool { list.flights.contains { $0.asked == asked && $0.ask == ask } }
}
