@testable import PagingStore

/// One list with its merger: what a store does around the merger, in memory.
struct MergeList {
  var order = ListedOrder()
  let merger: RunMerger
  var sequence: Int64 = 1
  var subscription: Int64?
  var tombstones: [Int64: Int64] = [:]
  /// The sort key of an item; keyed lists only.
  var key: (Int64) -> SortBytes? = { _ in nil }
  var lastPlan = MergePlan()
  /// Breaches of INV8 and of numbers that must be new.
  var breaches: [String] = []

  private var generations = GenerationTruth()

  init(_ rule: OrderRule, stride: Position = 1 << 20, spacing: Position = 1 << 40) {
    merger = RunMerger(rule, stride: stride, spacing: spacing)
    if rule == .keyed { key = { SortBytes(bytes: withUnsafeBytes(of: $0.bigEndian) { Array($0) }) } }
  }

  /// A list that already has these runs, the newest first, all rows placed before anything else happens. In opaque lists the
  /// older edge of a run that ends at 31 has the token `o31`, the newer edge of one that begins at 50 `n50`.
  static func with(_ rule: OrderRule, _ runs: [Int64]..., live: Bool = false, end: Bool = false) -> MergeList {
    var list = MergeList(rule)
    if live { list.subscription = 1 }
    var position: Position = Position(runs.joined().count) << 41
    list.sequence = 2
    for (index, items) in runs.enumerated() {
      position -= 1 << 40
      let high = position
      for item in items {
        list.order.entries.append(Entry(position: position, item: item, sortBytes: list.key(item), placed: 1))
        position -= 1 << 20
      }
      list.sequence += 3
      let isOldest = index == runs.count - 1
      var newer = RunEdge(state: .open, token: nil, generation: list.sequence - 1)
      var older = RunEdge(state: .open, token: nil, generation: list.sequence)
      if rule != .keyed, let first = items.first, let last = items.last {
        (newer.token, older.token) = ("n\(first)", "o\(last)")
      }
      if index == 0, live { (newer.state, newer.token) = (.live, nil) }
      if isOldest, end { (older.state, older.token) = (.reached, nil) }
      let run = Run(number: list.sequence - 2, high: high, low: position + 1 << 20, newer: newer, older: older)
      list.order.stored.append(run)
      list.generations.note(run.number)
    }
    return list
  }

  /// The number of the run at an index, the newest first; one that no run has, when there are fewer.
  func run(_ index: Int) -> Int64 { order.stored.indices.contains(index) ? order.stored[index].number : -1 }

  /// Asks and answers at once.
  @discardableResult
  mutating func load(_ kind: MergeRequest.Kind, _ run: Int? = nil, _ page: MergePage) throws -> MergePlan.Outcome {
    let request = try send(kind, from: run.map { self.run($0) })
    return try answer(request, page)
  }

  var moment: MergeMoment {
    MergeMoment(
      epoch: order.epoch, sequence: sequence, headSequence: order.headSequence, subscription: subscription,
      held: order.held.map { held in
        HeldItem(
          item: MergeItem(held.item.item, sortBytes: held.item.sortBytes, tombstone: tombstones[held.item.item]),
          arrival: held.arrival)
      })
  }

  func item(_ number: Int64) -> MergeItem { MergeItem(number, sortBytes: key(number), tombstone: tombstones[number]) }
  func page(
    _ items: [Int64], newer: String? = nil, older: String? = nil, end: Bool = false, truth: Bool = false,
    bounded: Bool = false
  ) -> MergePage {
    MergePage(
      items.map(item), newerToken: newer, olderToken: older, reachedEnd: end, endIsAuthoritative: truth,
      isBounded: bounded)
  }

  /// Plans and applies in one transaction, twice if positions had to be spread out.
  @discardableResult
  mutating func transact(
    _ plan: (RunMerger, ListedOrder, MergeMoment, inout MergeNumbers) throws(ListStoreError) -> MergePlan
  ) throws(ListStoreError) -> MergePlan.Outcome {
    sequence += 1
    let before = order
    var numbers = MergeNumbers(sequence: sequence)
    var planned = try plan(merger, order, moment, &numbers)
    if planned.needsSecondPlan {
      order.apply(planned)
      // What comes in with the second plan has more room than a test's small strides leave.
      planned = try plan(RunMerger(merger.rule, stride: 64, spacing: 256), order, moment, &numbers)
      if planned.needsSecondPlan { breaches.append("no room after spreading out") }
    }
    order.apply(planned)
    sequence = numbers.last
    lastPlan = planned
    breaches += generations.broken(before, order)
    return planned.outcome
  }

  mutating func send(_ kind: MergeRequest.Kind, from run: Int64? = nil) throws -> MergeRequest {
    guard let request = try merger.departing(kind, from: run, list: 1, in: order, at: moment) else { throw NoSuchRun() }
    return request
  }
  struct NoSuchRun: Error {}

  @discardableResult
  mutating func answer(_ request: MergeRequest, _ page: MergePage) throws(ListStoreError) -> MergePlan.Outcome {
    try transact { merger, order, moment, numbers throws(ListStoreError) in
      try merger.pageArrived(page, for: request, in: order, at: moment, numbers: &numbers)
    }
  }

  @discardableResult
  mutating func replace(_ request: MergeRequest, _ pages: [MergePage]) throws(ListStoreError) -> MergePlan.Outcome {
    try transact { merger, order, moment, numbers throws(ListStoreError) in
      try merger.refreshReplaced(by: pages, for: request, in: order, at: moment, numbers: &numbers)
    }
  }

  @discardableResult
  mutating func live(_ number: Int64) throws(ListStoreError) -> MergePlan.LivePlacement? {
    let item = item(number)
    let outcome = try transact { merger, order, moment, numbers throws(ListStoreError) in
      try merger.liveItemArrived(item, in: order, at: moment, numbers: &numbers)
    }
    if outcome.live == .held,
      !order.held.contains(where: { $0.item.item == number && $0.item.sortBytes == item.sortBytes })
    {
      order.held.removeAll { $0.item.item == number }
      order.held.append(HeldItem(item: item, arrival: sequence))
    }
    return outcome.live
  }

  mutating func connect() {
    sequence += 1
    subscription = sequence
  }

  mutating func disconnect() throws(ListStoreError) {
    subscription = nil
    try transact { merger, order, moment, numbers throws(ListStoreError) in
      try merger.streamBroke(in: order, at: moment, numbers: &numbers)
    }
  }

  @discardableResult
  mutating func delete(_ items: [Int64]) throws(ListStoreError) -> MergePlan.Outcome {
    let outcome = try transact { merger, order, moment, numbers throws(ListStoreError) in
      try merger.deleted(items, in: order, at: moment, numbers: &numbers)
    }
    for item in items { tombstones[item] = sequence }
    return outcome
  }

  @discardableResult
  mutating func evict(
    _ range: ClosedRange<Position>, older: String? = nil, newer: String? = nil
  ) throws(ListStoreError) -> MergePlan.Outcome {
    try transact { merger, order, moment, numbers throws(ListStoreError) in
      try merger.evicted(range, olderToken: older, newerToken: newer, in: order, at: moment, numbers: &numbers)
    }
  }

  @discardableResult
  mutating func reject(_ request: MergeRequest, canRecover: Bool = false) throws(ListStoreError) -> MergePlan.Outcome {
    try transact { merger, order, moment, numbers throws(ListStoreError) in
      try merger.tokenRejected(for: request, canRecover: canRecover, in: order, at: moment, numbers: &numbers)
    }
  }

  /// The list in words: runs as brackets, the newest first, gaps as bars.
  var shown: String {
    guard !order.stored.isEmpty else { return "nothing" }
    return order.stored.map { run in
      let rows = order.entries.filter { run.low <= $0.position && $0.position <= run.high }.map { "\($0.item)" }
      let newer = Self.word(run.newer)
      let older = Self.word(run.older)
      return "\(newer)[\(rows.joined(separator: " "))]\(older)"
    }.joined(separator: " | ")
  }

  private static func word(_ edge: RunEdge) -> String {
    let state =
      switch edge.state {
      case .open: ""
      case .live: "live"
      case .reached: "end"
      case .serverEnd: "serverEnd"
      case .dead: "dead"
      }
    return state + (edge.token.map { "(\($0))" } ?? "")
  }
}
