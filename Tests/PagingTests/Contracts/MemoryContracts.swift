import Loading
import Paging
import PagingTesting
import Testing

/// P14 and P15.
@Suite(.timeLimit(.minutes(10))) struct MemoryContracts {
  /// A list of 600 rows in pages of random lengths, always the same ones at the same place.
  private struct RaggedList: Sendable {
    let starts: [Int]
    let longest: Int

    init(seed: UInt64) {
      var random = SeededGenerator(seed: seed)
      var (starts, longest) = ([0], 0)
      while let last = starts.last, last < 600 {
        let length = Int.random(in: 1...25, using: &random)
        longest = max(longest, min(length, 600 - last))
        starts.append(min(600, last + length))
      }
      (self.starts, self.longest) = (starts, longest)
    }

    /// Keys are numbers of pages.
    func page(_ params: LoadParams<Int>, goesBack: Bool, counts: Bool) -> Page<Int, Row> {
      let number = min(max(0, params.key ?? 0), starts.count - 2)
      let rows = starts[number]..<starts[number + 1]
      return Page(
        rows.map { Row(id: $0) }, previousKey: goesBack && number > 0 ? number - 1 : nil,
        nextKey: number + 2 < starts.count ? number + 1 : nil, itemsBefore: counts ? rows.lowerBound : nil,
        itemsAfter: counts ? 600 - rows.upperBound : nil)
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func P14_whatIsHeldIsBoundedAndWhatIsSeenStays(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let list = RaggedList(seed: seed)
    let (goesBack, counts) = (seed % 2 == 0, seed > 2)
    let source = RowSource(clock: ManualClock()) { .page(list.page($0, goesBack: goesBack, counts: counts)) }
    var config = try PagingConfig(pageSize: 10, prefetchDistance: 15, maxSize: 60)
    config.placeholders = seed != 1
    let pager = Pager(config: config, initialKey: goesBack ? list.starts.count / 2 : nil, source: source)
    let log = Box<[Int]>([])
    await pager.settled()
    for _ in 0..<400 {
      let before = pager.snapshot
      let loaded = before.placeholdersBefore..<before.placeholdersBefore + before.items.count
      let length = Int.random(in: 1...20, using: &random)
      let lower = Int.random(in: max(0, loaded.lowerBound - 5)..<loaded.upperBound, using: &random)
      let seen = lower..<min(before.count, lower + length)
      let near = max(loaded.lowerBound, lower - 15)..<min(loaded.upperBound, seen.upperBound + 15)
      let calls = source.calls.count
      try await pager.see(seen)
      let after = pager.snapshot
      try #require(after.source.failures.isEmpty)
      let now = Set(after.ids)
      for index in near { #expect(now.contains(before[index].item?.id ?? -1), "row within the distance") }
      let held = after.items.count
      #expect(held <= max(60, seen.count + 30) + 2 * list.longest)
      #expect(after.pages.count >= 2 || held == 600)
      #expect(after.ids == Array(after.ids[0]..<after.ids[0] + held))
      log.change { $0.append(source.calls.count - calls) }
      #expect(source.calls.count - calls <= 60, "no page is dropped and loaded in turn")
    }
  }

  @Test func P14_aWalkThereAndBackLoadsEachPageOnceEachWay() async throws {
    let server = ListServer(count: 500)
    let source = server.source()
    let log = EventLog()
    // The smallest cap that is allowed.
    let config = try PagingConfig(pageSize: 10, prefetchDistance: 10, initialLoadSize: 10, maxSize: 30)
    let pager = Pager(config: config, observer: log.observer, source: source)
    await pager.settled()
    for row in 0..<491 {
      try await pager.see(row..<row + 10)
      #expect(pager.snapshot.items.count <= 50)
      try #require(pager.snapshot.slots[row..<row + 10].map { $0 } == Array(row..<row + 10))
    }
    #expect(source.calls.count == 50)
    for row in stride(from: 490, through: 0, by: -1) {
      try await pager.see(row..<row + 10)
      #expect(pager.snapshot.items.count <= 50)
      try #require(pager.snapshot.slots[row..<row + 10].map { $0 } == Array(row..<row + 10))
    }
    #expect(source.calls.count <= 50 + 49)
    try await log.caughtUp(with: pager)
    let drops = log.named("pagesDropped")
    #expect(pager.statistics.droppedPages == drops.reduce(0) { $0 + ($1.pageCount ?? 0) })
    #expect(drops.allSatisfy { $0.reason == "maxSize" })
    #expect(drops.first?.loadType == .append && drops.last?.loadType == .prepend)
  }

  @Test func P14_bothEdgesWantingDoNotDropEachOthersPages() async throws {
    for (distance, cap, seen) in [(10, 30, 10), (20, 50, 25), (5, 20, 40), (25, 60, 1)] {
      let source = ListServer(count: 1_000).source()
      let config = try PagingConfig(pageSize: 10, prefetchDistance: distance, initialLoadSize: 10, maxSize: cap)
      let pager = Pager(config: config, initialKey: 500, source: source)
      await pager.settled()
      for _ in 0..<5 { try await pager.see(0..<pager.snapshot.items.count) }
      for shift in [0, 3, -3, 0, 5, 0] {
        let start = 500 + shift
        let index = try #require(pager.snapshot.index(ofItem: start))
        try await pager.see(index..<index + seen)
        let calls = source.calls.count
        for _ in 0..<20 { try await pager.see(#require(pager.snapshot.index(ofItem: start))..<index + seen) }
        #expect(source.calls.count - calls <= 8, "the same report again and again loads nothing more")
        #expect(pager.snapshot.source.failures.isEmpty)
      }
      #expect(source.calls.count < 120)
    }
  }

  @Test func P14_aDroppedEdgeLoadsAgainWithTheKeyOfThePageNowAtTheEdgeAfterAFreshReport() async throws {
    let source = ListServer(count: 500).source()
    let config = try PagingConfig(pageSize: 10, prefetchDistance: 10, initialLoadSize: 10, maxSize: 30)
    let pager = Pager(config: config, source: source)
    await pager.settled()
    for row in stride(from: 0, to: 100, by: 10) { try await pager.see(row..<row + 10) }
    let first = try #require(pager.snapshot.ids.first)
    #expect(first > 0)
    #expect(pager.snapshot.source.prepend == .notLoading(endReached: false), "more to load there again")
    let calls = source.calls.count
    await pager.settled()
    try await pager.first { $0.count > 0 }
    #expect(source.calls.count == calls, "no report, no load")
    let top = pager.snapshot.placeholdersBefore
    try await pager.see(top..<top + 10)
    #expect(source.calls[calls].type == .prepend)
    #expect(source.calls[calls].key == first - 10)
  }

  @Test func P14_atLeastTwoPagesStay() async throws {
    let source = RowSource(clock: ManualClock()) { params in
      let page = params.key ?? 0
      return .page(
        Page(
          (page * 100..<(page + 1) * 100).map { Row(id: $0) }, previousKey: page > 0 ? page - 1 : nil, nextKey: page + 1
        ))
    }
    let pager = Pager(config: try PagingConfig(pageSize: 5, prefetchDistance: 5, maxSize: 15), source: source)
    await pager.settled()
    for row in stride(from: 0, to: 2_000, by: 97) {
      let index =
        pager.snapshot.index(ofItem: row) ?? pager.snapshot.placeholdersBefore + pager.snapshot.items.count - 1
      try await pager.see(index..<index + 2)
      #expect(pager.snapshot.items.count <= 300)
      if row > 100 { #expect(pager.snapshot.pages.count >= 2) }
    }
  }

  @Test func P14_withoutACapNothingIsDropped() async throws {
    let log = EventLog()
    let pager = Pager(
      config: PagingConfig(pageSize: 50), observer: log.observer, source: ListServer(count: 5_000).source())
    await pager.settled()
    while !pager.snapshot.source.append.isAtEnd { try await pager.see(pager.snapshot.count - 1..<pager.snapshot.count) }
    #expect(pager.snapshot.items.count == 5_000)
    try await log.caughtUp(with: pager)
    #expect(log.named("pagesDropped").isEmpty)
  }

  // MARK: - P15

  @Test func P15_defaults() {
    let config = PagingConfig(pageSize: 25)
    #expect(config.prefetchDistance == 25)
    #expect(config.initialLoadSize == 75)
    #expect(config.maxSize == nil)
    #expect(config.jumpThreshold == nil)
    #expect(config.emptyPageBudget == 8)
    #expect(config.jumpWalkLimit == 10)
    #expect(config.abandonAfter == nil)
    #expect(PagingConfig().pageSize == 20)
    #expect(PagingConfig(pageSize: 20, initialLoadSize: 5).initialLoadSize == 5, "it may be smaller than a page")
    #expect(PagingConfig(pageSize: .max).initialLoadSize >= 1)
  }

  @Test func P15_aCapThatIsTooSmallIsRefusedByName() throws {
    let error = #expect(throws: PagingError.self) { try PagingConfig(pageSize: 20, prefetchDistance: 15, maxSize: 49) }
    #expect(error?.code == .contradictoryConfig)
    for name in ["maxSize", "pageSize", "prefetchDistance"] { #expect(error?.message.contains(name) == true) }
    #expect(try PagingConfig(pageSize: 20, prefetchDistance: 15, maxSize: 50).maxSize == 50)
    #expect(try PagingConfig(pageSize: 20, maxSize: 60).maxSize == 60)
    #expect(throws: PagingError.self) { try PagingConfig(pageSize: 20, maxSize: 59) }
  }

  @Test func P15_valuesOutOfRangeAreRefusedByName() {
    let bad: [(String, @Sendable () throws(PagingError) -> PagingConfig)] = [
      ("pageSize", { () throws(PagingError) in try PagingConfig(pageSize: 0, maxSize: 100) }),
      ("pageSize", { () throws(PagingError) in try PagingConfig(pageSize: .min, maxSize: 100) }),
      ("prefetchDistance", { () throws(PagingError) in try PagingConfig(prefetchDistance: -1, maxSize: 100) }),
      ("initialLoadSize", { () throws(PagingError) in try PagingConfig(initialLoadSize: 0, maxSize: 100) }),
      ("maxSize", { () throws(PagingError) in try PagingConfig(maxSize: -5) }),
      (
        "maxSize", { () throws(PagingError) in try PagingConfig(pageSize: .max, prefetchDistance: .max, maxSize: .max) }
      ),
    ]
    for (name, make) in bad {
      let error = #expect(throws: PagingError.self) { try make() }
      #expect(error?.code == .contradictoryConfig)
      #expect(error?.message.contains(name) == true, "\(name)")
    }
  }

  @Test func P15_theInitialiserWithoutTryStopsTheProgramWithTheName() async {
    let size = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PagingConfig(pageSize: 0)
    }
    #expect(said("pageSize", size))
    let distance = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PagingConfig(prefetchDistance: -1)
    }
    #expect(said("prefetchDistance", distance))
    let first = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = PagingConfig(initialLoadSize: 0)
    }
    #expect(said("initialLoadSize", first))
  }

  @Test func P15_settingsBelowOneStopTheProgramWithTheirName() async {
    let threshold = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var config = PagingConfig()
      config.jumpThreshold = 0
    }
    #expect(said("jumpThreshold", threshold))
    let budget = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var config = PagingConfig()
      config.emptyPageBudget = 0
    }
    #expect(said("emptyPageBudget", budget))
    let limit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var config = PagingConfig()
      config.jumpWalkLimit = -1
    }
    #expect(said("jumpWalkLimit", limit))
  }

  private func said(_ name: String, _ result: ExitTest.Result?) -> Bool {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(name) } ?? false
  }
}
