import Loading
import Testing

@testable import Paging

/// Every order of the events of small scripts, in which a load may also end because its cursor has expired.
extension InterleavingTests {
  private typealias Event = (String, (inout EngineHarness) -> Void)

  private var bottom: Event { ("bottom", { $0.look(at: $0.list.count - 1..<$0.list.count) }) }
  private var top: Event { ("top", { $0.look(at: 0..<1) }) }
  private var refresh: Event {
    ("refresh", { harness in _ = harness.command { $0.refreshAsked(.anchor, $1, now: $2) } })
  }
  private var append: Event {
    ("load append", { harness in _ = harness.command { $0.loadAsked(.append, $1, now: $2) } })
  }

  @Test func P33_everyOrderOfExpiriesReportsAndARefresh() throws {
    let ends = playAll(
      try started(server: StillServer(count: 7), at: 2), [bottom, top, refresh], depth: 6, expiring: true)
    #expect(ends > 1000)
  }

  @Test func P33_everyOrderOfExpiriesAndCommands() throws {
    let retry: Event = ("retry", { harness in _ = harness.command { $0.retryAsked(nil, $1, now: $2) } })
    let jump: Event = ("jump", { harness in _ = harness.command { $0.jumpAsked(.index(5), $1, now: $2) } })
    let ends = playAll(
      try started(server: StillServer(count: 9, counts: false)), [bottom, append, retry, jump], depth: 6,
      expiring: true)
    #expect(ends > 1000)
  }

  @Test func P33_everyOrderOfExpiriesDropsAndConditionsOfAForwardOnlySource() throws {
    let ends = playAll(
      try started(maxSize: 4, server: StillServer(count: 9, goesBack: false, counts: false)),
      [
        bottom, bottom, top,
        ("suspended", { $0.perform { $0.conditionsChanged(.suspended, now: $1) } }),
        ("normal", { $0.perform { $0.conditionsChanged(.normal, now: $1) } }),
      ], depth: 6, expiring: true)
    #expect(ends > 1000)
  }

  @Test func P33_everyOrderOfExpiriesAndAnInvalidation() throws {
    let ends = playAll(
      try started(server: StillServer(count: 7)),
      [bottom, append, ("invalidation", { $0.perform { $0.sourceInvalidated(now: $1) } }), refresh], depth: 6,
      expiring: true)
    #expect(ends > 1000)
  }

  /// A recovery of a far place reads many pages beside the shown ones, and holds few of them.
  @Test func P14_aRecoveryHoldsNoMoreThanTheCapAllows() throws {
    let config = try PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2, maxSize: 6)
    var harness = EngineHarness(config: config, server: StillServer(count: 60, goesBack: false, counts: false))
    harness.observe()
    harness.drain()
    while harness.rows.last != 39 {
      harness.look(at: harness.list.count - 1..<harness.list.count)
      harness.drain()
    }
    harness.look(at: harness.list.count - 1..<harness.list.count)
    harness.fail(PagingError.cursorExpired)
    var most = 0
    while harness.state.candidate != nil {
      harness.load()
      most = max(most, harness.state.candidate?.build.pages.rowCount ?? 0)
      #expect(harness.brokenInvariant == nil)
    }
    #expect(most >= 4)
    #expect(most <= 6 + 2 * 2)
    #expect(harness.state.anchor?.kind == .kept)
    #expect(harness.rows.contains(39))
  }
}
