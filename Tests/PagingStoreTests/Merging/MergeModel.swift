@testable import PagingStore

/// What may happen to a list and its server, with numbers that choose; what can't be done at the moment does nothing.
struct MergeStep: Hashable, CustomStringConvertible {
  enum Kind: Int, CaseIterable {
    case add, addHidden, backdate, delete, hide
    case connect, disconnect, deliverEvent
    case askHead, askOlder, askNewer, askAround, askRefresh
    case serve, deliver, repeatDelivery, drop
    case evict, expire
  }
  var kind: Kind
  var a: Int
  var b: Int
  var description: String { "\(kind) \(a) \(b)" }
}

/// A list and its server, side by side: takes steps, and says after each whether the list can still be believed.
struct MergeModel {
  struct Settings {
    var rule: OrderRule
    var isTight = false
    var deletes = true
    var disconnects = true
  }
  enum Event: Hashable {
    case created(Int64)
    case deleted(Int64)
  }
  struct Flight {
    var request: MergeRequest
    var ask: ModelServer.Ask
    var answer: ModelServer.Answer?
    var isRefresh = false
    /// How many events there were when it was answered.
    var events = 0
  }

  let settings: Settings
  var list: MergeList
  var server = ModelServer()
  var queue: [Event] = []
  var eventsMade = 0
  var flights: [Flight] = []
  /// Backdated items whose event was lost: nobody told the list, which may miss them.
  var excused: Set<Int64> = []
  /// Items that are gone from the server without an event that says so.
  var ghosts: Set<Int64> = []

  init(_ settings: Settings) {
    self.settings = settings
    list = settings.isTight ? MergeList(settings.rule, stride: 2, spacing: 4) : MergeList(settings.rule)
  }

  // MARK: Steps

  mutating func take(_ step: MergeStep) throws {
    switch step.kind {
    case .add, .addHidden:
      let item = server.add(isHidden: step.kind == .addHidden)
      if step.kind == .add { emit(.created(item)) }
    case .backdate:
      guard settings.rule == .keyed, let item = server.backdate(Int64(step.a)) else { return }
      if list.subscription == nil { excused.insert(item) } else { emit(.created(item)) }
    case .delete:
      guard settings.deletes, let item = pick(server.visible, step.a) else { return }
      server.delete(item)
      excused.remove(item)
      if list.subscription == nil { ghosts.insert(item) } else { emit(.deleted(item)) }
    case .hide:
      guard settings.deletes, let item = pick(server.visible, step.a) else { return }
      server.hide(item)
      ghosts.insert(item)
    case .connect: if list.subscription == nil { list.connect() }
    case .disconnect:
      guard settings.disconnects, list.subscription != nil else { return }
      try disconnect()
    case .deliverEvent: try deliverEvent()
    case .askHead: try ask(.head, nil, step)
    case .askRefresh:
      try ask(.head, nil, step)
      flights[flights.count - 1].isRefresh = true
    case .askOlder: if let run = pick(list.order.stored, step.a) { try ask(.older, run, step) }
    case .askNewer: if let run = pick(list.order.stored, step.a) { try ask(.newer, run, step) }
    case .askAround: if settings.rule == .keyed || !list.order.entries.isEmpty { try ask(.around, nil, step) }
    case .serve: if let index = flights.indices.isEmpty ? nil : step.a % flights.count { serve(index) }
    case .deliver, .repeatDelivery:
      guard !flights.isEmpty else { return }
      let index = step.a % flights.count
      serve(index)
      let flight = flights[index]
      if step.kind == .deliver { flights.remove(at: index) }
      try deliver(flight)
    case .drop: if !flights.isEmpty { flights.remove(at: step.a % flights.count) }
    case .evict: try evict(step)
    case .expire:
      guard let run = pick(list.order.stored, step.a) else { return }
      let request = try list.send(step.b % 2 == 0 ? .older : .newer, from: run.number)
      try list.reject(request, canRecover: true)
    }
  }

  private func pick<T>(_ from: [T], _ choice: Int) -> T? { from.isEmpty ? nil : from[choice % from.count] }

  private mutating func emit(_ event: Event) {
    eventsMade += 1
    if list.subscription != nil { queue.append(event) }
  }

  mutating func disconnect() throws {
    for event in queue {
      switch event {
      case .created(let item): if item % 10 != 0 { excused.insert(item) }
      case .deleted(let item): ghosts.insert(item)
      }
    }
    for held in list.order.held where held.item.item % 10 != 0 { excused.insert(held.item.item) }
    queue = []
    try list.disconnect()
  }

  mutating func deliverEvent() throws {
    guard !queue.isEmpty else { return }
    switch queue.removeFirst() {
    case .created(let item): try list.live(item)
    case .deleted(let item):
      try list.delete([item])
    }
  }

  mutating func ask(_ kind: MergeRequest.Kind, _ run: Run?, _ step: MergeStep) throws {
    var ask = ModelServer.Ask(kind: kind, from: nil, bound: nil, limit: 1 + step.b % 5)
    if kind == .around {
      let known = list.order.entries.map(\.item)
      ask.from = settings.rule == .keyed && step.b % 3 == 0 ? Int64(step.a) % (server.newest + 1) : pick(known, step.a)
      if ask.from == nil { return }
    }
    if let run {
      let isOlder = kind == .older
      let edge = isOlder ? run.older : run.newer
      let row = try list.order.entry(at: isOlder ? run.low : run.high)?.item
      // An opaque list goes on by token only.
      guard let from = ModelServer.number(edge.token) ?? (settings.rule == .keyed ? row : nil) else { return }
      ask.from = from
      let index = list.order.stored.firstIndex { $0.number == run.number } ?? 0
      let across = isOlder ? index + 1 : index - 1
      if step.b % 2 == 0, list.order.stored.indices.contains(across) {
        let facing = list.order.stored[across]
        ask.bound = try list.order.entry(at: isOlder ? facing.high : facing.low)?.item
      }
    }
    flights.append(Flight(request: try list.send(kind, from: run?.number), ask: ask))
  }

  private mutating func serve(_ index: Int) {
    guard flights[index].answer == nil else { return }
    flights[index].answer = server.answer(flights[index].ask)
    flights[index].events = eventsMade
  }

  mutating func deliver(_ flight: Flight) throws {
    guard let answer = flight.answer else { return }
    if settings.rule == .cursor, flight.ask.kind == .head {
      // An opaque list can't tell a late event from a new one: its stream is no slower than its head.
      while !queue.isEmpty, eventsMade - queue.count < flight.events { try deliverEvent() }
    }
    let page = list.page(
      answer.items, newer: answer.newer, older: answer.older, end: answer.ends, truth: true, bounded: answer.isBounded)
    if flight.isRefresh {
      try list.replace(flight.request, [page])
    } else {
      try list.answer(flight.request, page)
    }
  }

  private mutating func evict(_ step: MergeStep) throws {
    guard let run = pick(list.order.stored, step.a), !run.isEmpty else { return }
    if settings.rule == .keyed {
      let rows = list.order.entries
      let first = step.a % rows.count
      let last = min(rows.count - 1, first + step.b % 4)
      try list.evict(rows[last].position...rows[first].position)
    } else if step.b % 4 == 0 {
      try list.evict(run.low...run.high)
    } else {
      let joints = list.order.cuts.filter { run.low < $0.key && $0.key <= run.high }.sorted { $0.key < $1.key }
      guard let (position, cut) = pick(joints, step.b) else { return }
      if let older = cut.older {
        try list.evict(run.low...position - 1, older: older)
      } else if let newer = cut.newer {
        try list.evict(position...run.high, newer: newer)
      }
    }
  }

  // MARK: What must hold

  /// What is wrong now, in words.
  func broken() -> [String] {
    let waiting = Set(queue.compactMap { event in if case .created(let item) = event { item } else { nil } })
      .union(list.order.held.map(\.item.item))
    let truth = ServerTruth(server: server, excused: excused, waiting: waiting)
    return list.order.broken(settings.rule) + list.breaches + truth.broken(list.order)
  }

  // MARK: At rest

  /// Connects, delivers all, closes all gaps, and compares with the server.
  mutating func settle() throws -> [String] {
    flights = []
    if list.subscription == nil { list.connect() }
    for round in 0..<400 {
      while !queue.isEmpty { try deliverEvent() }
      let runs = list.order.stored
      let step = MergeStep(kind: .askHead, a: 0, b: round % 2 == 0 ? 3 : 4)
      if runs.first?.newer.state != .live {
        try ask(.head, nil, step)
      } else if let index = runs.firstIndex(where: { $0.older.state != .reached }) {
        try fill(index, step, round)
      } else {
        break
      }
      if !flights.isEmpty {
        serve(0)
        let flight = flights.removeFirst()
        try deliver(flight)
        let broken = broken()
        if !broken.isEmpty { return broken }
      }
    }
    return differences()
  }

  private mutating func fill(_ index: Int, _ step: MergeStep, _ round: Int) throws {
    let run = list.order.stored[index]
    try ask(.older, run, step)
    if flights.isEmpty, index + 1 < list.order.stored.count { try ask(.newer, list.order.stored[index + 1], step) }
    if flights.isEmpty, let row = try list.order.entry(at: run.low) {
      let item = server.visible.first { $0 <= row.item } ?? row.item
      var flight = Flight(
        request: try list.send(.around), ask: ModelServer.Ask(kind: .around, from: item, bound: nil, limit: 9))
      flight.events = eventsMade
      flights.append(flight)
    }
    if flights.isEmpty { try ask(.head, nil, step) }
    // Whatever the edges say, a whole new start helps in the end.
    if round % 100 == 99 {
      flights = []
      try ask(.head, nil, step)
      flights[0].isRefresh = true
    }
  }

  private func differences() -> [String] {
    let rows = list.order.entries.map(\.item)
    let visible = server.visible
    var wrong: [String] = []
    let missing = visible.filter { !rows.contains($0) && !excused.contains($0) }
    let extra = rows.filter { !visible.contains($0) && !ghosts.contains($0) }
    if !missing.isEmpty { wrong.append("at rest, \(missing) are missing") }
    if !extra.isEmpty { wrong.append("at rest, \(extra) should be gone") }
    if list.order.stored.count > 1 { wrong.append("at rest, gaps remain: \(list.shown)") }
    if list.order.stored.first?.newer.state != .live { wrong.append("at rest, the head is not live: \(list.shown)") }
    return wrong
  }
}
