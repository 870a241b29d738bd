@testable import PagingStore

/// What a stored order claims, held against the server whose list it is.
struct ServerTruth {
  let server: ModelServer
  /// Items that the list may miss, since it was not told of them.
  let excused: Set<Int64>
  /// Items that the list is still going to be told of.
  let waiting: Set<Int64>

  /// What the order claims and the server doesn't bear out, in words; its items are the server's numbers.
  func broken(_ order: ListedOrder) -> [String] {
    var broken: [String] = []
    let rows = order.entries
    let stored = Set(rows.map(\.item))
    let missed = server.visible.filter { !stored.contains($0) && !excused.contains($0) && !waiting.contains($0) }
    for (a, b) in zip(rows, rows.dropFirst()) {
      // A row that is gone from the server has no place there.
      if a.item < b.item, server.items[a.item] == true, server.items[b.item] == true {
        broken.append("INV3: \(a.item) stands above \(b.item)")
      }
      guard order.stored.contains(where: { $0.low <= b.position && a.position <= $0.high }) else { continue }
      for item in missed where b.item < item && item < a.item {
        broken.append("INV4: \(item) is missing between \(a.item) and \(b.item)")
      }
    }
    for run in order.stored { broken += brokenEdges(of: run, rows, missed) }
    return broken
  }

  private func brokenEdges(of run: Run, _ rows: [Entry], _ missed: [Int64]) -> [String] {
    var broken: [String] = []
    let top = rows.first { $0.position == run.high }?.item
    let bottom = rows.first { $0.position == run.low }?.item
    let floor = top ?? ModelServer.number(run.older.token).map { $0 - 1 } ?? (run.older.state == .reached ? 0 : .max)
    if run.newer.state == .live, let item = missed.first(where: { $0 > floor }) {
      broken.append("INV5: live, yet \(item) is missing above")
    }
    if run.older.state == .reached, let item = missed.first(where: { $0 < bottom ?? .min }) {
      broken.append("INV6: reached, yet \(item) is missing below")
    }
    if let number = ModelServer.number(run.older.token) {
      if let bottom, number > bottom {
        broken.append("INV7: token \(number) lies inside the run that ends at \(bottom)")
      }
      if let item = missed.first(where: { number <= $0 && $0 < bottom ?? .min }) {
        broken.append("INV7: token \(number) skips \(item)")
      }
    }
    if run.newer.state != .live, let number = ModelServer.number(run.newer.token) {
      if let top, number < top { broken.append("INV7: token \(number) lies inside the run that begins at \(top)") }
      if let item = missed.first(where: { $0 <= number && $0 > top ?? .max }) {
        broken.append("INV7: token \(number) skips \(item)")
      }
    }
    return broken
  }
}

/// INV8: whatever differs about an edge, its generation does too, and no number comes twice.
struct GenerationTruth {
  private var runsEver: Set<Int64> = []

  /// What is wrong between two states of an order.
  mutating func broken(_ before: ListedOrder, _ after: ListedOrder) -> [String] {
    defer { runsEver.formUnion(after.stored.map(\.number)) }
    var broken: [String] = []
    let items = Dictionary(after.entries.map { ($0.position, $0.item) }) { first, _ in first }
    let itemsBefore = Dictionary(before.entries.map { ($0.position, $0.item) }) { first, _ in first }
    for run in after.stored {
      guard let old = before.stored.first(where: { $0.number == run.number }) else {
        if runsEver.contains(run.number) { broken.append("INV8: run number \(run.number) is used again") }
        continue
      }
      let isSameHigh = items[run.high] == itemsBefore[old.high]
      let isSameLow = items[run.low] == itemsBefore[old.low]
      if run.newer.generation == old.newer.generation, run.newer != old.newer || !isSameHigh {
        broken.append("INV8: newer edge of run \(run.number)")
      }
      if run.older.generation == old.older.generation, run.older != old.older || !isSameLow {
        broken.append("INV8: older edge of run \(run.number)")
      }
    }
    let generations = after.stored.flatMap { [$0.newer.generation, $0.older.generation] }
    if Set(generations).count < generations.count { broken.append("INV8: a generation twice") }
    return broken
  }

  /// Runs that were there from the start.
  mutating func note(_ run: Int64) { runsEver.insert(run) }
}
