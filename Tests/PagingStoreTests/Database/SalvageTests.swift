import Testing

@testable import PagingStore

@Suite struct SalvageTests {
  /// A table whose keys are `keys` and of which those in `bad` can't be read.
  private func salvage(
    _ keys: [Int64], bad: ClosedRange<Int64>?, looks: Int = 400
  ) -> (read: [Int64], holes: [ClosedRange<Int64>]) {
    var read: [Int64] = []
    let salvage = Salvage(.min ... .max, looks: looks) { range, falling, saw throws(ListStoreError) in
      // Pages hold ten rows; one that is bad fails when it is entered.
      let inside = keys.filter { range.contains($0) }
      for key in falling ? inside.reversed() : inside {
        if let bad, bad.contains(key) { throw ListStoreError(.damaged, message: "bad") }
        read.append(key)
        saw(key)
      }
    }
    return (read, salvage.holes)
  }

  @Test func everythingIsReadOnceWhereNothingIsBad() {
    let keys: [Int64] = [.min, -5, 0, 1, 2, 99, .max]
    let (read, holes) = salvage(keys, bad: nil)
    #expect(read == keys)
    #expect(holes.isEmpty)
  }

  @Test(arguments: [0...9, 40...59, 90...99, 7...7, 0...98, 1...99] as [ClosedRange<Int64>])
  func whatIsBadIsAHoleAndTheRestIsReadOnce(bad: ClosedRange<Int64>) {
    let keys = (0..<100).map { Int64($0) }
    let (read, holes) = salvage(keys, bad: bad)
    #expect(read.sorted() == keys.filter { !bad.contains($0) })
    #expect(bad.allSatisfy { key in holes.contains { $0.contains(key) } })
    #expect(holes.allSatisfy { hole in !read.contains { hole.contains($0) } })
  }

  @Test func everythingBadIsOneStretchOfHoles() {
    let keys = (0..<100).map { Int64($0) * (1 << 40) }
    let (read, holes) = salvage(keys, bad: .min ... .max, looks: 50)
    #expect(read.isEmpty)
    #expect(keys.allSatisfy { key in holes.contains { $0.contains(key) } })
  }

  @Test func rowsBetweenTwoBadPagesAreFound() {
    let keys = (0..<100).map { Int64($0) << 20 }
    var read: [Int64] = []
    let bad: Set<Int64> = Set(keys[20..<30]).union(keys[70..<80])
    let salvage = Salvage(.min ... .max) { range, falling, saw throws(ListStoreError) in
      let inside = keys.filter { range.contains($0) }
      for key in falling ? inside.reversed() : inside {
        if bad.contains(key) { throw ListStoreError(.damaged, message: "bad") }
        read.append(key)
        saw(key)
      }
    }
    #expect(Set(read) == Set(keys).subtracting(bad))
    #expect(read.count == 80, "None twice.")
    #expect(bad.allSatisfy { key in salvage.holes.contains { $0.contains(key) } })
  }

  private func entry(_ position: Position) -> Entry {
    Entry(position: position, item: position, sortBytes: nil, placed: 1)
  }

  private func repair(
    _ positions: [Position], _ runs: [Run], holes: [ClosedRange<Position>] = [], all: Bool = true
  ) -> RunRepair {
    var last: Int64 = 1000
    return RunRepair(rows: positions.map { entry($0) }, runs: runs, holes: holes, knowsAllRuns: all) {
      last += 1
      return last
    }
  }

  private var run: Run {
    var run = OrderBench.run(9, 50, 10)
    run.newer.state = .live
    run.older = RunEdge(state: .reached, token: nil, generation: 1)
    return run
  }

  @Test func S3_aRunIsCutWhereARowMayBeMissing() {
    let repair = repair([50, 40, 20, 10], [run], holes: [30...30])
    #expect(repair.runs.map(\.high) == [50, 20])
    #expect(repair.runs.map(\.low) == [40, 10])
    #expect(repair.runs[0].older.state == .open && repair.runs[0].older.token == nil)
    #expect(repair.runs[0].newer.token == "n" && repair.runs[0].newer.state == .open)
    #expect(repair.runs[1].newer.state == .open && repair.runs[1].newer.token == nil)
    #expect(repair.runs[1].number == 9 && repair.runs[0].number > 1000)
    #expect(repair.entries.map(\.position) == [50, 40, 20, 10])
  }

  @Test func S3_anEndThatWasLostIsOpen() {
    let repair = repair([40, 30], [run], holes: [50...50, 10...10])
    #expect(repair.runs.count == 1)
    #expect(repair.runs[0].high == 40 && repair.runs[0].low == 30)
    #expect(repair.runs[0].newer.token == nil && repair.runs[0].older.state == .open)
  }

  @Test func S3_theEndIsBelievedOnlyIfNothingWasLost() {
    #expect(repair([50, 10], [run]).runs[0].older.state == .reached)
    #expect(repair([50, 10], [run], all: false).runs[0].older.state == .open)
    var empty = run
    (empty.high, empty.low) = (0, 1)
    #expect(repair([], [empty]).runs.count == 1)
    #expect(repair([], [empty], all: false).runs.isEmpty)
    #expect(repair([], [empty], holes: [5...6]).runs.isEmpty)
  }

  @Test func S3_rowsOfARunThatWasLostBelongNowhere() {
    let repair = repair([70, 60, 50, 10, 5], [run], all: false)
    #expect(repair.entries.map(\.position) == [50, 10])
  }
}
