import Testing

@testable import Paging

/// What becomes of the generation that follows a mediator's load, and of retries, in the less usual orders.
@Suite struct MediatorFollowUpTests {
  private func list(count: Int = 3, distance: Int = 1) -> EngineHarness {
    var harness = EngineHarness(
      config: PagingConfig(pageSize: 2, prefetchDistance: distance, initialLoadSize: 4),
      server: StillServer(count: count, counts: false), hasMediator: true)
    harness.observe()
    harness.answer(.skip)
    harness.drain()
    return harness
  }

  @Test func P28_aRefreshFromTheStartIsNotFollowedByAGenerationAroundTheAnchor() {
    var list = list()
    let refresh = list.command { $0.refreshAsked(.start, $1, now: $2) }
    list.perform { $0.sourceInvalidated(now: $1) }
    list.drain()
    list.mediate()
    #expect(list.finished[refresh] == nil && list.pending.count == 1)
    list.drain()
    #expect(list.finished[refresh] == 1)
  }

  @Test func P12_aJumpThatRunsWhenARefreshHasSucceededIsLetToEnd() {
    var list = list(count: 9)
    let refresh = list.command { $0.refreshAsked(.anchor, $1, now: $2) }
    let jump = list.command { $0.jumpAsked(.index(7), $1, now: $2) }
    list.mediate()
    #expect(list.finished[jump] == nil)
    list.drain()
    #expect(list.errors[jump] == nil && list.finished[jump] == 1 && list.finished[refresh] == 1)
  }

  @Test func P21_aGenerationThatFollowsAndIsCancelledBeginsAgainAfterASign() {
    var list = list()
    list.look(at: 0..<3)
    list.mediate(endReached: true)
    list.fail(at: 0, CancellationError())
    #expect(list.pending.isEmpty && list.remote.isEmpty)
    #expect(list.state.mediatorStates?.append == .notLoading(endReached: false))
    list.look(at: 0..<3)
    #expect(list.pending.count == 1 && list.state.mediatorStates?.append == .loading)
    list.drain()
    #expect(list.state.mediatorStates?.append.isAtEnd == true)
  }

  @Test func P21_aRetryThatIsCancelledLeavesTheFailure() {
    var list = list()
    list.look(at: 0..<3)
    list.failRemote(Broken())
    list.mediate(endReached: true)
    list.drain()
    let failure = list.state.mediatorStates?.append.failure
    _ = list.command { $0.retryAsked(.append, $1, now: $2) }
    list.failRemote(CancellationError())
    #expect(failure != nil && list.state.mediatorStates?.append.failure == failure)
  }
}
