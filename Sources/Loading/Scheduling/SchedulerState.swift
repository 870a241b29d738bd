/// Which job starts when: every decision of a scheduler, with no lock, no task and no clock.
///
/// | a job | is |
/// |---|---|
/// | paced | kept back until its time, by a debounce or a throttle |
/// | ready | in the heap, by level and then by age |
/// | parked | put aside, since its group runs as many as it may |
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
    /// Call ``timePassed(now:)`` at that moment.
    case wake(at: Duration)
  }

  private struct Job {
    var level: Int
    let order: UInt64
    let group: LoadGroup?
    var place: Place

    var rank: Rank { Rank(level: level, order: order) }
  }

  /// Of two jobs the one of the higher level comes first, of two of one level the one that was there first.
  private struct Rank: Comparable {
    let level: Int
    let order: UInt64

    static func < (a: Rank, b: Rank) -> Bool {
      a.level == b.level ? a.order < b.order : a.level > b.level
    }
  }

  private enum Place {
    case paced, ready, parked, running
  }

  private struct Group {
    var running = 0
    var parked = PriorityHeap<Rank>()
  }

  private let config: LoadSchedulerConfig
  private var jobs: [UInt64: Job] = [:]
  private var ready = PriorityHeap<Rank>()
  private var groups: [LoadGroup: Group] = [:]
  private var paces = PaceBook()
  /// When each waiting job moves up next.
  private var ageing = PriorityHeap<Duration>()
  private(set) var running = 0
  private var nextOrder: UInt64 = 1
  private var wakesAt: Duration?
  private var out: [Action] = []

  init(config: LoadSchedulerConfig) {
    self.config = config
  }

  /// How many jobs there are, waiting and running.
  var count: Int { jobs.count }
  var waiting: Int { jobs.count - running }

  // MARK: - Events

  /// A job came. `id` is of the caller's choice and was never used before.
  mutating func queued(
    _ id: UInt64, priority: LoadPriority, group: LoadGroup? = nil, pacing: LoadPacing? = nil, now: Duration
  ) -> [Action] {
    jobs[id] = Job(level: priority.rawValue, order: nextOrder, group: group, place: .ready)
    nextOrder += 1
    if config.ageing > .zero { ageing.insert(id, now + config.ageing) }
    if let pacing, let wait = pace(id, pacing, now: now) {
      jobs[id]?.place = .paced
      wake(at: wait)
    } else {
      makeReady(id)
    }
    return settle(now: now)
  }

  /// Its ticket says another priority; what it gained by waiting stays. Has no effect once it runs.
  mutating func reprioritised(
    _ id: UInt64, from old: LoadPriority, to new: LoadPriority, now: Duration
  ) -> [Action] {
    guard var job = jobs[id] else { return [] }
    let (change, overflows) = new.rawValue.subtractingReportingOverflow(old.rawValue)
    job.level = overflows ? new.rawValue : Self.sum(job.level, change)
    jobs[id] = job
    rerank(id, job)
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
    if let name = job.group, var group = groups[name] {
      group.running -= 1
      if let next = group.parked.first {
        group.parked.remove(next)
        groups[name] = group
        makeReady(next)
      } else {
        groups[name] = group.running == 0 ? nil : group
      }
    }
    return settle(now: now)
  }

  /// As much time has passed as a `wake` asked for.
  mutating func timePassed(now: Duration) -> [Action] { settle(now: now) }

  // MARK: - Deciding

  /// Lets those move up, and those in, whose time has come; then starts what there is room for.
  private mutating func settle(now: Duration) -> [Action] {
    if let due = wakesAt, due <= now { wakesAt = nil }
    moveUp(now: now)
    while let id = paces.next(now: now) { makeReady(id) }
    startReady()
    // Levels matter only when a slot is free, and then they are looked at anew: no timer is needed for them.
    if let next = paces.nextDue { wake(at: next) }
    defer { out = [] }
    return out
  }

  private mutating func moveUp(now: Duration) {
    while let due = ageing.firstRank, due <= now, let id = ageing.first, var job = jobs[id] {
      // Nobody may have looked for a while: it may be due more than once.
      let steps = 1 + Int((now - due) / config.ageing)
      job.level = Self.sum(job.level, steps)
      jobs[id] = job
      rerank(id, job)
      ageing.change(id, to: due + config.ageing * steps)
    }
  }

  private mutating func startReady() {
    while running < config.maxConcurrent, let id = ready.first, var job = jobs[id] {
      ready.remove(id)
      if let name = job.group {
        var group = groups[name] ?? Group()
        guard group.running < config.maxConcurrentPerGroup else {
          group.parked.insert(id, job.rank)
          groups[name] = group
          job.place = .parked
          jobs[id] = job
          continue
        }
        group.running += 1
        groups[name] = group
      }
      job.place = .running
      jobs[id] = job
      ageing.remove(id)
      running += 1
      out.append(.start(id))
    }
  }

  /// - Returns: When it may start; nil: at once.
  private mutating func pace(_ id: UInt64, _ pacing: LoadPacing, now: Duration) -> Duration? {
    switch pacing.kind {
    case .debounce:
      if let earlier = paces.debounce(id, pacing.key, until: now + pacing.interval), let job = jobs[earlier] {
        forget(earlier, job)
        out.append(.supersede(earlier))
      }
      return now + pacing.interval
    case .throttle:
      let start = paces.throttle(id, pacing.key, every: pacing.interval, now: now)
      return start > now ? start : nil
    }
  }

  private mutating func makeReady(_ id: UInt64) {
    guard var job = jobs[id] else { return }
    job.place = .ready
    jobs[id] = job
    ready.insert(id, job.rank)
  }

  private mutating func rerank(_ id: UInt64, _ job: Job) {
    switch job.place {
    case .ready: ready.change(id, to: job.rank)
    case .parked: job.group.map { groups[$0]?.parked.change(id, to: job.rank) }
    case .paced, .running: break
    }
  }

  private mutating func forget(_ id: UInt64, _ job: Job) {
    jobs[id] = nil
    ageing.remove(id)
    switch job.place {
    case .ready: ready.remove(id)
    case .parked: job.group.map { _ = groups[$0]?.parked.remove(id) }
    case .paced: paces.remove(id)
    case .running: break
    }
  }

  private mutating func wake(at moment: Duration) {
    if let wakesAt, wakesAt <= moment { return }
    wakesAt = moment
    out.append(.wake(at: moment))
  }

  private static func sum(_ level: Int, _ change: Int) -> Int {
    let (sum, overflows) = level.addingReportingOverflow(change)
    return overflows ? (change > 0 ? .max : .min) : sum
  }
}
