import Paging

/// Reading the rows of a snapshot: all of them by pages, and one by index.
///
/// What a page costs here is its array, which is counted as held and let go: two atomic operations and a jump to other memory, 10 ns together.
/// In 20 rows of a flat array, which the processor reads ahead, that is more than the rows.
enum Reading {
  static func run(rows count: Int) async throws -> [Measurement] {
    try await run(rows: count, pageSize: 20) + run(rows: count, pageSize: 200)
  }

  private static func run(rows count: Int, pageSize: Int) async throws -> [Measurement] {
    let rows = Fixtures.rows(count)
    let pager = Pager(config: Fixtures.config, source: ListSource(rows, pageSize: pageSize))
    try await Fixtures.fill(pager, to: count)
    let snapshot = pager.snapshot
    precondition(snapshot.items.count == count)
    let all = Measure.medians(
      samples: 41,
      ours: {
        var sum = 0
        for page in snapshot.pages { for row in page { sum &+= row.id &+ row.text.utf8.count } }
        consume(sum)
      },
      baseline: {
        var sum = 0
        for row in rows { sum &+= row.id &+ row.text.utf8.count }
        consume(sum)
      })
    let places = (0..<10_000).map { _ in Int.random(in: 0..<count) }
    let one = Measure.median {
      var sum = 0
      for place in places { sum &+= snapshot[place].item?.id ?? 0 }
      consume(sum)
    }
    return [
      Measurement(
        workload: "reading all of \(count) rows by pages of \(pageSize)", ours: all.ours, baseline: all.baseline,
        asked: 1.2),
      Measurement(
        workload: "one row of \(count) by index, pages of \(pageSize)", ours: one / Double(places.count), asked: 100),
    ]
  }
}
