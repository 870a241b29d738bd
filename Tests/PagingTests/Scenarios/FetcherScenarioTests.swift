import Loading
import PagingTesting
import Testing

@testable import Paging

/// From one generation to the next: the FET scenarios without a mediator, and those of SNP that refresh.
@Suite(.timeLimit(.minutes(10))) struct FetcherScenarioTests {
  private func loaded(_ key: Int = 50, count: Int = 100) throws -> Scenario {
    var scenario = Scenario.loaded(try .ones(), key: key, server: StillServer(count: count))
    scenario.engine.refreshesAtTheAnchor()
    _ = scenario.news()
    return scenario
  }

  // MARK: - Refresh

  @Test func FET_02_aRefreshIsASecondGeneration() throws {
    var scenario = try loaded()
    let first = scenario.engine.state.shown.number
    scenario.refresh()
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{}"], "the same rows, in pages of their own")
    #expect(scenario.engine.state.shown.number != first)
    #expect(scenario.engine.openSources == [scenario.engine.state.shown.number])
    #expect(scenario.engine.events.filter { $0.name == "generation" }.map(\.reason) == ["refresh"])
  }

  @Test func FET_03_anEmptyListCanBeRefreshed() throws {
    var scenario = Scenario(try .ones(), server: StillServer(count: 0))
    scenario.observe()
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{p:C,a:C}"])
    for _ in 0..<2 {
      scenario.refresh()
      scenario.load()
      #expect(scenario.news() == ["{r:L,p:C,a:C}", "{p:C,a:C}"])
    }
    scenario.engine.server.count = 2
    scenario.refresh()
    scenario.load()
    #expect(scenario.news() == ["{r:L,p:C,a:C}", "{p:C,a:C} [0 1]"])
  }

  /// In place of SNP-23 and FET-22: a list that nobody has looked at is loaded again where it began.
  @Test func P9_aRefreshWithoutAReportStartsWhereTheListDid() throws {
    var scenario = try loaded()
    scenario.refresh()
    #expect(scenario.engine.pending.first?.params.key == OpaqueKey(50))
    scenario.idle()
    #expect(scenario.pages == [[50, 51]])
    scenario.invalidate()
    #expect(scenario.engine.pending.first?.params.key == OpaqueKey(50))
  }

  @Test func aRefreshAfterAReportStartsAtItsRow() throws {
    var scenario = try loaded()
    scenario.look(at: 51)
    scenario.idle()
    scenario.look(at: 52)
    scenario.idle()
    #expect(scenario.pages == [[50, 51], [52], [53]])
    scenario.refresh()
    #expect(scenario.engine.pending.first?.params.key == OpaqueKey(52))
    scenario.load()
    #expect(scenario.rows == [52, 53])
    #expect(scenario.engine.state.anchor == AnchorOutcome(kind: .kept, index: 52))
  }

  @Test func aRefreshDuringTheFirstLoadStartsItAnew() throws {
    var scenario = Scenario(try .ones(), key: 50)
    scenario.observe()
    scenario.refresh()
    #expect(scenario.running == [.refresh])
    #expect(scenario.engine.cancelled.count == 1)
    scenario.load()
    scenario.engine.loadLate(at: 0)
    #expect(scenario.news() == ["{r:L}", "{} [50 51]"])
  }

  // MARK: - Invalidation

  @Test func FET_05_anInvalidationIsASecondGenerationWithASourceOfItsOwn() async throws {
    let made = Box(0)
    let clock = ManualClock()
    let pager = Pager(config: PagingConfig(pageSize: 1), initialKey: 50, clock: clock) {
      made.change { $0 += 1 }
      return ListServer(count: 100).source()
    }
    let stream = Task { for await _ in pager.snapshots() {} }
    let first = try await pager.first { $0.items.count > 0 }
    #expect(made.value == 1)
    pager.invalidate()
    try await pager.first { $0.items.count > 0 && $0.version > first.version && !$0.source.refresh.isLoading }
    #expect(made.value == 2)
    stream.cancel()
  }

  @Test func FET_06_aRefreshStopsListeningToTheOldSource() async throws {
    let ended = Hold()
    let made = Box(0)
    let pager = Pager(config: PagingConfig(pageSize: 1)) {
      let number = made.change { made -> Int in
        made += 1
        return made
      }
      return TraitedSource(ListServer(count: 10).source()) { traits in
        traits.changes = {
          AsyncStream { continuation in
            guard number == 1 else { return continuation.finish() }
            continuation.onTermination = { _ in ended.open() }
          }
        }
      }
    }
    await pager.settled()
    pager.refresh()
    await pager.settled()
    #expect(made.value == 2)
    try await ended.pass()
  }

  /// In place of FET-07 and SNP-48.
  @Test func P11_aFirstLoadThatIsCalledInvalidIsStartedAnew() throws {
    var scenario = Scenario(try .ones(), key: 50)
    scenario.engine.refreshKey = { _ in 30 }
    scenario.observe()
    scenario.fail(PagingError.invalidated)
    #expect(scenario.running == [.refresh])
    scenario.load()
    #expect(scenario.news() == ["{r:L}", "{} [50 51]"], "there was no list for the source to have an opinion on")
    #expect(scenario.engine.openSources.count == 1)
  }

  @Test func FET_08_aPageThatIsCalledInvalidStartsAGenerationAtTheAnchor() throws {
    var scenario = try loaded()
    scenario.look(at: 51)
    scenario.fail(PagingError.invalidated)
    scenario.load()
    #expect(scenario.news() == ["{a:L}", "{r:L}", "{p:L} [51 52]"])
    scenario = try loaded()
    scenario.look(at: 49)
    scenario.fail(PagingError.invalidated)
    scenario.load()
    #expect(scenario.news() == ["{p:L}", "{r:L}", "{p:L} [49 50]"])
  }

  /// In place of FET-12 and FET-19.
  @Test func P11_aSourceThatIsOutOfDateFromTheStartIsFollowedByOneMore() async throws {
    let made = Box(0)
    let source = ListServer(count: 100).source()
    let pager = Pager(config: PagingConfig(pageSize: 1, initialLoadSize: 2)) {
      let number = made.change { made -> Int in
        made += 1
        return made
      }
      return TraitedSource(source) { traits in
        guard number == 1 else { return }
        traits.changes = {
          AsyncStream { continuation in
            continuation.yield(.everything)
            continuation.finish()
          }
        }
      }
    }
    let stream = Task { for await _ in pager.snapshots() {} }
    try await pager.first { _ in made.value == 2 }
    await pager.settled()
    #expect(made.value == 2)
    #expect(pager.snapshot.ids == [0, 1])
    #expect(source.calls.count == 2)
    stream.cancel()
  }

  @Test func FET_18_aChangeThatWasSaidBeforeAnybodyListenedIsHeard() async throws {
    let made = Box(0)
    let (changes, say) = AsyncStream<SourceChange<Row>>.makeStream()
    let pager = Pager(config: PagingConfig(pageSize: 1)) {
      let number = made.change { made -> Int in
        made += 1
        return made
      }
      return TraitedSource(ListServer(count: 3).source()) { $0.changes = { number == 1 ? changes : nil } }
    }
    say.yield(.everything)
    let stream = Task { for await _ in pager.snapshots() {} }
    try await pager.first { _ in made.value == 2 }
    stream.cancel()
  }

  // MARK: - What the new source is told

  @Test func FET_23_theNextSourceIsToldOfWhatIsShown() {
    struct Told: Equatable {
      var pages: Int
      var anchor: Int?
      var leading: Int
    }
    let told = Box<[Told]>([])
    let config = PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 3)
    var scenario = Scenario(config, key: 50)
    scenario.engine.refreshKey = { loaded in
      let anchor = loaded.anchorIndex.map { $0 + loaded.placeholders.before }
      told.change {
        $0.append(Told(pages: loaded.pages.pageCount, anchor: anchor, leading: loaded.placeholders.before))
      }
      return anchor
    }
    scenario.observe()
    scenario.load()
    #expect(told.value == [], "the first source is asked nothing")
    scenario.look(at: 51)
    scenario.refresh()
    // The second generation never shows: the third hears the same.
    scenario.refresh()
    #expect(told.value == [Told(pages: 1, anchor: 51, leading: 50), Told(pages: 1, anchor: 51, leading: 50)])
    scenario.idle()
    #expect(scenario.pages == [[50], [51, 52, 53]])
    scenario.look(at: 53)
    scenario.idle()
    scenario.refresh()
    #expect(told.value.last == Told(pages: 3, anchor: 53, leading: 50))
    scenario.idle()
    #expect(scenario.rows == [52, 53, 54, 55])
  }

  @Test func P10_aRefreshThatBeganBeforeAnyReportKeepsTheReadersPlace() {
    // The reader looks while it loads, on the page that it loads and on one that it doesn't; or after it failed.
    for (row, fails, rows) in [(51, false, 50..<53), (60, false, 60..<63), (60, true, 60..<63)] {
      var scenario = Scenario.loaded(PagingConfig(pageSize: 1, prefetchDistance: 1, initialLoadSize: 3), key: 50)
      for _ in 0..<10 {
        scenario.load(.append)
        scenario.load()
      }
      scenario.refresh()
      if fails { scenario.fail() }
      scenario.look(at: row)
      if fails { scenario.retry() }
      for _ in 0..<10 where !scenario.running.isEmpty && scenario.running.first != .prepend { scenario.load() }
      #expect(scenario.engine.state.anchor == AnchorOutcome(kind: .kept, index: row))
      #expect(scenario.engine.state.position.rowsBefore == row)
      #expect(rows.allSatisfy { scenario.rows.contains($0) })
    }
  }

  @Test func theLastOfTwoRefreshesIsShown() throws {
    // The neighbour of FET-11: what was asked for in between is never loaded.
    var scenario = try loaded()
    scenario.refresh()
    scenario.refresh()
    scenario.refresh()
    #expect(scenario.running == [.refresh])
    #expect(scenario.engine.cancelled.count == 2)
    while !scenario.engine.cancelled.isEmpty { scenario.engine.loadLate(at: 0) }
    #expect(scenario.running == [.refresh], "what comes late is nobody's")
    #expect(scenario.news() == ["{r:L}"])
    scenario.load()
    #expect(scenario.pages == [[50, 51]])
    #expect(scenario.engine.openSources.count == 1)
    #expect(scenario.engine.finished.count == 3)
  }
}
