import Testing

@testable import Paging

@Suite struct NobodyLooksTests {
  /// The grace is over before the mediator has said how to begin.
  @Test func P24_P28_nothingBeginsForNobodyWhenTheMediatorAnswers() {
    var config = PagingConfig(pageSize: 10)
    config.retention = .whileObserved(grace: .seconds(5))
    var pager = EngineHarness(config: config, server: StillServer(count: 100), hasMediator: true)
    pager.observe()
    #expect(pager.isMediatorAsked)
    pager.perform { $0.observerRemoved(now: $1) }
    pager.now = .seconds(5)
    pager.perform { $0.timePassed(now: $1) }
    pager.answer(.refresh)
    #expect(pager.pending.isEmpty)
    #expect(pager.remote.isEmpty)
    #expect(pager.state.isSettled)
    pager.observe()
    #expect(pager.pending.map(\.params.type) == [.refresh])
    #expect(pager.remote.map(\.type) == [.refresh])
    pager.drain()
    pager.mediate()
    pager.drain()
    #expect(pager.rows == Array(0..<30))
    #expect(pager.state.mediatorStates?.refresh == .notLoading(endReached: false))
  }
}
