import Loading
import Paging
import PagingTesting
import Testing

/// Several readers of one pager, which takes the place of a cache in front of it: the CAC scenarios, and PRE-41.
///
/// First 3 rows, pages of 3, no placeholders.
@Suite(.timeLimit(.minutes(10))) struct StreamScenarioTests {
  private func config() -> PagingConfig {
    var config = PagingConfig(pageSize: 3, prefetchDistance: 1, initialLoadSize: 3)
    config.placeholders = false
    return config
  }

  @Test func CAC_02_theSecondReaderGoesOnWhereTheFirstLeftOff() async throws {
    let made = Box(0)
    let source = ListServer(count: 100).source()
    let pager = Pager(config: config()) {
      made.change { $0 += 1 }
      return source
    }
    try await pager.first { $0.ids.count == 3 }
    try await pager.see(2..<3)
    #expect(pager.snapshot.ids == Array(0..<6))
    var second = pager.snapshots().makeAsyncIterator()
    #expect(await second.next()?.ids == Array(0..<6), "at once, from what is there")
    pager.look(at: 5..<6)
    try await pager.first { $0.ids == Array(0..<9) }
    #expect(made.value == 1)
    #expect(source.calls.count == 3, "nothing was loaded twice")
  }

  @Test func CAC_03_theListCanBeReadWithoutAStream() async throws {
    let pager = Pager(config: config(), source: ListServer(count: 100).source())
    #expect(pager.snapshot.isEmpty)
    await pager.settled()
    try await pager.see(2..<3)
    #expect(pager.snapshot.ids == Array(0..<6))
    try await pager.see(5..<6)
    #expect(pager.snapshot.ids == Array(0..<9))
  }

  @Test func CAC_08_whatOneReaderCausesAllReadersSee() async throws {
    let pager = Pager(config: config(), source: ListServer(count: 100).source())
    var passive = pager.snapshots().makeAsyncIterator()
    while let snapshot = await passive.next(), snapshot.ids.count < 3 {}
    let active = pager.snapshots()
    pager.look(at: 2..<3)
    for await snapshot in active where snapshot.ids.count == 6 { break }
    pager.look(at: 5..<6)
    for await snapshot in active where snapshot.ids.count == 9 { break }
    await pager.settled()
    var last: PagingSnapshot<Row>?
    while let snapshot = await passive.next() {
      last = snapshot
      if snapshot.ids.count == 9 { break }
    }
    #expect(last?.ids == Array(0..<9))
    var late = pager.snapshots().makeAsyncIterator()
    #expect(await late.next()?.ids == Array(0..<9))
    pager.look(at: 8..<9)
    await pager.settled()
    #expect(await passive.next()?.ids.isEmpty == false)
    #expect(pager.snapshot.ids == Array(0..<12))
  }

  /// In place of CAC-09: what is said while nobody observes is one generation, when somebody does.
  @Test func P11_tenInvalidationsWhileNobodyObservesAreOneGeneration() async throws {
    let made = Box(0)
    let pager = Pager(config: config()) {
      made.change { $0 += 1 }
      return ListServer(count: 100).source()
    }
    await pager.settled()
    for _ in 0..<10 { pager.invalidate() }
    #expect(made.value == 1)
    await pager.settled()
    #expect(made.value == 2)
    #expect(pager.snapshot.ids == [0, 1, 2])
    await pager.settled()
    #expect(made.value == 2)
  }

  @Test func CAC_12_whoComesLateGetsAllThatIsThereAndTheEnd() async throws {
    let pager = Pager(config: config(), initialKey: 30, source: ListServer(count: 100).source(pageSize: 3))
    await pager.settled()
    try await pager.see(2..<3)
    var first = pager.snapshots().makeAsyncIterator()
    #expect(await first.next()?.ids == Array(30..<36))
    // A command ends when the streams have been offered what it led to; a pager is settled a moment before.
    try await pager.load(.prepend).finished()
    var second = pager.snapshots().makeAsyncIterator()
    let seen = await (first.next()?.ids, second.next()?.ids)
    #expect(seen == (Array(27..<36), Array(27..<36)))
    pager.close()
    #expect(await first.next() == nil)
    #expect(await second.next() == nil)
    var late = pager.snapshots().makeAsyncIterator()
    #expect(await late.next()?.ids == Array(27..<36))
    #expect(await late.next() == nil)
  }

  /// In place of CAC-11 and PRE-16: a slow reader skips what is no longer so.
  @Test func P23_aSlowReaderGetsTheNewestList() async throws {
    let pager = Pager(config: config(), source: ListServer(count: 600).source())
    var slow = pager.snapshots().makeAsyncIterator()
    await pager.settled()
    for page in 1...100 {
      try await pager.load(.append).finished()
      #expect(pager.snapshot.ids.count == 3 + 3 * page)
    }
    #expect(await slow.next()?.ids == Array(0..<303))
    pager.close()
    #expect(await slow.next() == nil)
  }

  @Test func PRE_41_aSecondScreenNeverSeesTheFirstLoad() async throws {
    let pager = Pager(config: config(), source: ListServer(count: 100).source())
    await pager.settled()
    var second = pager.snapshots().makeAsyncIterator()
    let snapshot = await second.next()
    #expect(snapshot?.ids == [0, 1, 2])
    #expect(snapshot?.states.refresh == .notLoading(endReached: false))
    #expect(snapshot?.phase == .content)
  }

  /// In place of FET-09 and PRE-02: two readers share one list, and neither ends the other.
  @Test func P23_twoReadersShareOneListAndNeitherEndsTheOther() async throws {
    let source = ListServer(count: 100).source()
    let pager = Pager(config: config(), source: source)
    var one = pager.snapshots().makeAsyncIterator()
    var two = pager.snapshots().makeAsyncIterator()
    while let snapshot = await one.next(), snapshot.ids != [0, 1, 2] {}
    while let snapshot = await two.next(), snapshot.ids != [0, 1, 2] {}
    #expect(pager.snapshot.ids == [0, 1, 2])
    try await pager.load(.append).finished()
    let more = await (one.next()?.ids, two.next()?.ids)
    #expect(more == (Array(0..<6), Array(0..<6)))
    #expect(source.calls.count == 2)
  }
}
