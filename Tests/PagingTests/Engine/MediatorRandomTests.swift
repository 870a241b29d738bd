import Loading
import Testing

@testable import Paging

/// Long random scripts of everything that can happen to a pager with a mediator.
@Suite struct MediatorRandomTests {
  @Test func P29_longRandomScriptsKeepWhatMustHold() {
    for seed in UInt64(1)...120 {
      if let problem = play(seed: seed, events: 250) {
        Issue.record("seed \(seed): \(problem)")
        return
      }
    }
  }

  private func play(seed: UInt64, events: Int) -> String? {
    var chance = SeededGenerator(seed: seed)
    var config = PagingConfig(pageSize: 3, prefetchDistance: Int.random(in: 0...3, using: &chance), initialLoadSize: 4)
    config.emptyPageBudget = 3
    if Bool.random(using: &chance) { config.retention = .whileObserved(grace: .seconds(2)) }
    // Without signals all that is shown can be told from what the mediator brought.
    let isQuiet = Bool.random(using: &chance)
    let server = StillServer(
      count: Int.random(in: 0...12, using: &chance), goesBack: Bool.random(using: &chance), counts: false)
    var harness = EngineHarness(config: config, server: server, hasMediator: true)
    harness.observe()
    var trace: [String] = []
    for _ in 0..<events {
      trace.append(step(&harness, isQuiet: isQuiet, &chance))
      if let problem = harness.brokenInvariant ?? harness.brokenPromise(isQuiet: isQuiet) {
        return "\(problem) after \(trace.suffix(12).joined(separator: ", "))"
      }
    }
    harness.perform { $0.conditionsChanged(.normal, now: $1) }
    harness.observe()
    harness.settleAll()
    for _ in 0..<2 {
      _ = harness.command { $0.retryAsked(nil, $1, now: $2) }
      harness.settleAll()
    }
    if harness.given != Set(harness.finished.keys) { return "P12: a command never ended" }
    if harness.state.mediator?.following != nil { return "P29: no generation followed" }
    return harness.state.isSettled ? nil : "it never settles"
  }

  private func step(_ harness: inout EngineHarness, isQuiet: Bool, _ chance: inout SeededGenerator) -> String {
    let count = harness.list.count
    switch Int.random(in: 0..<30, using: &chance) {
    case 0..<8 where !harness.pending.isEmpty:
      harness.load(at: Int.random(in: harness.pending.indices, using: &chance))
      return "load"
    case 8 where !harness.pending.isEmpty:
      harness.fail(at: Int.random(in: harness.pending.indices, using: &chance), Broken())
      return "fail"
    case 9 where !harness.pending.isEmpty:
      harness.fail(at: 0, CancellationError())
      return "cancelled"
    case 10..<14 where !harness.remote.isEmpty:
      harness.mediate(
        rows: Int.random(in: 0...4, using: &chance), endReached: Int.random(in: 0..<4, using: &chance) == 0)
      return "mediated"
    case 14 where !harness.remote.isEmpty:
      harness.failRemote(Broken())
      return "mediator failed"
    case 15 where !harness.remote.isEmpty:
      harness.failRemote(CancellationError())
      return "mediator cancelled"
    case 16 where harness.isMediatorAsked:
      harness.answer(Bool.random(using: &chance) ? .refresh : .skip)
      return "answered"
    case 17 where !harness.remoteCancelled.isEmpty:
      let before = (harness.state.visible, harness.remote.map(\.id))
      harness.mediateLate(at: 0)
      if harness.state.visible != before.0 || harness.remote.map(\.id) != before.1 {
        Issue.record("P29: a late answer counts")
      }
      return "late"
    case 18:
      let start = Bool.random(using: &chance)
      _ = harness.command { $0.refreshAsked(start ? .start : .anchor, $1, now: $2) }
      return "refresh"
    case 19 where !isQuiet:
      harness.server.count += Int.random(in: 0...2, using: &chance)
      harness.perform { $0.sourceInvalidated(now: $1) }
      return "signal"
    case 20:
      let index = Int.random(in: -1...20, using: &chance)
      _ = harness.command { $0.jumpAsked(.index(index), $1, now: $2) }
      return "jump"
    case 21:
      let type: LoadType = Bool.random(using: &chance) ? .append : .prepend
      _ = harness.command { $0.loadAsked(type, $1, now: $2) }
      return "load \(type) by command"
    case 22:
      let type = [nil, LoadType.append, .refresh, .prepend][Int.random(in: 0..<4, using: &chance)]
      _ = harness.command { $0.retryAsked(type, $1, now: $2) }
      return "retry"
    case 23:
      let all: [LoadConditions] = [.normal, .normal, .constrained, .suspended]
      let conditions = all[Int.random(in: all.indices, using: &chance)]
      harness.perform { $0.conditionsChanged(conditions, now: $1) }
      return "conditions"
    case 24:
      harness.perform { $0.observerRemoved(now: $1) }
      harness.now += .seconds(Int.random(in: 0...3, using: &chance))
      harness.perform { $0.timePassed(now: $1) }
      return "away"
    case 25:
      harness.observe()
      return "back"
    default:
      let lower = Int.random(in: 0...max(0, count), using: &chance)
      harness.look(at: lower..<max(lower, min(count, lower + 4)))
      return "look"
    }
  }
}
