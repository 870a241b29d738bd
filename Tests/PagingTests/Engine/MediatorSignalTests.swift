import Testing

@testable import Paging

/// What the source says about its data before and during a load of the mediator.
@Suite struct MediatorSignalTests {
  private func list() -> EngineHarness {
    var harness = EngineHarness(
      config: PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 4),
      server: StillServer(count: 3, counts: false), hasMediator: true)
    harness.observe()
    harness.answer(.skip)
    harness.drain()
    return harness
  }

  @Test func P29_aGenerationForAnEarlierSignalDoesNotShowWhatALoadWroteLater() {
    var list = list()
    list.perform { $0.sourceInvalidated(now: $1) }
    list.perform { $0.sourceInvalidated(now: $1) }
    let refresh = list.command { $0.refreshAsked(.anchor, $1, now: $2) }
    // The generations for both signals have read the source before the mediator writes to it.
    list.load()
    list.load()
    #expect(list.pending.isEmpty && list.finished[refresh] == nil)
    list.mediate(rows: 1)
    list.drain()
    #expect(list.rows == [0, 1, 2, 3] && list.finished[refresh] == 1)
  }

  @Test func P29_aGenerationForASignalDuringALoadShowsWhatThatWrote() {
    var list = list()
    _ = list.command { $0.refreshAsked(.anchor, $1, now: $2) }
    list.server.count += 1
    list.perform { $0.sourceInvalidated(now: $1) }
    list.load()
    list.mediate(endReached: true)
    #expect(list.pending.isEmpty && list.rows == [0, 1, 2, 3])
    #expect(list.state.mediatorStates?.append.isAtEnd == true)
  }
}
