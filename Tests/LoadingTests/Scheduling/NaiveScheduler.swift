@testable import Loading

/// What a scheduler must do, written as plainly as can be: at every question it looks at all jobs.
struct NaiveScheduler {
  struct Job {
    let id: UInt64
    var priority: Int
    let queuedAt: Duration
    let group: LoadGroup?
    var startsAt: Duration
    var pacing: LoadPacing?
    var isRunning = false
  }

  let config: LoadSchedulerConfig
  private(set) var jobs: [Job] = []
  private var throttled: [String: Duration] = [:]
  private(set) var started: [UInt64] = []
  private(set) var superseded: [UInt64] = []

  init(config: LoadSchedulerConfig) {
    self.config = config
  }

  var running: [UInt64] { jobs.filter(\.isRunning).map(\.id).sorted() }

  mutating func queue(
    _ id: UInt64, _ priority: LoadPriority, _ group: LoadGroup?, _ pacing: LoadPacing?, _ now: Duration
  ) {
    var job = Job(id: id, priority: priority.rawValue, queuedAt: now, group: group, startsAt: now)
    job.pacing = pacing
    if let pace = pacing?.debounce {
      if let earlier = jobs.firstIndex(where: {
        $0.pacing?.debounce?.key == pace.key && !$0.isRunning && $0.startsAt > now
      }) {
        superseded.append(jobs[earlier].id)
        jobs.remove(at: earlier)
      }
      job.startsAt = now + pace.interval
    }
    jobs.append(job)
    start(now)
  }

  mutating func prioritise(_ id: UInt64, _ priority: LoadPriority, _ now: Duration) {
    if let index = jobs.firstIndex(where: { $0.id == id && !$0.isRunning }) { jobs[index].priority = priority.rawValue }
    start(now)
  }

  mutating func cancel(_ id: UInt64, _ now: Duration) {
    jobs.removeAll { $0.id == id && !$0.isRunning }
    start(now)
  }

  mutating func end(_ id: UInt64, _ now: Duration) {
    jobs.removeAll { $0.id == id && $0.isRunning }
    start(now)
  }

  /// Starts, one after the other, the best of those that may.
  mutating func start(_ now: Duration) {
    while jobs.count(where: \.isRunning) < config.maxConcurrent {
      let allowed = jobs.indices.filter { index in
        let job = jobs[index]
        guard !job.isRunning, job.startsAt <= now else { return false }
        if let key = throttleKey(job), let rests = throttled[key], rests > now { return false }
        return job.group == nil
          || jobs.count { $0.isRunning && $0.group == job.group } < config.maxConcurrentPerGroup
      }
      // The first of the highest level: they stand in the order in which they came.
      guard
        let best = allowed.max(by: { level(jobs[$0], now) < level(jobs[$1], now) }).map({ top in
          allowed.first { level(jobs[$0], now) == level(jobs[top], now) } ?? top
        })
      else { return }
      jobs[best].isRunning = true
      if let key = throttleKey(jobs[best]) { throttled[key] = now + (jobs[best].pacing?.throttle?.interval ?? .zero) }
      started.append(jobs[best].id)
    }
  }

  private func throttleKey(_ job: Job) -> String? { job.pacing?.throttle?.key }

  private func level(_ job: Job, _ now: Duration) -> Int {
    config.ageing > .zero ? job.priority + Int((now - job.queuedAt) / config.ageing) : job.priority
  }
}
