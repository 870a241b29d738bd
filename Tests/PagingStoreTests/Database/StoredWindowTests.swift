import Loading
import Testing

@testable import PagingStore

@Suite struct StoredWindowTests {
  @Test func Q2_anyWindowIsASliceOfTheWholeList() throws {
    let database = try Database.inMemory()
    let list = try StoreSample.fill(database, runs: 4, rows: 25)[0]
    try database.read { connection throws(ListStoreError) in
      let order = connection.order(of: list)
      let whole = try order.window(at: .max, newer: 0, older: .max)
      #expect(whole.rows.count == 100)
      #expect(whole.newerNeighbour == nil && whole.olderNeighbour == nil)
      #expect(whole.runs.count == 4)
      var generator = SeededGenerator(seed: 2)
      for _ in 0..<300 {
        let shown = Bool.random(using: &generator) ? nil : whole.rows.randomElement(using: &generator)?.position
        let visible = whole.rows.filter { $0.position <= shown ?? .max }
        guard let row = whole.rows.randomElement(using: &generator) else { return }
        let anchor = row.position + Position.random(in: -1...1, using: &generator)
        let newer = Int.random(in: 0...12, using: &generator)
        let older = Int.random(in: 0...40, using: &generator)
        let window = try order.window(at: anchor, newer: newer, older: older, shown: shown)
        let above = visible.filter { $0.position > anchor }.suffix(newer)
        let below = visible.filter { $0.position <= anchor }.prefix(older)
        #expect(window.rows == Array(above + below))
        #expect(window.newerNeighbour == visible.filter { $0.position > anchor }.dropLast(newer).last?.position)
        #expect(window.olderNeighbour == visible.filter { $0.position <= anchor }.dropFirst(older).first?.position)
      }
    }
  }

  @Test func S13_rowsThatARunPromisesAndThatAreMissingAreDamage() throws {
    let statements = [
      // The newest, the oldest, the ends of a run in the middle, all.
      SQL("DELETE FROM entry WHERE list_no = ?1 AND pos = (SELECT max(pos) FROM entry WHERE list_no = ?1)"),
      SQL("DELETE FROM entry WHERE list_no = ?1 AND pos = (SELECT min(pos) FROM entry WHERE list_no = ?1)"),
      SQL(
        "DELETE FROM entry WHERE list_no = ?1 AND pos IN (SELECT hi FROM run WHERE list_no = ?1 ORDER BY hi LIMIT 1 OFFSET 1)"
      ),
      SQL(
        "DELETE FROM entry WHERE list_no = ?1 AND pos IN (SELECT lo FROM run WHERE list_no = ?1 ORDER BY hi LIMIT 1 OFFSET 1)"
      ),
      SQL("DELETE FROM entry WHERE list_no = ?1"),
      SQL("DELETE FROM run WHERE list_no = ?1"),
      SQL("DELETE FROM run WHERE run_no = (SELECT run_no FROM run WHERE list_no = ?1 ORDER BY hi LIMIT 1 OFFSET 1)"),
      SQL("UPDATE run SET hi = hi + (1 << 41) WHERE list_no = ?1"),
    ]
    for statement in statements {
      let database = try Database.inMemory()
      let list = try StoreSample.fill(database)[0]
      #expect(try StoreSample.keys(of: list, in: database).count == 120)
      try database.write { transaction throws(ListStoreError) in _ = try transaction.connection.run(statement, list) }
      let error = #expect(throws: ListStoreError.self, "\(statement.text)") {
        try StoreSample.keys(of: list, in: database)
      }
      #expect(error?.code == .damaged)
    }
  }

  @Test func aListOfWhichNothingIsKnownAndAListKnownToBeEmptyAreBothReadWithoutRows() throws {
    let bench = try OrderBench(.inMemory())
    let unknown = try bench.read { order throws(ListStoreError) in try order.window(at: .max, newer: 5, older: 5) }
    #expect(unknown.rows.isEmpty && unknown.runs.isEmpty)
    var empty = OrderBench.run(9, 0, 1)
    empty.older.state = .reached
    try bench.apply([.putRun(empty)])
    let known = try bench.read { order throws(ListStoreError) in try order.window(at: .max, newer: 5, older: 5) }
    #expect(known.rows.isEmpty && known.runs == [empty])
  }

  @Test func aWindowBelowWhatIsShownDoesNotSeeWhatIsAbove() throws {
    let bench = try OrderBench(.inMemory())
    try bench.apply(
      [30, 20].map { .insert(Entry(position: $0, item: $0, sortBytes: nil, placed: 1)) } + [
        .putRun(OrderBench.run(9, 30, 20))
      ])
    let hidden = try bench.read { order throws(ListStoreError) in
      try order.window(at: .max, newer: 5, older: 5, shown: 10)
    }
    #expect(hidden.rows.isEmpty && hidden.newerNeighbour == nil)
    let one = try bench.read { order throws(ListStoreError) in try order.window(at: .max, newer: 5, older: 5, shown: 29)
    }
    #expect(one.rows.map(\.position) == [20])
  }
}
