import Loading
import Testing

@testable import Paging

@Suite struct RetryLaterTests {
  /// A retry of all that failed repeats the refresh first; the edge's turn comes when that has failed once more.
  @Test func P4_P19_anEdgeThatARetryReachesLaterHasItsWholeBudget() {
    var config = PagingConfig(pageSize: 10)
    config.emptyPageBudget = 2
    var pager = EngineHarness(config: config, server: StillServer(count: 100, emptyEvery: 30, emptyRun: 9))
    pager.observe()
    pager.drain()
    pager.look(at: 20..<30)
    pager.drain()
    #expect((pager.state.states.append.failure?.error as? PagingError)?.code == .emptyPages)
    _ = pager.command { $0.refreshAsked(.anchor, $1, now: $2) }
    pager.fail(Broken())
    #expect(pager.state.states.refresh.failure != nil)
    let before = appends(pager)
    _ = pager.command { $0.retryAsked(nil, $1, now: $2) }
    pager.fail(Broken())
    pager.drain()
    #expect(appends(pager) == before + 2)
    #expect((pager.state.states.append.failure?.error as? PagingError)?.code == .emptyPages)
  }

  private func appends(_ pager: EngineHarness) -> Int {
    pager.events.count { $0.name == "load" && $0.phase == .end && $0.loadType == .append && $0.outcome == "ok" }
  }
}
