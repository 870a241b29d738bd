import Testing

@testable import Loading

@Suite struct SchedulerStateTests {
  private let normal = LoadSchedulerConfig(maxConcurrent: 2, maxConcurrentPerGroup: 1, ageing: .seconds(2))

  private func starts(_ actions: [SchedulerState.Action]) -> [UInt64] {
    actions.compactMap { if case .start(let id) = $0 { id } else { nil } }
  }

  // MARK: - L1, one sentence at a time

  @Test func L1_noMoreRunThanMay() {
    var state = SchedulerState(config: normal)
    let actions = (1...5).flatMap { state.queued($0, priority: .medium, now: .zero) }
    #expect(starts(actions) == [1, 2])
    #expect(state.running == 2)
    #expect(starts(state.ended(1, now: .zero)) == [3])
  }

  @Test func L1_noMoreOfAGroupRunThanMayAndOthersPass() {
    var state = SchedulerState(config: normal)
    _ = state.queued(1, priority: .high, group: "a", now: .zero)
    #expect(starts(state.queued(2, priority: .high, group: "a", now: .zero)) == [])
    #expect(starts(state.queued(3, priority: .low, group: "b", now: .zero)) == [3])
    #expect(starts(state.ended(1, now: .zero)) == [2])
  }

  @Test func L1_firstInFirstOutWithinAPriority() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 1))
    for id in UInt64(1)...20 { _ = state.queued(id, priority: id.isMultiple(of: 2) ? .high : .low, now: .zero) }
    var order: [UInt64] = [1]
    while let last = order.last, let next = starts(state.ended(last, now: .zero)).first { order.append(next) }
    #expect(order == [1] + stride(from: 2, through: 20, by: 2) + stride(from: 3, through: 19, by: 2))
  }

  @Test func L1_aHighJobStartsAsSoonAsASlotFrees() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 4))
    for id in UInt64(1)...1000 { _ = state.queued(id, priority: .low, now: .zero) }
    _ = state.queued(2000, priority: .high, now: .zero)
    #expect(starts(state.ended(2, now: .zero)) == [2000])
  }

  @Test func L1_afterTwiceTheAgeingTheLastLowOneStandsBeforeEveryHighJobThatCameLater() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 4, ageing: .seconds(2)))
    for id in UInt64(1)...1000 { _ = state.queued(id, priority: .low, now: .zero) }
    for id in UInt64(2001)...2010 { _ = state.queued(id, priority: .high, now: .seconds(4)) }
    var running: [UInt64] = [1, 2, 3, 4]
    var order: [UInt64] = []
    while !running.isEmpty {
      let next = starts(state.ended(running.removeFirst(), now: .seconds(4)))
      running += next
      order += next
    }
    #expect(order == Array(5...1000) + Array(2001...2010))
  }

  @Test func L1_aJobMovesUpALevelForEachTimeItHasWaited() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 1, ageing: .seconds(2)))
    _ = state.queued(1, priority: .low, now: .zero)
    _ = state.queued(2, priority: .low, now: .zero)
    _ = state.queued(3, priority: .medium, now: .milliseconds(500))
    #expect(starts(state.ended(1, now: .milliseconds(1_999))) == [3], "it has not waited long enough")
    _ = state.queued(4, priority: .medium, now: .milliseconds(1_999))
    #expect(starts(state.ended(3, now: .seconds(2))) == [2], "it was there before the other of its level")
  }

  @Test func L1_whatIsCancelledBeforeItStartsNeverStarts() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 1))
    for id in UInt64(1)...3 { _ = state.queued(id, priority: .medium, now: .zero) }
    let waiting = state.cancelled(2, now: .zero).wasWaiting
    let running = state.cancelled(1, now: .zero).wasWaiting
    #expect(waiting)
    #expect(!running, "it runs, and keeps its slot until it ends")
    #expect(starts(state.ended(1, now: .zero)) == [3])
    #expect(state.ended(3, now: .zero).isEmpty)
    #expect(state.count == 0)
  }

  @Test func L1_aWaitingJobCanBeRaisedAndLowered() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 1))
    for id in UInt64(1)...4 { _ = state.queued(id, priority: .medium, now: .zero) }
    _ = state.reprioritised(4, from: .medium, to: .high, now: .zero)
    _ = state.reprioritised(2, from: .medium, to: .low, now: .zero)
    #expect(starts(state.ended(1, now: .zero)) == [4])
    #expect(starts(state.ended(4, now: .zero)) == [3])
    #expect(starts(state.ended(3, now: .zero)) == [2])
  }

  @Test func L1_debounceStartsTheLastOnceItIsQuiet() {
    var state = SchedulerState(config: normal)
    let pacing = LoadPacing.debounce("key", for: .seconds(1))
    #expect(state.queued(1, priority: .medium, pacing: pacing, now: .zero) == [.wake(at: .seconds(1))])
    #expect(
      state.queued(2, priority: .medium, pacing: pacing, now: .milliseconds(900)) == [.supersede(1)],
      "the first wake comes anyway, and finds the next one")
    #expect(state.timePassed(now: .seconds(1)) == [.wake(at: .milliseconds(1_900))])
    #expect(starts(state.timePassed(now: .milliseconds(1_900))) == [2])
  }

  @Test func L1_throttleKeepsStartsApartAndLosesNone() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 9))
    let pacing = LoadPacing.throttle("key", every: .seconds(1))
    var seen: [UInt64] = []
    for id in UInt64(1)...3 { seen += starts(state.queued(id, priority: .medium, pacing: pacing, now: .zero)) }
    #expect(seen == [1])
    #expect(starts(state.timePassed(now: .seconds(1))) == [2])
    #expect(starts(state.timePassed(now: .seconds(2))) == [3])
  }

  @Test func L1_bothTogetherWaitForTheirQuietAndThenForTheirKey() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 9))
    let throttle = LoadPacing.throttle("key", every: .seconds(3))
    #expect(starts(state.queued(1, priority: .medium, pacing: throttle, now: .zero)) == [1])
    let both = throttle + .debounce("own", for: .seconds(1))
    #expect(state.queued(2, priority: .medium, pacing: both, now: .zero) == [.wake(at: .seconds(1))])
    #expect(state.timePassed(now: .seconds(1)) == [.wake(at: .seconds(3))])
    #expect(state.timePassed(now: .seconds(3)) == [.start(2)])
    #expect(throttle + .throttle("key", every: .seconds(1)) == .throttle("key", every: .seconds(1)))
  }

  @Test func L1_throttledJobsStartByPriorityAndACancelledOneCostsNoTime() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 9))
    let pacing = LoadPacing.throttle("key", every: .seconds(1))
    for id in UInt64(1)...4 { _ = state.queued(id, priority: .medium, pacing: pacing, now: .zero) }
    _ = state.cancelled(2, now: .zero)
    _ = state.reprioritised(4, from: .medium, to: .high, now: .zero)
    #expect(starts(state.timePassed(now: .seconds(1))) == [4])
    #expect(starts(state.timePassed(now: .milliseconds(1_999))) == [])
    #expect(starts(state.timePassed(now: .seconds(2))) == [3])
  }

  @Test func L1_whatIsThrottledRestsFromTheStartAndNotFromTheTurn() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 1))
    let pacing = LoadPacing.throttle("key", every: .seconds(1))
    _ = state.queued(1, priority: .medium, now: .zero)
    for id in UInt64(2)...3 { _ = state.queued(id, priority: .medium, pacing: pacing, now: .zero) }
    #expect(
      state.ended(1, now: .seconds(9)) == [.start(2), .wake(at: .seconds(10))], "the other waits a second from then on")
    #expect(state.ended(2, now: .seconds(9)) == [])
    #expect(starts(state.timePassed(now: .seconds(10))) == [3])
  }

  @Test func L1_aGroupGoesOnWhenTheOneThatWasNextIsCancelled() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 2, maxConcurrentPerGroup: 1))
    for id in UInt64(1)...3 { _ = state.queued(id, priority: .low, group: "a", now: .zero) }
    for id in UInt64(4)...5 { _ = state.queued(id, priority: .high, now: .zero) }
    #expect(starts(state.ended(1, now: .zero)) == [5], "the group may go on, and has no slot")
    #expect(state.cancelled(2, now: .zero).actions.isEmpty)
    #expect(starts(state.ended(4, now: .zero)) == [3])
  }

  @Test func L1_aJobOfAFullGroupThatIsRaisedPassesThoseOfItsGroup() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 2, maxConcurrentPerGroup: 1))
    for id in UInt64(1)...3 { _ = state.queued(id, priority: .low, group: "a", now: .zero) }
    for id in UInt64(4)...5 { _ = state.queued(id, priority: .high, now: .zero) }
    _ = state.ended(1, now: .zero)
    _ = state.reprioritised(3, from: .low, to: .medium, now: .zero)
    #expect(starts(state.ended(4, now: .zero)) == [3])
  }

  @Test func L1_valuesOutOfTheirRangeAreClamped() {
    var config = LoadSchedulerConfig()
    (config.maxConcurrent, config.maxConcurrentPerGroup, config.ageing) = (0, -1, Duration(attoseconds: 1))
    var state = SchedulerState(config: config)
    #expect(starts(state.queued(1, priority: .low, group: "a", now: .zero)) == [1])
    let extreme = LoadPriority(rawValue: .max)
    _ = state.queued(2, priority: extreme, pacing: .debounce("key", for: .seconds(-1)), now: .zero)
    _ = state.reprioritised(2, from: extreme, to: LoadPriority(rawValue: .min), now: .seconds(100))
    #expect(starts(state.ended(1, now: .seconds(1 << 30))) == [2])
    config.ageing = .seconds(Int64.max)
    state = SchedulerState(config: config)
    _ = state.queued(1, priority: .low, pacing: .debounce("key", for: .seconds(Int64.max)), now: .seconds(1 << 37))
    #expect(state.waiting == 1)
  }

  @Test func L1_nothingIsRememberedOfWhatIsOver() {
    var state = SchedulerState(config: LoadSchedulerConfig(maxConcurrent: 4))
    for id in UInt64(0)..<4_000 {
      let pacing = LoadPacing.throttle("key \(id)", every: .milliseconds(5))
      let now = Duration.milliseconds(Int64(id))
      _ = state.queued(id, priority: .low, group: LoadGroup("group \(id)"), pacing: pacing, now: now)
      _ = id.isMultiple(of: 2) ? state.ended(id, now: now) : state.cancelled(id, now: now).actions
      _ = state.ended(id, now: now)
    }
    #expect(state.count == 0)
    #expect(state.laneCount < 80, "throttled keys are forgotten some at a time, once they have rested")
  }

  // MARK: - Against the naive one

  @Test(arguments: 0..<60 as Range<UInt64>)
  func L1_randomScriptsStartWhatTheNaiveOneStarts(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    let config = LoadSchedulerConfig(
      maxConcurrent: Int.random(in: 1...3, using: &chance),
      maxConcurrentPerGroup: Int.random(in: 1...2, using: &chance),
      ageing: seed.isMultiple(of: 4) ? .zero : .seconds(2))
    var (state, naive) = (SchedulerState(config: config), NaiveScheduler(config: config))
    var started: [UInt64] = []
    var superseded: [UInt64] = []
    var priorities: [UInt64: LoadPriority] = [:]
    var now = Duration.zero
    var next: UInt64 = 1
    let groups: [LoadGroup?] = [nil, "a", "b"]
    for _ in 0..<600 {
      now += .milliseconds(Int.random(in: 0...700, using: &chance))
      // Wakes come when they are due; a late one would only make both late.
      var actions = state.timePassed(now: now)
      naive.start(now)
      let priority = LoadPriority(rawValue: Int.random(in: -1...1, using: &chance))
      switch Int.random(in: 0..<10, using: &chance) {
      case 0..<4:
        let pacings: [LoadPacing?] = [
          nil, nil, nil, .debounce("d", for: .seconds(1)), .throttle("t", every: .milliseconds(300)),
          .debounce("d", for: .milliseconds(200)) + .throttle("t", every: .milliseconds(300)),
        ]
        let (pacing, group) = (
          pacings.randomElement(using: &chance) ?? nil, groups.randomElement(using: &chance) ?? nil
        )
        actions += state.queued(next, priority: priority, group: group, pacing: pacing, now: now)
        naive.queue(next, priority, group, pacing, now)
        priorities[next] = priority
        next += 1
      case 4:
        let id = UInt64.random(in: 1...next, using: &chance)
        actions += state.reprioritised(id, from: priorities[id] ?? .medium, to: priority, now: now)
        naive.prioritise(id, priority, now)
        if naive.jobs.contains(where: { $0.id == id }) { priorities[id] = priority }
      case 5:
        let id = UInt64.random(in: 1...next, using: &chance)
        actions += state.cancelled(id, now: now).actions
        naive.cancel(id, now)
      default:
        guard let id = naive.running.randomElement(using: &chance) else { continue }
        actions += state.ended(id, now: now)
        naive.end(id, now)
      }
      started += starts(actions)
      superseded += actions.compactMap { if case .supersede(let id) = $0 { id } else { nil } }
      guard started == naive.started, superseded == naive.superseded, state.count == naive.jobs.count else {
        Issue.record("seed \(seed): started \(started.suffix(9)), the naive one \(naive.started.suffix(9))")
        return
      }
    }
  }
}
