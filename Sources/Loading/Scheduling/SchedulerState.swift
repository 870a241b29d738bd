/// Which job starts when: every decision of a scheduler, with no lock, no task and no clock.
///
/// | a job | is |
/// |---|---|
/// | quiet | kept back by a debounce until nobody has asked for its key for a while |
/// | ready | in its lane, by level and then by age; the lane knows what else holds it up |
/// | running | holding a slot |
///
/// `now` is the time since the scheduler was made. Each event costs O(log n) for each job that it starts, moves or lets
/// in.
struct SchedulerState {
  /// What the shell is to do after an event.
  enum Action: Equatable {
    case start(UInt64)
    /// It never started and never will: a later job of its key took its place.
    case supersede(UInt64)
    /// Call ``timePassed(now:)`` at that moment, and at none that was asked for before.
    case wake(at: Duration)
  }

  private struct Job {
    var level: Int
    let order: UInt64
    var lane: LaneBook.Name
    /// How long its throttled key rests after it.
    let interval: Duration
    var place: Place

    var rank: JobRank { JobRank(level: level, order: order) }
  }

  private enum Place {
    case quiet, ready, running
  }

  private let config: LoadSchedulerConfig
  private var jobs: [UInt64: Job] = [:]
  private var lanes: LaneBook
  private var paces = PaceBook()
  /// When each waiting job moves up next.
  private var ageing = PriorityHeap<Duration>()
  private(set) var running = 0
  private(set) var isSuspended = false
  /// Of these, the ones that may not take reserved slots.
  private var runningOrdinary = 0
  private var pace: TokenBucket?
  private var nextOrder: UInt64 = 1
  private var wakesAt: Duration?
  private var out: [Action] = []

  init(config: LoadSchedulerConfig) {
    self.config = config.clamped
    lanes = LaneBook(
      maxPerGroup: self.config.maxConcurrentPerGroup, followsIdleGroups: self.config.reservedForIdleGroups > 0)
    pace = config.pace
  }

  /// How many jobs there are, waiting and running.
  var count: Int { jobs.count }
  var waiting: Int { jobs.count - running }
  /// How many lanes, groups and throttled keys are remembered.
  var laneCount: Int { lanes.size }

  // MARK: - Events

  /// A job came. `id` is of the caller's choice and was never used before.
  mutating func queued(
    _ id: UInt64, priority: LoadPriority, group: LoadGroup? = nil, pacing: LoadPacing? = nil, now: Duration
  ) -> [Action] {
    let job = Job(
      level: priority.rawValue, order: nextOrder,
      lane: LaneBook.Name(group: group, throttle: pacing?.throttle?.key, isUrgent: isUrgent(priority)),
      interval: pacing?.throttle?.interval ?? .zero, place: pacing?.debounce == nil ? .ready : .quiet)
    jobs[id] = job
    nextOrder += 1
    if config.ageing > .zero { ageing.insert(id, now + config.ageing) }
    if let pace = pacing?.debounce {
      debounce(id, pace, now: now)
    } else {
      lanes.insert(id, job.rank, in: job.lane, now: now)
    }
    return settle(now: now)
  }

  /// Its ticket says another priority; what it gained by waiting stays. Has no effect once it runs.
  mutating func reprioritised(
    _ id: UInt64, from old: LoadPriority, to new: LoadPriority, now: Duration
  ) -> [Action] {
    guard var job = jobs[id], job.place != .running else { return [] }
    let (change, overflows) = new.rawValue.subtractingReportingOverflow(old.rawValue)
    job.level = overflows ? new.rawValue : Self.sum(job.level, change)
    let lane = job.lane
    job.lane.isUrgent = isUrgent(new)
    jobs[id] = job
    if job.place == .ready, job.lane == lane {
      lanes.change(id, to: job.rank, in: lane)
    } else if job.place == .ready {
      lanes.remove(id, in: lane)
      lanes.insert(id, job.rank, in: job.lane, now: now)
    }
    return settle(now: now)
  }

  /// Whoever waits for it has gone. One that waits never starts; one that runs keeps its slot until it has ended.
  ///
  /// - Returns: Whether it was waiting.
  mutating func cancelled(_ id: UInt64, now: Duration) -> (wasWaiting: Bool, actions: [Action]) {
    guard let job = jobs[id], job.place != .running else { return (false, []) }
    forget(id, job)
    return (true, settle(now: now))
  }

  /// A running job has ended, well or badly.
  mutating func ended(_ id: UInt64, now: Duration) -> [Action] {
    guard let job = jobs[id], job.place == .running else { return [] }
    jobs[id] = nil
    running -= 1
    if !job.lane.isUrgent { runningOrdinary -= 1 }
    lanes.ended(in: job.lane, now: now)
    return settle(now: now)
  }

  /// Whether nothing starts for now; what runs goes on.
  mutating func suspended(_ isSuspended: Bool, now: Duration) -> [Action] {
    self.isSuspended = isSuspended
    return settle(now: now)
  }

  /// As much time has passed as a `wake` asked for.
  mutating func timePassed(now: Duration) -> [Action] { settle(now: now) }

  // MARK: - Deciding

  /// Lets those move up, and those in, whose time has come; then starts what there is room for.
  private mutating func settle(now: Duration) -> [Action] {
    if let due = wakesAt, due <= now { wakesAt = nil }
    moveUp(now: now)
    while let id = paces.next(now: now) { makeReady(id, now: now) }
    lanes.timePassed(now: now)
    let nextToken = startReady(now: now)
    // Levels matter only when a slot is free, and then they are looked at anew: no timer is needed for them.
    if let next = Self.earlier(Self.earlier(paces.nextDue, lanes.nextOpening), nextToken) { wake(at: next) }
    defer { out = [] }
    return out
  }

  private mutating func moveUp(now: Duration) {
    while let due = ageing.firstRank, due <= now, let id = ageing.first, var job = jobs[id] {
      // Nobody may have looked for a while: it may be due more than once.
      let steps = 1 + Int((now - due) / config.ageing)
      job.level = Self.sum(job.level, steps)
      jobs[id] = job
      if job.place == .ready { lanes.change(id, to: job.rank, in: job.lane) }
      ageing.change(id, to: due + config.ageing * steps)
    }
  }

  /// - Returns: When a token comes that a job waits for.
  private mutating func startReady(now: Duration) -> Duration? {
    while let admission, let id = lanes.first(admission), var job = jobs[id] {
      if pace?.take(now: now) == false { return pace?.nextToken(now: now) }
      lanes.starts(id, in: job.lane, every: job.interval, now: now)
      job.place = .running
      jobs[id] = job
      ageing.remove(id)
      running += 1
      if !job.lane.isUrgent { runningOrdinary += 1 }
      out.append(.start(id))
    }
    return nil
  }

  /// Which jobs may take the next slot; nil where there is none.
  private var admission: LaneBook.Admission? {
    let free = config.maxConcurrent - running
    if isSuspended || free <= 0 { return nil }
    if free <= config.reservedForIdleGroups { return .urgentOfIdleGroups }
    return runningOrdinary < config.maxConcurrent - config.reserved ? .all : .urgent
  }

  private func isUrgent(_ priority: LoadPriority) -> Bool {
    config.reserved == 0 || priority >= config.reservedPriority
  }

  private mutating func debounce(_ id: UInt64, _ pace: LoadPacing.Pace, now: Duration) {
    if let earlier = paces.debounce(id, pace.key, until: now + pace.interval), let job = jobs[earlier] {
      forget(earlier, job)
      out.append(.supersede(earlier))
    }
  }

  private mutating func makeReady(_ id: UInt64, now: Duration) {
    guard var job = jobs[id] else { return }
    job.place = .ready
    jobs[id] = job
    lanes.insert(id, job.rank, in: job.lane, now: now)
  }

  private mutating func forget(_ id: UInt64, _ job: Job) {
    jobs[id] = nil
    ageing.remove(id)
    switch job.place {
    case .ready: lanes.remove(id, in: job.lane)
    case .quiet: paces.remove(id)
    case .running: break
    }
  }

  private mutating func wake(at moment: Duration) {
    if let wakesAt, wakesAt <= moment { return }
    wakesAt = moment
    out.append(.wake(at: moment))
  }

  private static func earlier(_ a: Duration?, _ b: Duration?) -> Duration? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }

  private static func sum(_ level: Int, _ change: Int) -> Int {
    let (sum, overflows) = level.addingReportingOverflow(change)
    return overflows ? (change > 0 ? .max : .min) : sum
  }
}
