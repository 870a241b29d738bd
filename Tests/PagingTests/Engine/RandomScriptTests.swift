import Loading
import Testing

@testable import Paging

/// Long random scripts of everything that can happen, against what must always hold and a naive list.
@Suite struct RandomScriptTests {
  @Test func P1_longRandomScriptsKeepWhatMustHold() throws {
    for seed in UInt64(1)...150 {
      if let problem = try play(seed: seed, events: 300) {
        Issue.record("seed \(seed): \(problem)")
        return
      }
    }
  }

  private func play(seed: UInt64, events: Int) throws -> String? {
    var chance = SeededGenerator(seed: seed)
    let capped = Bool.random(using: &chance)
    let config =
      capped
      ? try PagingConfig(pageSize: 3, prefetchDistance: 2, initialLoadSize: 4, maxSize: 9)
      : PagingConfig(pageSize: 3, prefetchDistance: 2, initialLoadSize: 4)
    let server = StillServer(
      count: Int.random(in: 0...60, using: &chance), goesBack: Bool.random(using: &chance), counts: false)
    var harness = EngineHarness(config: config, server: server)
    harness.observe()
    var trace: [String] = []
    for _ in 0..<events {
      let before = harness
      let name = step(&harness, &chance)
      trace.append(name)
      if let problem = harness.brokenInvariant ?? naiveProblem(before, harness, name) {
        return "\(problem) after \(trace.suffix(12).joined(separator: ", "))"
      }
    }
    harness.perform { $0.conditionsChanged(.normal, now: $1) }
    _ = harness.command { $0.retryAsked(nil, $1, now: $2) }
    harness.drain()
    return harness.given == Set(harness.finished.keys) ? nil : "P12: a command never ended"
  }

  /// A page that came at an edge adds its rows there, or is one that was read again; nothing else adds rows.
  private func naiveProblem(_ before: EngineHarness, _ after: EngineHarness, _ name: String) -> String? {
    guard before.state.shown.number == after.state.shown.number else { return nil }
    let old = Set(before.rows)
    let added = after.rows.filter { !old.contains($0) }
    if name != "load" { return added.isEmpty ? nil : "\(name) added rows \(added)" }
    if added.count > max(after.state.config.pageSize, after.state.config.initialLoadSize) {
      return "too many rows came"
    }
    if after.state.config.maxSize == nil, !old.isSubset(of: Set(after.rows)) { return "rows went without a cap" }
    return nil
  }

  private func step(_ harness: inout EngineHarness, _ chance: inout SeededGenerator) -> String {
    let count = harness.list.count
    switch Int.random(in: 0..<20, using: &chance) {
    case 0..<7 where !harness.pending.isEmpty:
      harness.load(at: Int.random(in: harness.pending.indices, using: &chance))
      return "load"
    case 7 where !harness.pending.isEmpty:
      harness.fail(at: Int.random(in: harness.pending.indices, using: &chance), Broken())
      return "fail"
    case 19 where !harness.pending.isEmpty:
      harness.fail(at: Int.random(in: harness.pending.indices, using: &chance), PagingError.cursorExpired)
      return "expired"
    case 8 where !harness.pending.isEmpty:
      harness.fail(at: 0, CancellationError())
      return "cancelled"
    case 9 where !harness.cancelled.isEmpty:
      harness.loadLate(at: Int.random(in: harness.cancelled.indices, using: &chance))
      return "late"
    case 10:
      let start = Bool.random(using: &chance)
      _ = harness.command { $0.refreshAsked(start ? .start : .anchor, $1, now: $2) }
      return "refresh"
    case 11:
      harness.perform { $0.sourceInvalidated(now: $1) }
      return "invalidation"
    case 12:
      let index = Int.random(in: -1...70, using: &chance)
      _ = harness.command { $0.jumpAsked(.index(index), $1, now: $2) }
      return "jump"
    case 13:
      _ = harness.command { $0.loadAsked(.append, $1, now: $2) }
      return "load by command"
    case 14:
      _ = harness.command { $0.retryAsked(nil, $1, now: $2) }
      return "retry"
    case 15:
      let all: [LoadConditions] = [.normal, .normal, .constrained, .suspended]
      let conditions = all[Int.random(in: all.indices, using: &chance)]
      harness.perform { $0.conditionsChanged(conditions, now: $1) }
      return "conditions"
    default:
      let lower = Int.random(in: 0...max(0, count), using: &chance)
      harness.look(at: lower..<max(lower, min(count, lower + 4)))
      return "look"
    }
  }
}
