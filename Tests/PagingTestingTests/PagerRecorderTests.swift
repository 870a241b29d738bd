import Paging
import PagingTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct PagerRecorderTests {
  private let config = PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 5)

  private func pager(_ source: some PageSource<Int, Number>) -> Pager<Int, Number> {
    Pager(config: config, source: source)
  }

  @Test func everySnapshotIsOnTheRecordWhenSettledReturns() async throws {
    let pager = pager(HundredSource())
    let recorder = PagerRecorder(pager)
    await pager.settled()
    pager.viewportChanged(to: 4..<5, of: pager.snapshot)
    await pager.settled()
    #expect(recorder.snapshots.map(\.version) == Array(0...pager.snapshot.version))
    #expect(
      recorder.log == [
        "idle | 0 rows",
        "refresh loading | 0 rows",
        "prepend at end | 5 rows (95 after)",
        "prepend at end, append loading | 5 rows (95 after)",
        "prepend at end | 8 rows (92 after)",
      ])
  }

  @Test func nothingIsLostHoweverManyThreadsLoad() async throws {
    for round in 0..<50 {
      let pager = pager(HundredSource())
      let recorder = PagerRecorder(pager)
      await pager.settled()
      for row in stride(from: 0, to: 60, by: 6) {
        pager.viewportChanged(to: row..<row + 1, of: pager.snapshot)
        if row % 12 == 0 { pager.refresh() }
        await pager.settled()
        #expect(recorder.snapshots.last?.version == pager.snapshot.version, "round \(round)")
      }
      #expect(recorder.snapshots.map(\.version) == Array(0...pager.snapshot.version))
    }
  }

  @Test func failuresMediatorsAndSinglesHaveTheirWords() async throws {
    let clock = ManualClock()
    let source = ScriptedPageSource<Int, Number>(
      clock: clock,
      steps: [
        .page(Page([Number(id: 7)], nextKey: 1)), .failure(Offline()), .failure(PagingError(.invalidKey)),
        .page(Page([Number(id: 8), Number(id: 9)], itemsAfter: 3)),
      ])
    let pager = pager(source)
    let recorder = PagerRecorder(pager)
    await pager.settled()
    pager.load(.append)
    await pager.settled()
    pager.retry()
    await pager.settled()
    pager.retry()
    await pager.settled()
    let difference = recorder.difference(
      from: """
        …
        prepend at end | 1 row
        prepend at end, append loading | 1 row
        prepend at end, append failed Offline | 1 row
        ...
        prepend at end, append failed invalidKey | 1 row
        …
        prepend at end, append at end | 3 rows
        """)
    #expect(difference == nil)
    #expect(recorder.log { "\($0.id)" }.last == "prepend at end, append at end | 3 rows: 7 8 9")
    #expect(recorder.log { "\($0.id)" }.first == "idle | 0 rows")
  }

  @Test func aNewStepHasARecordOfItsOwn() async throws {
    let pager = pager(HundredSource())
    let recorder = PagerRecorder(pager)
    await pager.settled()
    recorder.removeAll()
    #expect(recorder.snapshots.isEmpty && recorder.difference(from: "") == nil)
    pager.load(.append)
    #expect(await recorder.snapshots(atLeast: 2).count == 2)
    #expect(recorder.log.last == "prepend at end | 8 rows (92 after)")
  }

  // MARK: - Waiting

  @Test func aSnapshotThatIsThereIsFoundAtOnceAndOneToComeIsWaitedFor() async throws {
    let source = GatedStart()
    let pager = pager(source)
    let recorder = PagerRecorder(pager)
    #expect(try await recorder.snapshot { $0.items.isEmpty }.version == 0)
    async let waiting = recorder.snapshot { $0.items.count == 5 }
    async let counting = recorder.snapshots(atLeast: 3)
    async let settled: Void = pager.settled()
    await source.gate.waiting(atLeast: 1)
    source.gate.open()
    #expect(try await waiting.items.map(\.id) == Array(0...4))
    #expect(await counting.count >= 3)
    await settled
    #expect(try await recorder.snapshot { $0.states.refresh.isLoading }.items.isEmpty)
  }

  @Test func recordingStartsNothingAndKeepsNothingAlive() async throws {
    let source = HundredSource()
    weak var released: Pager<Int, Number>?
    let recorder: PagerRecorder<Number>
    do {
      let pager = pager(source)
      released = pager
      recorder = PagerRecorder(pager)
      #expect(recorder.snapshots.count == 1)
    }
    #expect(released == nil)
    #expect(source.calls.isEmpty)
    let error = await #expect(throws: RecordingEnded.self) { try await recorder.snapshot { !$0.items.isEmpty } }
    #expect(error?.description.contains("1  idle | 0 rows") == true)
    #expect(await recorder.snapshots(atLeast: 100).count == 1)
  }

  @Test func cancellationEndsTheWait() async throws {
    let pager = pager(HundredSource())
    let recorder = PagerRecorder(pager)
    let waiting = Task { try await recorder.snapshot { _ in false } }
    let counting = Task { await recorder.snapshots(atLeast: 100).count }
    waiting.cancel()
    counting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(await counting.value == 1)
    pager.close()
    await #expect(throws: RecordingEnded.self) { try await PagerRecorder(pager).snapshot { _ in false } }
  }

  @Test func aRecorderThatGoesAwayHearsNothingMore() async throws {
    let pager = pager(HundredSource())
    weak var released: PagerRecorder<Number>?
    do {
      let recorder = PagerRecorder(pager)
      released = recorder
      await pager.settled()
    }
    #expect(released == nil)
    pager.refresh()
    await pager.settled()
  }

  // MARK: - Text

  @Test func aDifferenceShowsBothLinesAndTheRecord() async throws {
    let pager = pager(HundredSource())
    let recorder = PagerRecorder(pager)
    await pager.settled()
    let difference = recorder.difference(
      from: ["idle | 0 rows", "refresh loading | 0 rows", "prepend at end | 6 rows (94 after)"])
    #expect(
      difference == """
        The record differs at line 3:
          expected  prepend at end | 6 rows (94 after)
          recorded  prepend at end | 5 rows (95 after)
        The record:
          1  idle | 0 rows
          2  refresh loading | 0 rows
          3  prepend at end | 5 rows (95 after)
        """)
  }

  @Test(arguments: [
    ("", "line 1"), ("idle | 0 rows", "line 2"), ("…\nprepend at end", "line 3"), ("refresh\n…", "line 1"),
    ("…\nnever\n…", "After line 0"), ("idle | 0 rows\n…\nidle | 0 rows\n…", "After line 1"),
    ("…\nrefresh loading | 0 rows\nrefresh loading | 0 rows\n…", "does not come"),
    ("idle | 0 rows\nrefresh loading | 0 rows\nprepend at end | 5 rows (95 after)\nmore", "line 4"),
    ("…\n1\n2\n3\n4", "line 1"),
  ])
  func whatDiffersIsNamed(expected: String, place: String) async throws {
    let pager = pager(HundredSource())
    let recorder = PagerRecorder(pager)
    await pager.settled()
    let difference = try #require(recorder.difference(from: expected))
    #expect(difference.contains(place))
    #expect(difference.contains("2  refresh loading | 0 rows"))
  }

  @Test(arguments: [
    "…", "idle | 0 rows\n…", "…\n…\nrefresh loading | 0 rows\n…", "…\nprepend at end | 5 rows (95 after)",
  ])
  func anEllipsisStandsForAnyLines(expected: String) async throws {
    let pager = pager(HundredSource())
    let recorder = PagerRecorder(pager)
    await pager.settled()
    #expect(recorder.difference(from: expected) == nil)
  }
}

/// A source whose loads wait at a gate.
private struct GatedStart: PageSource {
  let gate = Gate()
  let base = HundredSource()

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Number> {
    try await gate.pass()
    return try await base.load(params)
  }
}
