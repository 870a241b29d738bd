import Testing

@testable import Loading

/// What reservations must do, as plainly as can be: at every question it looks at all jobs.
private struct NaiveReservations {
  struct Job: Equatable {
    let id: UInt64
    var priority: LoadPriority
    let group: LoadGroup?
    var isRunning = false
    var ranUrgent = false
  }

  let config: LoadSchedulerConfig
  var jobs: [Job] = []

  var running: [Job] { jobs.filter(\.isRunning) }
  var ordinary: Int { running.count { !$0.ranUrgent } }

  func running(of group: LoadGroup) -> Int { running.count { $0.group == group } }

  func isUrgent(_ job: Job) -> Bool { config.reserved == 0 || job.priority >= config.reservedPriority }

  func may(_ job: Job) -> Bool {
    let free = config.maxConcurrent - running.count
    guard !job.isRunning, free > 0 else { return false }
    if let group = job.group, running(of: group) >= config.maxConcurrentPerGroup { return false }
    if free <= config.reservedForIdleGroups {
      guard isUrgent(job), let group = job.group else { return false }
      return running(of: group) == 0
    }
    return isUrgent(job) || ordinary < config.maxConcurrent - config.reserved
  }

  /// Those of the highest level first, of one level the oldest.
  mutating func start() -> [UInt64] {
    var started: [UInt64] = []
    while let top = jobs.filter(may).map(\.priority).max(),
      let place = jobs.firstIndex(where: { may($0) && $0.priority == top })
    {
      jobs[place].isRunning = true
      jobs[place].ranUrgent = isUrgent(jobs[place])
      started.append(jobs[place].id)
    }
    return started
  }
}

@Suite struct ReservedSlotTests {
  private func starts(_ actions: [SchedulerState.Action]) -> [UInt64] {
    actions.compactMap { if case .start(let id) = $0 { id } else { nil } }
  }

  private func config(_ all: Int, reserved: Int, idle: Int, perGroup: Int = 4) -> LoadSchedulerConfig {
    var config = LoadSchedulerConfig(maxConcurrent: all, maxConcurrentPerGroup: perGroup, ageing: .zero)
    (config.reserved, config.reservedForIdleGroups) = (reserved, idle)
    return config
  }

  @Test func L1_whatIsFetchedAheadLeavesTheReservedSlotsFree() {
    var state = SchedulerState(config: config(6, reserved: 3, idle: 1))
    let ahead = (1...20).flatMap { state.queued($0, priority: .low, group: LoadGroup("h\($0)"), now: .zero) }
    #expect(starts(ahead) == [1, 2, 3])
    #expect(starts(state.queued(100, priority: .medium, group: "a", now: .zero)) == [100])
    #expect(starts(state.queued(101, priority: .high, group: "a", now: .zero)) == [101])
    #expect(starts(state.queued(102, priority: .high, group: "a", now: .zero)) == [], "the last is for idle groups")
    #expect(starts(state.queued(103, priority: .medium, group: "b", now: .zero)) == [103])
    #expect(state.running == 6)
  }

  @Test func L1_aDeadGroupLeavesASlotToOthers() {
    var state = SchedulerState(config: config(6, reserved: 3, idle: 1, perGroup: 6))
    let dead = (1...9).flatMap { state.queued($0, priority: .high, group: "dead", now: .zero) }
    #expect(starts(dead) == [1, 2, 3, 4, 5])
    #expect(starts(state.queued(10, priority: .medium, group: "alive", now: .zero)) == [10])
    #expect(starts(state.ended(10, now: .zero)) == [], "it is kept for the next that is idle")
    #expect(starts(state.queued(11, priority: .medium, group: "alive", now: .zero)) == [11])
  }

  @Test func L1_aJobWithoutAGroupNeverTakesTheSlotOfIdleGroups() {
    var state = SchedulerState(config: config(2, reserved: 1, idle: 1))
    #expect(starts(state.queued(1, priority: .high, now: .zero)) == [1])
    #expect(starts(state.queued(2, priority: .high, now: .zero)) == [])
    #expect(starts(state.queued(3, priority: .medium, group: "a", now: .zero)) == [3])
  }

  @Test func L1_ageingMakesNothingUrgent() {
    var reserving = config(2, reserved: 1, idle: 0)
    reserving.ageing = .seconds(1)
    var state = SchedulerState(config: reserving)
    _ = state.queued(1, priority: .low, now: .zero)
    _ = state.queued(2, priority: .low, now: .zero)
    #expect(starts(state.timePassed(now: .seconds(100))) == [])
    #expect(starts(state.queued(3, priority: .medium, now: .seconds(100))) == [3])
    #expect(starts(state.ended(1, now: .seconds(100))) == [2], "it has not been starved either")
  }

  @Test func L1_aJobThatIsRaisedMayTakeAReservedSlotAndOneThatIsLoweredMayNot() {
    var state = SchedulerState(config: config(2, reserved: 1, idle: 0))
    _ = state.queued(1, priority: .low, now: .zero)
    _ = state.queued(2, priority: .low, now: .zero)
    #expect(starts(state.reprioritised(2, from: .low, to: .medium, now: .zero)) == [2])
    _ = state.queued(3, priority: .medium, now: .zero)
    #expect(starts(state.reprioritised(3, from: .medium, to: .low, now: .zero)) == [])
    #expect(starts(state.ended(2, now: .zero)) == [], "the reserved slot is free, and it may not have it")
    #expect(starts(state.ended(1, now: .zero)) == [3])
    #expect(state.ended(3, now: .zero).isEmpty)
    #expect(state.count == 0)
  }

  @Test func L1_aSlotIsLeftForAllHoweverManyAreToBeReserved() {
    var state = SchedulerState(config: config(2, reserved: 9, idle: 9))
    #expect(starts(state.queued(1, priority: .low, now: .zero)) == [1])
    #expect(starts(state.queued(2, priority: .low, now: .zero)) == [])
  }

  @Test func B34_aBurstStartsAtOnceAndTheRestAreSpaced() {
    var pacing = LoadSchedulerConfig(maxConcurrent: 100, maxConcurrentPerGroup: 100)
    pacing.pace = TokenBucket(perSecond: 10, burst: 3)
    var state = SchedulerState(config: pacing)
    let actions = (1...7).flatMap { state.queued($0, priority: .medium, now: .zero) }
    #expect(starts(actions) == [1, 2, 3])
    #expect(actions.contains(.wake(at: .milliseconds(100))))
    #expect(starts(state.timePassed(now: .milliseconds(99))) == [])
    #expect(state.timePassed(now: .milliseconds(100)) == [.start(4), .wake(at: .milliseconds(200))])
    // A cancelled one costs no token, and the most urgent has the next.
    _ = state.cancelled(5, now: .milliseconds(150))
    _ = state.reprioritised(7, from: .medium, to: .high, now: .milliseconds(150))
    #expect(starts(state.timePassed(now: .milliseconds(200))) == [7])
    #expect(state.timePassed(now: .milliseconds(300)) == [.start(6)], "and nobody is woken for nothing")
  }

  @Test func B34_aBucketFillsUpToItsBurstAndNoFurther() {
    var bucket = TokenBucket(perSecond: 4, burst: 2)
    let first = (0..<3).map { _ in bucket.take(now: .seconds(10)) }
    #expect(first == [true, true, false])
    #expect(bucket.nextToken(now: .seconds(10)) == .milliseconds(10_250))
    let second = (0..<2).map { _ in bucket.take(now: .milliseconds(10_250)) }
    #expect(second == [true, false])
    let third = (0..<3).map { _ in bucket.take(now: .seconds(1_000)) }
    #expect(third == [true, true, false])
    var clamped = TokenBucket(perSecond: 0, burst: -3)
    let fourth = [clamped.take(now: .zero), clamped.take(now: .zero)]
    #expect(fourth == [true, false])
  }

  // MARK: - Against the naive one

  private enum Step: CaseIterable {
    case lowA, mediumA, lowB, mediumB, end, endLast, raise, cancel
  }

  /// Plays a step on both; nil where it makes no sense.
  private func play(
    _ step: Step, _ state: inout SchedulerState, _ naive: inout NaiveReservations, _ next: inout UInt64
  ) -> (ours: [UInt64], theirs: [UInt64])? {
    func queue(_ priority: LoadPriority, _ group: LoadGroup) -> (ours: [UInt64], theirs: [UInt64]) {
      defer { next += 1 }
      naive.jobs.append(.init(id: next, priority: priority, group: group))
      return (starts(state.queued(next, priority: priority, group: group, now: .zero)), naive.start())
    }
    switch step {
    case .lowA: return queue(.low, "a")
    case .mediumA: return queue(.medium, "a")
    case .lowB: return queue(.low, "b")
    case .mediumB: return queue(.medium, "b")
    case .end, .endLast:
      guard let job = step == .end ? naive.running.first : naive.running.last else { return nil }
      naive.jobs.removeAll { $0.id == job.id }
      return (starts(state.ended(job.id, now: .zero)), naive.start())
    case .raise:
      guard let place = naive.jobs.lastIndex(where: { !$0.isRunning && $0.priority == .low }) else { return nil }
      naive.jobs[place].priority = .medium
      let id = naive.jobs[place].id
      return (starts(state.reprioritised(id, from: .low, to: .medium, now: .zero)), naive.start())
    case .cancel:
      guard let job = naive.jobs.first(where: { !$0.isRunning }) else { return nil }
      naive.jobs.removeAll { $0.id == job.id }
      return (starts(state.cancelled(job.id, now: .zero).actions), naive.start())
    }
  }

  private func holds(_ naive: NaiveReservations) -> Bool {
    let config = naive.config
    let groups = Set(naive.running.compactMap(\.group))
    return naive.running.count <= config.maxConcurrent
      && naive.ordinary <= config.maxConcurrent - config.reserved
      && groups.allSatisfy { naive.running(of: $0) <= config.maxConcurrentPerGroup }
  }

  /// Every script of up to five steps, from the beginning.
  @Test(arguments: [(2, 1, 1, 2), (3, 1, 0, 2), (3, 2, 1, 2), (3, 2, 1, 3)])
  func L1_everyShortScriptStartsWhatTheNaiveOneStarts(all: Int, reserved: Int, idle: Int, perGroup: Int) {
    let config = config(all, reserved: reserved, idle: idle, perGroup: perGroup)
    var scripts = 0
    func go(_ state: SchedulerState, _ naive: NaiveReservations, _ next: UInt64, _ done: [Step]) -> [Step]? {
      if done.count == 5 { return nil }
      for step in Step.allCases {
        var (state, naive, next) = (state, naive, next)
        guard let (ours, theirs) = play(step, &state, &naive, &next) else { continue }
        scripts += 1
        guard ours == theirs, holds(naive), state.running == naive.running.count else { return done + [step] }
        if let failed = go(state, naive, next, done + [step]) { return failed }
      }
      return nil
    }
    let failed = go(SchedulerState(config: config), NaiveReservations(config: config), 1, [])
    #expect(failed == nil)
    #expect(scripts > 5_000)
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func L1_randomScriptsKeepTheReservedSlots(seed: UInt64) {
    var chance = SeededGenerator(seed: seed)
    let all = Int.random(in: 1...7, using: &chance)
    let config = config(
      all, reserved: Int.random(in: 0..<all, using: &chance), idle: Int.random(in: 0...2, using: &chance),
      perGroup: Int.random(in: 1...5, using: &chance)
    ).clamped
    var (state, naive) = (SchedulerState(config: config), NaiveReservations(config: config))
    var next: UInt64 = 1
    for _ in 0..<500 {
      guard let step = Step.allCases.randomElement(using: &chance),
        let (ours, theirs) = play(step, &state, &naive, &next)
      else { continue }
      guard ours == theirs, holds(naive), state.count == naive.jobs.count else {
        Issue.record("seed \(seed), \(config): started \(ours), the naive one \(theirs)")
        return
      }
    }
    // And then nothing is left behind: what may never wait for good.
    while let job = naive.running.first {
      naive.jobs.removeAll { $0.id == job.id }
      guard starts(state.ended(job.id, now: .zero)) == naive.start() else {
        Issue.record("seed \(seed): the end of \(job.id)")
        return
      }
    }
    #expect(naive.jobs.isEmpty && state.count == 0, "seed \(seed): \(naive.jobs)")
  }
}
