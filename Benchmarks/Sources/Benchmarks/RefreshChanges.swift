import Paging

/// `changes(from:)` across a refresh, against filling a dictionary with the same identities and probing it.
enum RefreshChanges {
  static func run(rows count: Int) async throws -> [Measurement] {
    let old = Fixtures.rows(count)
    var edited = old
    // One row in a hundred: removed, inserted, moved, changed, in turn.
    for (turn, index) in stride(from: count - 50, to: 0, by: -100).enumerated() {
      switch turn % 4 {
      case 0: edited.remove(at: index)
      case 1: edited.insert(Row(id: count + index, text: "new"), at: index)
      case 2: edited.insert(edited.remove(at: index), at: max(0, index - 500))
      default: edited[index].isRead = true
      }
    }
    var random = SystemRandomNumberGenerator()
    let shuffled = old.shuffled(using: &random)
    return [
      try await measure("changes of a refresh, \(count) rows, 1 % changed", from: old, to: edited),
      try await measure("changes of a refresh, \(count) rows, full shuffle", from: old, to: shuffled),
    ]
  }

  private static func measure(_ name: String, from old: [Row], to new: [Row]) async throws -> Measurement {
    let source = ListSource(old)
    let pager = Pager(config: Fixtures.config, source: source)
    try await Fixtures.fill(pager, to: old.count)
    let before = pager.snapshot
    source.replace(new)
    try await pager.refresh(from: .start).finished()
    try await Fixtures.fill(pager, to: new.count)
    let after = pager.snapshot
    precondition(before.items.count == old.count && after.items.count == new.count)
    let ids = (old: old.map(\.id), new: new.map(\.id))
    let times = Measure.medians(
      ours: { consume(after.changes(from: before)) },
      baseline: {
        var places: [Int: Int] = [:]
        for (place, id) in ids.old.enumerated() { places[id] = place }
        var sum = 0
        for id in ids.new { sum &+= places[id] ?? 0 }
        consume(sum)
      })
    return Measurement(workload: name, ours: times.ours, baseline: times.baseline, asked: 4.5)
  }
}
