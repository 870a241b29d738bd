import Paging
import PagingTesting
import Testing

/// A list collected while it is scrolled: the ASN scenarios of `Documentation/PagingScenarios.md`.
///
/// The numbers 0…29, or 0…99, pages of 3, 3 ahead, first 5.
@Suite(.timeLimit(.minutes(10))) struct CollectScenarioTests {
  private let config = PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 5)
  private let manual = PagingConfig(pageSize: 3, prefetchDistance: 0, initialLoadSize: 5)
  private var bare: PagingConfig {
    var config = config
    config.placeholders = false
    return config
  }
  private func narrow() throws -> PagingConfig {
    try PagingConfig(pageSize: 3, prefetchDistance: 3, initialLoadSize: 5, maxSize: 9)
  }

  private func collect(
    _ config: PagingConfig, from key: Int? = nil, count: Int = 30, onFailure: FailureAnswer = .rethrow,
    _ body: (Scroller<Number>) async throws -> Void = { _ in }
  ) async throws -> [Int] {
    let pager = Pager(config: config, initialKey: key, source: HundredSource(count: count))
    return try await pager.collectRows(onFailure: onFailure, scrolling: body).map(\.id)
  }

  // MARK: - Nothing is scrolled

  @Test func ASN_01_whatIsAheadOfTheMiddleIsThere() async throws {
    #expect(try await collect(config) == Array(0...7))
    let pager = Pager(config: config, source: HundredSource(count: 30))
    #expect(try await pager.collectRows().map(\.id) == Array(0...7))
  }

  @Test func ASN_02_orTheFirstPageOnly() async throws {
    #expect(try await collect(manual) == Array(0...4))
  }

  @Test func ASN_03_fromAKeyOn() async throws {
    #expect(try await collect(config, from: 10) == Array(7...17))
    #expect(try await collect(manual, from: 10) == Array(10...14))
  }

  @Test func ASN_04_nothingOfAnEmptyList() async throws {
    #expect(try await collect(config, count: 0) == [])
  }

  // MARK: - Refresh

  @Test func ASN_07_aRefreshGivesTheSame() async throws {
    #expect(try await collect(config) { try await $0.refresh() } == Array(0...7))
    #expect(try await collect(manual) { try await $0.refresh() } == Array(0...4))
  }

  @Test func ASN_15_aRefreshAndThenDown() async throws {
    let rows = try await collect(config) { scroll in
      try await scroll.refresh()
      try await scroll.append { $0.id < 10 }
    }
    #expect(rows == Array(0...13))
  }

  @Test func ASN_16_downAndThenARefresh() async throws {
    let rows = try await collect(config) { scroll in
      try await scroll.append { $0.id < 10 }
      try await scroll.refresh()
    }
    #expect(rows == Array(5...15))
  }

  @Test func ASN_17_upARefreshAndUpAgain() async throws {
    let rows = try await collect(config, from: 20) { scroll in
      try await scroll.prepend { $0.id > 20 }
      try await scroll.refresh()
      try await scroll.prepend { $0.id > 12 }
    }
    #expect(rows == Array(9...25))
  }

  // MARK: - Row by row

  @Test func ASN_09_upWhile() async throws {
    #expect(try await collect(config, from: 20) { try await $0.prepend { $0.id > 14 } } == Array(11...27))
    #expect(try await collect(narrow(), from: 20) { try await $0.prepend { $0.id > 14 } } == Array(11...19))
  }

  @Test func ASN_10_downWhile() async throws {
    #expect(try await collect(config, from: 10) { try await $0.append { $0.id != 19 } } == Array(7...23))
  }

  @Test func downWhileWithACap() async throws {
    #expect(try await collect(narrow(), from: 10) { try await $0.append { $0.id != 19 } } == Array(15...23))
  }

  @Test func ASN_11_upFromTheStart() async throws {
    #expect(try await collect(config) { try await $0.prepend { $0.id > -3 } } == Array(0...7))
  }

  @Test func ASN_14_toTheEnds() async throws {
    #expect(try await collect(config, count: 10) { try await $0.append { $0.id < 18 } } == Array(0..<10))
    #expect(try await collect(config, from: 10, count: 20) { try await $0.prepend { $0.id > -3 } } == Array(0...17))
  }

  @Test func ASN_21_toARow() async throws {
    #expect(try await collect(config, count: 100) { try await $0.scroll(to: 7) } == Array(0...10))
    #expect(try await collect(bare, count: 20) { try await $0.scroll(to: 12) } == Array(0...16))
    #expect(try await collect(bare, count: 20) { try await $0.scroll(to: 50) } == Array(0...19))
    let rows = try await collect(bare, count: 100) { scroll in
      try await scroll.scroll(to: 12)
      try await scroll.scroll(to: 17)
    }
    #expect(rows == Array(0...22))
    let pager = Pager(config: bare, source: HundredSource())
    #expect(try await pager.collectRows { try await $0.scroll(to: 12) }.map(\.id) == Array(0...16))
    #expect(try await pager.collectRows { try await $0.scroll(to: 17) }.map(\.id) == Array(0...22))
  }

  @Test func ASN_22_toTheEdgeOfWhatIsAhead() async throws {
    #expect(try await collect(config, count: 100) { try await $0.scroll(to: 8) } == Array(0...13))
  }

  // MARK: - At once

  @Test func ASN_23_upAtOnce() async throws {
    #expect(try await collect(config, from: 50, count: 100) { try await $0.fling(to: 42) } == Array(38...57))
    #expect(try await collect(narrow(), from: 50, count: 100) { try await $0.fling(to: 42) } == Array(38...46))
    let rows = try await collect(config, from: 50, count: 100) { scroll in
      try await scroll.fling(to: 42)
      try await scroll.fling(to: 38)
    }
    #expect(rows == Array(35...57))
  }

  /// In place of ASN-24.
  @Test func P13_aJumpStartsAtItsTarget() async throws {
    var jumping = config
    jumping.jumpThreshold = 5
    #expect(try await collect(jumping, from: 50, count: 100) { try await $0.fling(to: 30) } == Array(27...34))
    let rows = try await collect(jumping, from: 50, count: 100) { scroll in
      try await scroll.scroll(to: 43)
      try await scroll.fling(to: 30)
    }
    #expect(rows == Array(27...34))
  }

  @Test func ASN_25_downAtOnceWithoutPlaceholders() async throws {
    #expect(try await collect(bare, count: 20) { try await $0.fling(to: 12) } == Array(0...16))
    #expect(try await collect(bare, count: 20) { try await $0.fling(to: 50) } == Array(0...19))
  }

  @Test func ASN_26_pagesOfOneRow() async throws {
    var ones = PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 1)
    ones.placeholders = false
    #expect(try await collect(ones) { try await $0.fling(to: 2) } == Array(0...3))
  }

  @Test func ASN_27_pagesOfOneRowWithPlaceholders() async throws {
    let ones = PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 1)
    #expect(try await collect(ones, from: 50, count: 100) { try await $0.fling(to: 51) } == Array(49...52))
  }

  /// In place of ASN-13, and of the halves of ASN-10 and ASN-21 that have no rows ahead.
  @Test func P3_withNothingAheadScrollingLoadsNothing() async throws {
    #expect(try await collect(manual, from: 10) { try await $0.append { $0.id < 18 } } == Array(10...14))
    #expect(try await collect(manual, from: 20) { try await $0.prepend { $0.id > 17 } } == Array(20...24))
    #expect(try await collect(manual, count: 100) { try await $0.scroll(to: 10) } == Array(0...4))
    let rows = try await collect(manual, from: 10) { scroll in
      try await scroll.load(.append)
      try await scroll.load(.append)
      try await scroll.load(.prepend)
    }
    #expect(rows == Array(7...20))
  }

  // MARK: - Failures

  @Test func ASN_29_whatFailedIsRepeated() async throws {
    let source = HundredSource(count: 30)
    source.fail(calls: 3)
    let pager = Pager(config: config, source: source)
    let rows = try await pager.collectRows(onFailure: .retry(times: 1)) { try await $0.scroll(to: 7) }
    #expect(rows.map(\.id) == Array(0...10))
    #expect(source.calls.map(\.key) == [nil, 5, 8, 8])
  }

  @Test func ASN_30_asOftenAsItIsSaid() async throws {
    let source = HundredSource(count: 30)
    source.fail(calls: 3, 4, 5, 6, 7, 8)
    let pager = Pager(config: config, source: source)
    let rows = try await pager.collectRows(onFailure: .retry(times: 2, then: .returnRows)) { scroll in
      try await scroll.scroll(to: 8)
    }
    #expect(rows.map(\.id) == Array(0...7))
    #expect(source.calls.count == 5)
  }

  @Test func ASN_31_orWhatIsThereIsReturned() async throws {
    let source = HundredSource(count: 30)
    source.fail(calls: 3)
    let pager = Pager(config: config, source: source)
    let rows = try await pager.collectRows(onFailure: .returnRows) { try await $0.scroll(to: 8) }
    #expect(rows.map(\.id) == Array(0...7))
    #expect(source.calls.count == 3)
  }

  @Test func orTheErrorIsThrown() async throws {
    let source = HundredSource(count: 30)
    source.fail(calls: 3)
    let pager = Pager(config: config, source: source)
    await #expect(throws: Offline.self) { try await pager.collectRows { try await $0.scroll(to: 8) } }
  }

  // MARK: - A list that changes

  /// In place of ASN-19: the list as it is then, and a page or two more where the anchor was looked for in it.
  @Test func P9_aListThatIsReplacedIsShownFromItsStart() async throws {
    let range = RangeBox()
    let pager = Pager(config: manual) { RangeSource(range.value) }
    #expect(try await pager.collectRows().map(\.id) == [])
    range.value = 0..<30
    pager.invalidate()
    #expect(try await pager.collectRows().map(\.id) == Array(0...4))
    range.value = 30..<60
    pager.invalidate()
    let rows = try await pager.collectRows().map(\.id)
    #expect(rows.starts(with: Array(30...34)))
    #expect(rows.count <= 5 + 2 * 3)
    #expect(pager.snapshot.anchor?.kind == .lost)
  }
}
