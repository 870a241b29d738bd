import LoadingHTTP
import Paging
import PagingHTTP
import PagingTesting
import TestSupport
import Testing

extension FaultTests {
  /// Seconds, and the three forms of a date, which the proxy counts from a clock of its own that is two hours slow.
  @Test(arguments: ["429:30", "429:+30", "429:~30", "429:^30", "503:30", "503:^30"])
  func H1_aRealListGoesOnWhenTheTimeToldIsUp(refusal: String) async throws {
    let clock = ManualClock()
    let shared = HostBudget(clock: clock)
    try await proxy.tell("plan ok status:\(refusal) ok")
    let source = source(budget: shared)
    let walk = Task { try await persistent(source, failures: 1) }
    await budget(shared, waits: 1, runs: 0)
    #expect(shared.coolDown(for: proxy.url) == .seconds(30))
    await clock.advance(by: .milliseconds(29_999))
    #expect(shared.load == (1, 0))
    #expect(try await log().count == 2)
    await clock.advance(by: .milliseconds(1))
    let (ids, failures) = try await walk.value
    #expect(ids == all && failures.count == 1)
  }

  @Test func H1_aBurstOfRefusalsIsAskedOnceForEachTimeTold() async throws {
    let clock = ManualClock()
    let shared = HostBudget(clock: clock)
    try await proxy.tell("plan ok status:503:5 status:503:10 status:429:20 ok")
    let source = source(budget: shared)
    let walk = Task { try await persistent(source, failures: 3) }
    for (count, seconds) in [(2, 5), (3, 10), (4, 20)] {
      while shared.load != (1, 0) || shared.coolDown(for: proxy.url) != .seconds(seconds) { await Task.yield() }
      #expect(try await log().count == count)
      await clock.advance(by: .seconds(seconds))
    }
    let (ids, failures) = try await walk.value
    #expect(ids == all && failures.count == 3)
  }
}
