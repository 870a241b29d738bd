import Paging

/// A page that comes while many rows are loaded: load, snapshot, publish, and the changes from the snapshot before.
enum PageEvents {
  static func run(rows count: Int) async throws -> [Measurement] {
    let pager = Pager(config: Fixtures.config, source: CountingSource(count: count + 100_000))
    try await Fixtures.fill(pager, to: count)
    let body = try await median(of: pager)
    let after = pager.snapshot
    let idle = Measure.median(samples: 101) {
      for row in 0..<100 { pager.viewportChanged(to: 100 + row..<120 + row, of: after) }
    }
    return [
      Measurement(workload: "page event at \(count) rows", ours: body, asked: 20_000),
      Measurement(workload: "viewportChanged that starts nothing", ours: idle / 100, asked: 1_000),
    ]
  }

  /// Nanoseconds of the next page of a pager, with the changes that it makes.
  static func median(of pager: Pager<Int, Row>) async throws -> Double {
    var times: [Double] = []
    for _ in 0..<500 {
      let before = pager.snapshot
      let start = ContinuousClock.now
      try await pager.load(.append).finished()
      let changes = pager.snapshot.changes(from: before)
      times.append(Measure.nanoseconds(ContinuousClock.now - start))
      precondition(changes.insertions.count == 20)
    }
    return Measure.median(times)
  }
}
