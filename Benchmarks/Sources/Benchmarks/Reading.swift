import Paging

/// Reading the rows of a snapshot: all of them by pages, and one by index.
enum Reading {
  static func run(rows count: Int) async throws -> [Measurement] {
    let rows = Fixtures.rows(count)
    let pager = Pager(config: Fixtures.config, source: ListSource(rows))
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
        workload: "reading all of \(count) rows by pages", ours: all.ours, baseline: all.baseline, asked: 1.2),
      Measurement(workload: "one row of \(count) by index", ours: one / Double(places.count), asked: 100),
    ]
  }
}
