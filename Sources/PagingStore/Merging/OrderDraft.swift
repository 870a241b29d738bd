/// An order with changes that are planned but not written: reads see them, and ``finish(_:)`` turns them into a plan.
struct OrderDraft<Order: OrderReading> {
  private let order: Order
  private let before: [Run]
  private var writes: [OrderWrite] = []
  private var gone: Set<Position> = []
  /// Rows that are planned, the newest first: pages come that way, and are appended.
  private var added: [Entry] = []

  /// The runs as planned, the newest first.
  var runs: [Run]
  /// What is told to those who asked.
  var outcome = MergePlan.Outcome()
  /// Set when positions leave no room; the plan is then to spread them out and to plan again.
  var isOutOfRoom = false

  init(_ order: Order) throws(ListStoreError) {
    self.order = order
    before = try order.runs()
    runs = before
  }

  // MARK: Reading

  /// Where an item stands in the stored order; planned changes don't show.
  func stored(_ item: MergeItem) throws(ListStoreError) -> Entry? {
    item.isNew ? nil : try order.entry(of: item.item)
  }

  /// Where an item stands as planned.
  func entry(of item: Int64) throws(ListStoreError) -> Entry? {
    if let planned = added.first(where: { $0.item == item }) { return planned }
    guard let stored = try order.entry(of: item), !gone.contains(stored.position) else { return nil }
    return stored
  }

  /// The row at a position as planned.
  func entry(at position: Position) throws(ListStoreError) -> Entry? {
    if let planned = added.first(where: { $0.position == position }) { return planned }
    return gone.contains(position) ? nil : try order.entry(at: position)
  }

  /// Stored rows strictly between two positions that are not planned to go, the newest first; nil bounds are open.
  func rows(above lower: Position?, below upper: Position?, limit: Int = .max) throws(ListStoreError) -> [Entry] {
    let low = lower.map { $0 == .max ? $0 : $0 + 1 } ?? .min
    let high = upper.map { $0 == .min ? $0 : $0 - 1 } ?? .max
    guard low <= high else { return [] }
    return try order.entries(in: low...high, limit: limit).filter { !gone.contains($0.position) }
  }

  /// The next row above a position.
  func row(above position: Position) throws(ListStoreError) -> Entry? {
    var stored = try order.entry(above: position)
    while let row = stored, gone.contains(row.position) { stored = try order.entry(above: row.position) }
    let planned = added.last { $0.position > position }
    guard let stored, let planned else { return stored ?? planned }
    return stored.position < planned.position ? stored : planned
  }

  /// The next row below a position.
  func row(below position: Position) throws(ListStoreError) -> Entry? {
    var stored = try order.entry(below: position)
    while let row = stored, gone.contains(row.position) { stored = try order.entry(below: row.position) }
    let planned = added.first { $0.position < position }
    guard let stored, let planned else { return stored ?? planned }
    return stored.position > planned.position ? stored : planned
  }

  /// The oldest row with a larger sort key.
  func row(newerThan key: SortBytes) throws(ListStoreError) -> Entry? {
    var stored = try order.entry(newerThan: key)
    while let row = stored, gone.contains(row.position) { stored = try order.entry(above: row.position) }
    let planned = added.last { row in row.sortBytes.map { key < $0 } ?? false }
    guard let stored, let planned else { return stored ?? planned }
    return stored.position < planned.position ? stored : planned
  }

  /// The newest row with a smaller sort key.
  func row(olderThan key: SortBytes) throws(ListStoreError) -> Entry? {
    var stored = try order.entry(olderThan: key)
    while let row = stored, gone.contains(row.position) { stored = try order.entry(below: row.position) }
    let planned = added.first { row in row.sortBytes.map { $0 < key } ?? false }
    guard let stored, let planned else { return stored ?? planned }
    return stored.position > planned.position ? stored : planned
  }

  /// The run that a position lies in.
  func run(at position: Position) -> Run? { runs.first { $0.low <= position && position <= $0.high } }

  /// Where a run stands among the runs.
  func index(ofRun number: Int64?) -> Int? { runs.firstIndex { $0.number == number } }

  // MARK: Changing rows

  /// Any write that needs no reading back.
  mutating func write(_ write: OrderWrite) { writes.append(write) }

  /// A row leaves the order. Bounds of runs are left to ``snap(_:)``.
  mutating func remove(_ row: Entry) {
    writes.append(.remove(position: row.position))
    gone.insert(row.position)
    outcome.removed.append(row.item)
  }

  /// A row leaves its place, to come back at another one: then by ``place(_:at:placed:)``.
  mutating func lift(_ row: Entry) {
    writes.append(.remove(position: row.position))
    gone.insert(row.position)
  }

  /// A row comes into the order: new, lifted before, or straight from its old place, which may be a planned one.
  mutating func place(_ arrival: Arrival, at position: Position, placed: Int64) {
    let row = Entry(position: position, item: arrival.item.item, sortBytes: arrival.item.sortBytes, placed: placed)
    let planned = arrival.from.flatMap { from in
      added.firstIndex { $0.position == from.position && $0.item == row.item }
    }
    if let planned { added.remove(at: planned) }
    if let from = arrival.from, planned != nil || !gone.contains(from.position) {
      writes.append(.move(from: from.position, to: position, placed: placed))
      if from.sortBytes != row.sortBytes { writes.append(.setSortBytes(position: position, row.sortBytes)) }
      gone.insert(from.position)
    } else {
      writes.append(.insert(row))
    }
    if arrival.from == nil {
      outcome.inserted.append(row.item)
    } else if planned == nil {
      outcome.moved.append(row.item)
    }
    // Mostly the end.
    let next = added.lastIndex { $0.position > position }.map { $0 + 1 } ?? 0
    added.insert(row, at: next)
  }

  /// Puts a row above all others, into the head run, which must be known to be current.
  mutating func placeOnTop(_ arrival: Arrival, _ room: Room, placed: Int64) {
    guard let head = runs.first else { return }
    let top = head.isEmpty ? nil : head.high
    let free = room.positions(1, below: nil, isJoinedAbove: false, above: top, isJoinedBelow: true)
    guard let position = free?.first else { return isOutOfRoom = true }
    place(arrival, at: position, placed: placed)
    runs[0].high = position
    if head.isEmpty { runs[0].low = position }
    runs[0].newer.token = nil
  }

  /// Puts rows where their keys belong, if that is inside a run, or below the end of the list; what belongs into a gap
  /// is left out. Rows for one spot share its room evenly. The items that were placed.
  mutating func placeInside(_ arrivals: [Arrival], _ room: Room, placed: Int64) throws(ListStoreError) -> Set<Int64> {
    var rest = arrivals.compactMap { arrival in arrival.item.sortBytes.map { (key: $0, arrival: arrival) } }
    rest.sort { $0.key > $1.key }
    var settled: Set<Int64> = []
    while let first = rest.first {
      let lower = try row(olderThan: first.key)
      let isHere = { (key: SortBytes) in lower?.sortBytes.map { key > $0 } ?? true }
      let group = Array(rest.prefix { isHere($0.key) })
      rest.removeFirst(max(1, group.count))
      guard let upper = try row(newerThan: first.key), let index = try runAround(upper, lower) else { continue }
      // Rows with the same key, if a server has them, stay below.
      let below = try row(below: upper.position)
      let free = room.positions(
        group.count, below: upper.position, isJoinedAbove: true, above: below?.position, isJoinedBelow: lower != nil)
      guard let free, let last = free.last else {
        isOutOfRoom = true
        return settled
      }
      // The token of a joint between the two may lead past what comes between them now.
      if let lower { writes.append(.dropCuts(lower.position + 1...upper.position)) }
      for (entry, position) in zip(group, free) {
        place(entry.arrival, at: position, placed: placed)
        settled.insert(entry.arrival.item.item)
      }
      runs[index].low = min(runs[index].low, last)
    }
    return settled
  }

  /// The run that spans the place between two rows, or whose end it is below.
  private func runAround(_ upper: Entry, _ lower: Entry?) throws(ListStoreError) -> Int? {
    guard let index = runs.firstIndex(where: { $0.low <= upper.position && upper.position <= $0.high }) else {
      return nil
    }
    guard let lower else { return runs[index].older.state == .reached ? index : nil }
    return runs[index].low <= lower.position ? index : nil
  }

  // MARK: Changing runs

  /// Takes a run's bounds in to rows that are still there.
  func snap(_ run: Run) throws(ListStoreError) -> Run {
    var run = run
    guard !run.isEmpty else { return run }
    if isGone(run.high) { run.high = try row(below: run.high)?.position ?? .min }
    if run.high >= run.low, isGone(run.low) { run.low = try row(above: run.low)?.position ?? .max }
    if run.high < run.low { (run.high, run.low) = (0, 1) }
    return run
  }

  /// Joints that no longer lie inside a run lead nowhere.
  private mutating func dropOuterCuts() {
    for old in before where !old.isEmpty {
      guard !runs.contains(where: { !$0.isEmpty && $0.low <= old.low && old.high <= $0.high }) else { continue }
      var from = old.low
      for run in runs.reversed() where !run.isEmpty && run.low < old.high && old.low <= run.high {
        if from <= run.low { writes.append(.dropCuts(from...run.low)) }
        from = max(from, run.high + 1)
      }
      if from <= old.high { writes.append(.dropCuts(from...old.high)) }
    }
  }

  /// Whether the row at a position is another one than was stored there.
  private func isOther(_ position: Position) -> Bool {
    gone.contains(position) || added.contains { $0.position == position }
  }

  private func isGone(_ position: Position) -> Bool {
    gone.contains(position) && !added.contains { $0.position == position }
  }

  /// Takes all bounds in. A run without rows is gone, unless it is all there is and still says something: an end or a
  /// token.
  mutating func snapAll() throws(ListStoreError) {
    for index in runs.indices { runs[index] = try snap(runs[index]) }
    let filled = runs.filter { !$0.isEmpty }
    if filled.isEmpty, let first = runs.first, let last = runs.last {
      var empty = first
      empty.older = last.older
      // What the older edge still brings may be newer than a live item that comes late.
      if empty.newer.state == .live, empty.older.state != .reached {
        empty.newer = RunEdge(state: .open, token: nil, generation: empty.newer.generation)
      }
      runs = empty.older.state == .reached || empty.older.token != nil ? [empty] : []
    } else {
      runs = filled
    }
  }

  /// The plan: the writes, and for every run that differs its new state, with a new generation on each edge that does.
  mutating func finish(_ numbers: inout MergeNumbers) -> MergePlan {
    guard !isOutOfRoom else { return MergePlan(writes: [.renumber]) }
    normalize()
    for old in before where !runs.contains(where: { $0.number == old.number }) {
      writes.append(.deleteRun(number: old.number))
    }
    dropOuterCuts()
    for run in runs {
      var run = run
      let old = before.first { $0.number == run.number }
      guard run != old || isOther(run.high) || isOther(run.low) else { continue }
      if old?.newer != run.newer || old?.high != run.high || isOther(run.high) { run.newer.generation = numbers.draw() }
      if old?.older != run.older || old?.low != run.low || isOther(run.low) { run.older.generation = numbers.draw() }
      writes.append(.putRun(run))
    }
    return MergePlan(writes: writes, outcome: outcome)
  }

  /// What holds of edges by their place alone: only the head run is live, only the oldest run has reached the end.
  private mutating func normalize() {
    runs.sort { $0.high > $1.high }
    for index in runs.indices {
      if index > 0, runs[index].newer.state == .live {
        runs[index].newer = RunEdge(state: .open, token: nil, generation: 0)
      }
      let isOldest = index == runs.count - 1
      if !isOldest, runs[index].older.state == .reached { runs[index].older.state = .serverEnd }
      if isOldest, runs[index].older.state == .serverEnd { runs[index].older.state = .reached }
    }
  }
}
