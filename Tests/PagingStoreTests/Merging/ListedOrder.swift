@testable import PagingStore

/// An order in memory that applies plans as the database does, and complains where the database would fail.
struct ListedOrder: OrderReading {
  /// The rows, by falling position.
  var entries: [Entry] = []
  var stored: [Run] = []
  var cuts: [Position: (older: String?, newer: String?)] = [:]
  var epoch: Int64 = 1
  var headSequence: Int64 = 0
  var held: [HeldItem] = []
  var complaints: [String] = []
  /// How far rows and runs stand apart after a renumbering; more than a page is long.
  var spread: (stride: Position, spacing: Position) = (64, 256)
  var renumberings = 0

  func runs() throws(ListStoreError) -> [Run] { stored }
  func entry(of item: Int64) throws(ListStoreError) -> Entry? { entries.first { $0.item == item } }
  func entry(at position: Position) throws(ListStoreError) -> Entry? { entries.first { $0.position == position } }
  func entries(in range: ClosedRange<Position>, limit: Int) throws(ListStoreError) -> [Entry] {
    Array(entries.filter { range.contains($0.position) }.prefix(limit))
  }
  func entry(above position: Position) throws(ListStoreError) -> Entry? { entries.last { $0.position > position } }
  func entry(below position: Position) throws(ListStoreError) -> Entry? { entries.first { $0.position < position } }
  func entry(newerThan key: SortBytes) throws(ListStoreError) -> Entry? {
    entries.last { row in row.sortBytes.map { key < $0 } ?? false }
  }
  func entry(olderThan key: SortBytes) throws(ListStoreError) -> Entry? {
    entries.first { row in row.sortBytes.map { $0 < key } ?? false }
  }

  mutating func apply(_ plan: MergePlan) {
    for write in plan.writes { apply(write) }
  }

  private mutating func apply(_ write: OrderWrite) {
    switch write {
    case .insert(let entry): insert(entry)
    case .remove(let position): take(position)
    case .move(let from, let to, let placed):
      guard var entry = take(from) else { return }
      (entry.position, entry.placed) = (to, placed)
      insert(entry)
    case .setSortBytes(let position, let bytes):
      guard let index = entries.firstIndex(where: { $0.position == position }) else {
        return complaints.append("sort bytes for no row at \(position)")
      }
      entries[index].sortBytes = bytes
    case .putRun(let run):
      stored.removeAll { $0.number == run.number }
      stored.insert(run, at: stored.firstIndex { $0.high < run.high } ?? stored.endIndex)
    case .deleteRun(let number):
      if !stored.contains(where: { $0.number == number }) { complaints.append("no run \(number) to delete") }
      stored.removeAll { $0.number == number }
    case .putCut(let position, let older, let newer): cuts[position] = (older, newer)
    case .dropCuts(let range): cuts = cuts.filter { !range.contains($0.key) }
    case .renumber: renumber()
    case .clear:
      (entries, stored, cuts, epoch) = ([], [], [:], epoch + 1)
    case .setHeadSequence(let sequence): headSequence = sequence
    case .clearHeld: held = []
    case .dropHeld(let item): held.removeAll { $0.item.item == item }
    }
  }

  private mutating func insert(_ entry: Entry) {
    if entries.contains(where: { $0.position == entry.position }) { complaints.append("\(entry.position) is taken") }
    if entries.contains(where: { $0.item == entry.item }) { complaints.append("item \(entry.item) is there already") }
    entries.insert(entry, at: entries.firstIndex { $0.position < entry.position } ?? entries.endIndex)
  }

  @discardableResult
  private mutating func take(_ position: Position) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.position == position }) else {
      complaints.append("no row at \(position)")
      return nil
    }
    return entries.remove(at: index)
  }

  private mutating func renumber() {
    renumberings += 1
    var next: Position = 0
    var last: Int64?
    var new: [Position: Position] = [:]
    for row in entries.reversed() {
      let run = stored.first { $0.low <= row.position && row.position <= $0.high }?.number
      if let last { next += last == run ? spread.stride : spread.spacing }
      last = run
      new[row.position] = next
    }
    // A joint is a place between rows: it goes with the row above it.
    var moved: [Position: (older: String?, newer: String?)] = [:]
    for (position, cut) in cuts {
      if let row = entries.last(where: { $0.position >= position }) { moved[new[row.position] ?? 0] = cut }
    }
    cuts = moved
    for index in stored.indices where !stored[index].isEmpty {
      stored[index].high = new[stored[index].high] ?? stored[index].high
      stored[index].low = new[stored[index].low] ?? stored[index].low
    }
    for index in entries.indices { entries[index].position = new[entries[index].position] ?? 0 }
  }
}

extension ListedOrder {
  /// What breaks the invariants that need no server, in words; empty when all hold.
  func broken(_ rule: OrderRule) -> [String] {
    var broken = complaints
    if Set(entries.map(\.item)).count < entries.count { broken.append("INV1: an item twice") }
    if Set(entries.map(\.position)).count < entries.count { broken.append("INV1: a position twice") }
    for row in entries where stored.count(where: { $0.low <= row.position && row.position <= $0.high }) != 1 {
      broken.append("INV2: row \(row.item) is not in exactly one run")
    }
    for run in stored {
      if run.isEmpty {
        if stored.count > 1 { broken.append("INV2: an empty run beside others") }
        continue
      }
      let bounds = [run.high, run.low]
      if !bounds.allSatisfy({ bound in entries.contains { $0.position == bound } }) {
        broken.append("INV2: a bound of run \(run.number) is no row")
      }
    }
    if rule == .keyed {
      for (a, b) in zip(entries, entries.dropFirst()) {
        guard let a = a.sortBytes, let b = b.sortBytes, a > b else {
          broken.append("INV3: positions and keys differ at items \(a.item), \(b.item)")
          continue
        }
      }
    }
    for position in cuts.keys where !stored.contains(where: { $0.low < position && position <= $0.high }) {
      broken.append("a joint at \(position) lies in no run")
    }
    for (index, run) in stored.enumerated() {
      if run.newer.state == .live, index > 0 { broken.append("INV5: run \(run.number) is live and not the head") }
      if run.older.state == .reached, index < stored.count - 1 {
        broken.append("INV6: run \(run.number) is not the oldest")
      }
      if run.older.state == .live || run.newer.state == .reached {
        broken.append("run \(run.number) has a foreign state")
      }
    }
    return broken
  }
}
