import Loading
import Testing

@testable import Paging

/// Every order of the events of small scripts.
@Suite struct InterleavingTests {
  /// Plays all orders of `events`, and in each all choices of how running loads end, to `depth` events.
  ///
  /// - Returns: How many ends were reached.
  func playAll(
    _ start: EngineHarness, _ events: [(String, (inout EngineHarness) -> Void)], depth: Int, expiring: Bool = false
  ) -> Int {
    var ends = 0
    func play(_ harness: EngineHarness, _ left: [(String, (inout EngineHarness) -> Void)], _ trace: [String]) {
      if let problem = harness.brokenInvariant {
        Issue.record("\(problem) after \(trace.joined(separator: ", "))")
        return
      }
      if trace.count == depth || (left.isEmpty && harness.pending.isEmpty) {
        ends += 1
        finish(harness, trace)
        return
      }
      for position in left.indices {
        var next = harness
        var rest = left
        let (name, event) = rest.remove(at: position)
        event(&next)
        play(next, rest, trace + [name])
      }
      for position in harness.pending.indices {
        let name = "\(harness.pending[position].params.type)"
        var loaded = harness
        loaded.load(at: position)
        play(loaded, left, trace + ["\(name) loaded"])
        var failed = harness
        failed.fail(at: position, Broken())
        play(failed, left, trace + ["\(name) failed"])
        if expiring {
          var expired = harness
          expired.fail(at: position, PagingError.cursorExpired)
          play(expired, left, trace + ["\(name) expired"])
        }
        var stopped = harness
        stopped.fail(at: position, CancellationError())
        play(stopped, left, trace + ["\(name) cancelled"])
      }
      for position in harness.cancelled.indices {
        var late = harness
        let before = late.state.visible
        late.loadLate(at: position)
        if late.state.visible != before {
          Issue.record("P9: a late result was shown after \(trace.joined(separator: ", "))")
        }
      }
    }
    play(start, events, [])
    return ends
  }

  /// From any point the list can be loaded to the end, and nobody waits for ever.
  private func finish(_ harness: EngineHarness, _ trace: [String]) {
    var harness = harness
    harness.perform { $0.conditionsChanged(.normal, now: $1) }
    _ = harness.command { $0.retryAsked(nil, $1, now: $2) }
    harness.drain()
    for _ in 0..<20 {
      harness.look(at: max(0, harness.list.count - 1)..<harness.list.count)
      harness.drain()
    }
    if let problem = harness.brokenInvariant {
      Issue.record("\(problem) at the end of \(trace.joined(separator: ", "))")
    }
    if harness.rows.last != harness.server.count - 1 {
      Issue.record("the end is not reached from \(trace.joined(separator: ", ")): \(harness.rows)")
    }
    if harness.given != Set(harness.finished.keys) {
      Issue.record("P12: a command never ends after \(trace.joined(separator: ", "))")
    }
  }

  func started(maxSize: Int? = nil, server: StillServer, at key: Int? = nil) throws -> EngineHarness {
    let config =
      try maxSize.map { try PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2, maxSize: $0) }
      ?? PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 2)
    var harness = EngineHarness(config: config, server: server, initialKey: key)
    harness.observe()
    return harness
  }

  @Test func P1_everyOrderOfLoadsReportsAndARefresh() throws {
    let start = try started(server: StillServer(count: 9), at: 4)
    let ends = playAll(
      start,
      [
        ("top", { $0.look(at: 0..<1) }),
        ("bottom", { $0.look(at: $0.list.count - 1..<$0.list.count) }),
        ("refresh", { harness in _ = harness.command { $0.refreshAsked(.anchor, $1, now: $2) } }),
      ], depth: 7)
    #expect(ends > 1000)
  }

  @Test func P11_everyOrderOfAnInvalidationARefreshAndARetry() throws {
    let start = try started(server: StillServer(count: 7))
    let ends = playAll(
      start,
      [
        ("bottom", { $0.look(at: $0.list.count - 1..<$0.list.count) }),
        ("invalidation", { $0.perform { $0.sourceInvalidated(now: $1) } }),
        ("refresh from start", { harness in _ = harness.command { $0.refreshAsked(.start, $1, now: $2) } }),
        ("retry", { harness in _ = harness.command { $0.retryAsked(nil, $1, now: $2) } }),
      ], depth: 7)
    #expect(ends > 1000)
  }

  @Test func P12_everyOrderOfAJumpLoadsByCommandAndConditions() throws {
    let start = try started(server: StillServer(count: 9))
    let ends = playAll(
      start,
      [
        ("jump", { harness in _ = harness.command { $0.jumpAsked(.index(6), $1, now: $2) } }),
        ("load append", { harness in _ = harness.command { $0.loadAsked(.append, $1, now: $2) } }),
        ("load prepend", { harness in _ = harness.command { $0.loadAsked(.prepend, $1, now: $2) } }),
        ("suspended", { $0.perform { $0.conditionsChanged(.suspended, now: $1) } }),
        ("normal", { $0.perform { $0.conditionsChanged(.normal, now: $1) } }),
      ], depth: 6)
    #expect(ends > 1000)
  }

  @Test func P14_everyOrderOfDropsAndLoadsOfAForwardOnlySource() throws {
    let start = try started(maxSize: 4, server: StillServer(count: 9, goesBack: false, counts: false))
    let ends = playAll(
      start,
      [
        ("bottom", { $0.look(at: $0.list.count - 1..<$0.list.count) }),
        ("bottom", { $0.look(at: $0.list.count - 1..<$0.list.count) }),
        ("top", { $0.look(at: 0..<1) }),
        ("refresh", { harness in _ = harness.command { $0.refreshAsked(.anchor, $1, now: $2) } }),
      ], depth: 8)
    #expect(ends > 1000)
  }
}
