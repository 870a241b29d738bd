import Paging
import PagingTesting
import Testing

/// Names in brackets are those of the reference's scenarios, which these follow.
@Suite(.timeLimit(.minutes(10))) struct CollectRowsTests {
  private let config = PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 5)
  private let manual = PagingConfig(pageSize: 3, prefetchDistance: 0, initialLoadSize: 5)
  private var bare: PagingConfig {
    var config = config
    config.placeholders = false
    return config
  }

  private func pager(
    _ config: PagingConfig, from key: Int? = nil, of source: HundredSource = HundredSource()
  ) -> Pager<Int, Number> {
    Pager(config: config, initialKey: key, source: source)
  }

  private func collect(
    _ pager: Pager<Int, Number>, viewport: Int = 1, onFailure: FailureAnswer = .rethrow,
    _ body: (Scroller<Number>) async throws -> Void = { _ in }
  ) async throws -> [Int] {
    try await pager.collectRows(viewport: viewport, onFailure: onFailure, scrolling: body).map(\.id)
  }

  // MARK: - Nothing is scrolled

  @Test func whatIsPrefetchedIsThere() async throws {  // ASN-01
    #expect(try await pager(config).collectRows().map(\.id) == Array(0...7))
    #expect(try await collect(pager(config)) { _ in } == Array(0...7))
  }

  @Test func withoutPrefetchingTheFirstPageIsThere() async throws {  // ASN-02
    #expect(try await collect(pager(manual)) == Array(0...4))
  }

  @Test func bothSidesArePrefetched() async throws {  // ASN-03
    #expect(try await collect(pager(config, from: 10)) == Array(7...17))
    #expect(try await collect(pager(manual, from: 10)) == Array(10...14))
  }

  @Test func anEmptyListGivesNoRows() async throws {  // ASN-04
    let empty = pager(config, of: HundredSource(count: 0))
    let rows = try await collect(empty) { scroll in
      #expect(scroll.index == nil && scroll.item == nil)
      try await scroll.scroll(to: 5)
      try await scroll.fling(to: 5)
      try await scroll.append { _ in true }
      try await scroll.prepend { _ in true }
      try await scroll.refresh()
    }
    #expect(rows == [])
  }

  @Test func delaysMakeNoDifference() async throws {
    let clock = ManualClock()
    let base = HundredSource()
    let source = ScriptedPageSource<Int, Number>(clock: clock) { params in
      let start = params.key ?? 0
      return .page(
        Page((start..<start + params.loadSize).map { Number(id: $0) }, nextKey: start + params.loadSize),
        after: .seconds(10))
    }
    let pager = Pager(config: config, source: source)
    let collecting = Task { try await pager.collectRows { try await $0.append { $0.id < 10 } }.map(\.id) }
    for load in 1...4 {
      await source.calls(atLeast: load)
      await clock.sleepers(atLeast: 1)
      await clock.advance(by: .seconds(10))
    }
    #expect(
      try await collecting.value
        == (try await collect(self.pager(config, of: base)) { try await $0.append { $0.id < 10 } }))
  }

  // MARK: - Scrolling

  @Test func appendScrollsWhileTheConditionHolds() async throws {  // ASN-10, ASN-14
    #expect(try await collect(pager(config, from: 10)) { try await $0.append { $0.id != 19 } } == Array(7...23))
    let short = pager(config, of: HundredSource(count: 10))
    #expect(try await collect(short) { try await $0.append { $0.id < 18 } } == Array(0..<10))
  }

  @Test func prependScrollsWhileTheConditionHolds() async throws {  // ASN-09, ASN-11, ASN-14
    #expect(try await collect(pager(config, from: 20)) { try await $0.prepend { $0.id > 14 } } == Array(11...27))
    #expect(try await collect(pager(config)) { try await $0.prepend { $0.id > -3 } } == Array(0...7))
    let short = pager(config, from: 10, of: HundredSource(count: 20))
    #expect(try await collect(short) { try await $0.prepend { $0.id > -3 } } == Array(0...17))
  }

  @Test func rowsThatComeInAboveMoveTheIndexAlong() async throws {
    let rows = try await collect(pager(bare, from: 20)) { scroll in
      try await scroll.prepend { $0.id > 14 }
      #expect(scroll.item?.id == 14)
      #expect(scroll.index == 3)
    }
    #expect(rows == Array(11...27))
  }

  @Test func scrollGoesRowByRow() async throws {  // ASN-21
    #expect(try await collect(pager(config)) { try await $0.scroll(to: 7) } == Array(0...10))
    let source = HundredSource(count: 20)
    #expect(try await collect(pager(bare, of: source)) { try await $0.scroll(to: 12) } == Array(0...16))
    #expect(try await collect(pager(bare, of: source)) { try await $0.scroll(to: 50) } == Array(0...19))
    #expect(try await collect(pager(bare, of: source)) { try await $0.scroll(to: .max) } == Array(0...19))
    let rows = try await collect(pager(bare, of: HundredSource())) { scroll in
      try await scroll.scroll(to: 12)
      #expect(scroll.item?.id == 12)
      try await scroll.scroll(to: 17)
    }
    #expect(rows == Array(0...22))
  }

  @Test func anIndexBelowZeroIsReachedByWhatComesInAbove() async throws {
    let rows = try await collect(pager(bare, from: 20)) { scroll in
      try await scroll.scroll(to: 3)
      let item = try #require(scroll.item?.id)
      try await scroll.scroll(to: -5)
      #expect(scroll.item?.id == item - 8)
    }
    #expect(rows.first == 8)
    #expect(try await collect(pager(bare, from: 20)) { try await $0.scroll(to: .min) }.first == 0)
  }

  @Test func twoCollectionsOfOnePagerGoOn() async throws {  // ASN-13
    let pager = pager(config, from: 20)
    #expect(try await collect(pager) { try await $0.prepend { $0.id > 17 } } == Array(14...27))
    #expect(try await collect(pager) { try await $0.prepend { $0.id > 11 } } == Array(8...27))
  }

  @Test func flingShowsTheRowAtOnce() async throws {  // ASN-23, ASN-24
    let source = HundredSource()
    let rows = try await collect(pager(config, from: 50, of: source)) { try await $0.fling(to: 42) }
    #expect(rows == Array(38...57))
    var jumping = config
    jumping.jumpThreshold = 5
    let jumped = HundredSource()
    let flung = try await collect(pager(jumping, from: 50, of: jumped)) { scroll in
      try await scroll.fling(to: 30)
      #expect(scroll.item?.id == 30)
    }
    #expect(flung.contains(30) && !flung.contains(50))
    #expect(!jumped.calls.contains { $0.key.map { (35..<46).contains($0) } ?? false }, "nothing between was loaded")
  }

  @Test func flingBeyondTheLoadedRowsScrollsTheRest() async throws {  // ASN-25, ASN-26
    let source = HundredSource(count: 20)
    #expect(try await collect(pager(bare, of: source)) { try await $0.fling(to: 12) } == Array(0...16))
    #expect(try await collect(pager(bare, of: source)) { try await $0.fling(to: 50) } == Array(0...19))
    var single = PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 1)
    single.placeholders = false
    #expect(try await collect(pager(single, of: source)) { try await $0.fling(to: 2) } == Array(0...3))
  }

  @Test func aViewportOfManyRowsPrefetchesBeyondThem() async throws {
    #expect(try await collect(pager(config), viewport: 5) == Array(0...7))
    #expect(try await collect(pager(config), viewport: 5) { try await $0.scroll(to: 7) } == Array(0...16))
    #expect(try await collect(pager(config), viewport: 0) == Array(0...7))
  }

  @Test func aLoadMoreButtonLoadsOnePage() async throws {
    var config = manual
    config.placeholders = false
    let rows = try await collect(pager(config)) { scroll in
      try await scroll.append { _ in true }
      #expect(scroll.item?.id == 4)
      try await scroll.load(.append)
    }
    #expect(rows == Array(0...7))
  }

  // MARK: - Refreshing

  @Test func aRefreshStartsOver() async throws {  // ASN-07, ASN-15
    #expect(try await collect(pager(config)) { try await $0.refresh() } == Array(0...7))
    #expect(try await collect(pager(manual)) { try await $0.refresh() } == Array(0...4))
    let rows = try await collect(pager(config)) { scroll in
      try await scroll.refresh()
      try await scroll.append { $0.id < 10 }
    }
    #expect(rows == Array(0...13))
  }

  @Test func afterARefreshTheScrollerStandsAtItsRow() async throws {  // ASN-16, ASN-17
    let rows = try await collect(pager(config)) { scroll in
      try await scroll.append { $0.id < 10 }
      try await scroll.refresh()
      #expect(scroll.item?.id == 10)
    }
    #expect(rows.contains(10) && rows.contains(13) && !rows.contains(0))
    let again = try await collect(pager(bare)) { scroll in
      try await scroll.append { $0.id < 10 }
      try await scroll.refresh(from: .start)
      #expect(scroll.item?.id == 0)
    }
    #expect(again == Array(0...4))
  }

  @Test func aListThatWasEmptyIsLookedAtWhenItHasRows() async throws {
    let count = Counter()
    let pager = Pager(
      config: config,
      source: CursorPageSource<Int, Number> { params in
        let start = params.key ?? 0
        let end = min(count.value, start + params.loadSize)
        return Page((start..<end).map { Number(id: $0) }, nextKey: end < count.value ? end : nil)
      })
    let rows = try await collect(pager) { scroll in
      count.value = 50
      try await scroll.refresh()
    }
    #expect(rows == Array(0...7))
  }

  // MARK: - Failures

  @Test func aFailureIsThrownToWhoScrolls() async throws {
    let source = HundredSource()
    source.fail(calls: 2)
    await #expect(throws: Offline.self) { try await collect(pager(config, of: source)) }
    let first = HundredSource()
    first.fail(calls: 1)
    await #expect(throws: Offline.self) { try await collect(pager(config, of: first)) }
    let later = HundredSource()
    later.fail(calls: 3)
    let rows = try await collect(pager(config, of: later)) { scroll in
      await #expect(throws: Offline.self) { try await scroll.scroll(to: 7) }
      try await scroll.retry()
      try await scroll.scroll(to: 7)
    }
    #expect(rows == Array(0...10))
  }

  @Test func retriesRepeatWhatFailed() async throws {  // ASN-29, ASN-30
    let source = HundredSource()
    source.fail(calls: 3)
    let rows = try await collect(pager(config, of: source), onFailure: .retry(times: 1)) { try await $0.scroll(to: 7) }
    #expect(rows == Array(0...10))
    #expect(source.calls.map(\.key) == [nil, 5, 8, 8])
    let bad = HundredSource()
    bad.fail(calls: 3, 4, 5)
    let some = try await collect(pager(config, of: bad), onFailure: .retry(times: 2, then: .returnRows)) {
      try await $0.scroll(to: 8)
    }
    #expect(some == Array(0...7))
    #expect(bad.calls.count == 5)
  }

  @Test func theRowsAreReturnedInSpiteOfAFailure() async throws {  // ASN-31
    let source = HundredSource()
    source.fail(calls: 3)
    var wentOn = false
    let rows = try await collect(pager(config, of: source), onFailure: .returnRows) { scroll in
      try await scroll.scroll(to: 7)
      wentOn = true
    }
    #expect(rows == Array(0...7) && !wentOn)
  }

  // MARK: - Its end

  @Test func theStreamEndsWithTheCall() async throws {
    weak var released: Pager<Int, Number>?
    do {
      let pager = pager(config)
      released = pager
      _ = try await collect(pager)
    }
    #expect(released == nil)
  }

  @Test func cancellationEndsTheWaitForASourceThatHangs() async throws {
    let source = ScriptedPageSource<Int, Number>(clock: ManualClock(), steps: [.hang])
    let pager = Pager(config: config, source: source)
    let collecting = Task { try await pager.collectRows() }
    await source.calls(atLeast: 1)
    collecting.cancel()
    await #expect(throws: CancellationError.self) { try await collecting.value }
  }

  @Test func aClosedPagerGivesTheRowsThatItHas() async throws {
    let pager = pager(config)
    await pager.settled()
    pager.close()
    #expect(try await collect(pager) { try await $0.scroll(to: 50) } == Array(0...4))
  }
}
