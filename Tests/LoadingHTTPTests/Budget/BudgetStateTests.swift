import Foundation
import Loading
import Testing

@testable import LoadingHTTP

@Suite struct BudgetStateTests {
  private let host = BudgetHarness.host(0)

  /// Three requests of three priorities, each asked for, raised or cancelled, answered well or badly, and ended, while
  /// time passes: every order of these events, eight deep, and then served to the end.
  @Test(arguments: [1, 2])
  func H1_everyOrderOfAShortScriptHolds(maxPerHost: Int) {
    var paths = 0
    explore(BudgetHarness(maxPerHost: maxPerHost), asked: 0, depth: 8, trail: [], paths: &paths)
    #expect(paths > 5_000)
  }

  private func explore(_ harness: BudgetHarness, asked: UInt64, depth: Int, trail: [String], paths: inout Int) {
    if let problem = harness.problems.first {
      Issue.record("\(problem), after \(trail)")
      paths += 20_000
      return
    }
    guard depth > 0, paths < 400_000 else {
      paths += 1
      var last = harness
      last.drain()
      if let problem = last.problems.first { Issue.record("\(problem), draining \(trail)") }
      return
    }
    func next(_ name: String, asked now: UInt64? = nil, _ event: (inout BudgetHarness) -> Void) {
      guard paths < 400_000 else { return }
      var changed = harness
      event(&changed)
      explore(changed, asked: now ?? asked, depth: depth - 1, trail: trail + [name], paths: &paths)
    }
    if asked < 3 {
      let priority = [LoadPriority.low, .high, .medium][Int(asked)]
      next("ask \(asked)", asked: asked + 1) { $0.ask(asked, host, priority) }
    }
    for (id, request) in harness.requests.sorted(by: { $0.key < $1.key }) {
      if request.isOut {
        if !request.isAnswered {
          next("serve \(id)") { $0.answer(id, .served) }
          next("refuse \(id)") { $0.answer(id, .refused(.seconds(5))) }
          next("refuse \(id) for no time") { $0.answer(id, .refused(nil)) }
        }
        next("end \(id)") { $0.end(id) }
      } else {
        next("cancel \(id)") { $0.cancel(id) }
        if request.priority.rawValue < 5 { next("raise \(id)") { $0.change(id, to: LoadPriority(rawValue: 5)) } }
      }
    }
    if harness.hosts[host]?.closedUntil != nil {
      next("wait 3") { $0.pass(.seconds(3)) }
      next("wait 5") { $0.pass(.seconds(5)) }
    }
  }

  @Test func H1_longRandomScriptsHold() {
    let first = UInt64.random(in: 0..<1 << 40)
    print("BudgetState scripts: seeds from \(first)")
    for seed in first..<first + 150 {
      var random = SeededGenerator(seed: seed)
      var harness = BudgetHarness(maxPerHost: Int.random(in: 1...4, using: &random), cap: .seconds(20))
      var asked: UInt64 = 0
      for step in 0..<200 where harness.problems.isEmpty {
        play(step, &harness, &asked, &random)
      }
      harness.drain()
      if let problem = harness.problems.first { Issue.record("seed \(seed): \(problem)") }
      #expect(harness.everStarted.count > 10, "seed \(seed): too little happened")
    }
  }

  private func play(_ step: Int, _ harness: inout BudgetHarness, _ asked: inout UInt64, _ random: inout SeededGenerator)
  {
    let ids = harness.requests.keys.sorted()
    let chosen = ids.randomElement(using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3:
      harness.ask(
        asked, BudgetHarness.host(Int.random(in: 0...2, using: &random)),
        LoadPriority(rawValue: Int.random(in: -2...2, using: &random)))
      asked += 1
    case 4:
      guard let chosen, harness.requests[chosen]?.isOut == false else { return }
      harness.change(chosen, to: LoadPriority(rawValue: Int.random(in: -2...2, using: &random)))
    case 5: if let chosen { harness.cancel(chosen) }
    case 6, 7:
      guard let chosen, let request = harness.requests[chosen], request.isOut, !request.isAnswered else { return }
      let delay = Duration.seconds(Int.random(in: 0...40, using: &random))
      harness.answer(
        chosen, [.served, .served, .refused(delay), .refused(nil)].randomElement(using: &random) ?? .served)
    case 8: if let chosen, harness.requests[chosen]?.isOut == true { harness.end(chosen) }
    default: harness.pass(.seconds(Int.random(in: 0...15, using: &random)))
    }
  }

  @Test func H1_aCoolDownIsCapped() {
    var state = BudgetState(maxPerHost: 4, maxCoolDown: .seconds(10))
    #expect(state.asked(1, host, priority: .medium, now: .zero) == [.start(1)])
    _ = state.answered(1, host, .refused(.seconds(2_147_483_648)), now: .zero)
    #expect(state.coolDown(of: host, now: .zero) == .seconds(10))
    #expect(state.coolDown(of: host, now: .seconds(10)) == nil)
    // A shorter one that comes later does not open earlier.
    _ = state.answered(2, host, .refused(.seconds(1)), now: .seconds(1))
    #expect(state.coolDown(of: host, now: .seconds(1)) == .seconds(9))
  }

  @Test func H1_anAnswerFromBeforeTheRefusalOpensNothing() {
    var state = BudgetState(maxPerHost: 4, maxCoolDown: .seconds(60))
    for id in 1...2 as ClosedRange<UInt64> { _ = state.asked(id, host, priority: .medium, now: .zero) }
    _ = state.answered(1, host, .refused(.seconds(5)), now: .zero)
    _ = state.ended(1, now: .zero)
    for id in 3...5 as ClosedRange<UInt64> { _ = state.asked(id, host, priority: .medium, now: .seconds(1)) }
    #expect(state.timePassed(now: .seconds(5)) == [.start(3), .wake(at: nil)])
    #expect(state.answered(2, host, .served, now: .seconds(6)).isEmpty)
    #expect(state.answered(3, host, .served, now: .seconds(6)) == [.start(4), .start(5)])
  }

  @Test func H1_hostsThatNobodyAsksAgainAreForgotten() {
    var state = BudgetState(maxPerHost: 1, maxCoolDown: .seconds(1))
    for number in 0..<5_000 {
      let id = UInt64(number)
      let name = BudgetHarness.host(number)
      let now = Duration.seconds(number)
      _ = state.asked(id, name, priority: .medium, now: now)
      _ = state.answered(id, name, .refused(.seconds(1)), now: now)
      _ = state.ended(id, now: now)
    }
    #expect(state.hostCount <= 64)
    // And one that serves is not remembered at all.
    var served = BudgetState(maxPerHost: 1, maxCoolDown: .seconds(1))
    _ = served.asked(1, host, priority: .medium, now: .zero)
    _ = served.answered(1, host, .served, now: .zero)
    _ = served.ended(1, now: .zero)
    #expect(served.hostCount == 0)
  }
}
