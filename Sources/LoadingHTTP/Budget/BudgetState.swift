import Loading

/// Whom a budget counts by: scheme, name and port (RFC 6454, section 4).
typealias BudgetHost = Origin

/// Which request goes out when: every decision of a host budget, with no lock, no task and no clock.
///
/// A host's gate is
///
/// | gate | and requests |
/// |---|---|
/// | open | go out by priority, then by age, up to the limit |
/// | closed until | wait: the host asked to be left alone |
/// | probing | wait for one of them, which goes first and finds out whether the host can be asked again |
///
/// Only the probe's answer opens the gate again: an answer to a request that went out before the refusal says nothing
/// of the time after it. A probe that ends without an answer leaves its place to the next in line.
///
/// `now` is the time since the budget was made. An event costs O(log n) for each request that it starts or moves.
/// Memory: the requests that wait or run, and each host that was refused and not asked again; those whose time is up
/// are swept as their number doubles.
struct BudgetState {
  /// What the shell is to do after an event.
  enum Action: Equatable {
    /// Let that request go out.
    case start(UInt64)
    /// Call ``timePassed(now:)`` at that moment, nil for never, and at none that was asked for before.
    case wake(at: Duration?)
  }

  /// What the head of an answer says of its host.
  enum Answer: Equatable {
    /// The host serves.
    case served
    /// 429 or 503, with the time to wait if it gave one.
    case refused(Duration?)
  }

  private enum Gate: Equatable {
    case open
    case closed(until: Duration)
    /// The request that went out first; nil while nobody has asked yet.
    case probing(UInt64?)
  }

  private struct Host {
    let number: UInt64
    var gate = Gate.open
    var running: Set<UInt64> = []
    var waiting = PriorityHeap<JobRank>()

    var isIdle: Bool { running.isEmpty && waiting.isEmpty }
  }

  private let maxPerHost: Int
  private let maxCoolDown: Duration
  private var hosts: [BudgetHost: Host] = [:]
  /// Where each waiting or running request goes.
  private var places: [UInt64: BudgetHost] = [:]
  private var orders: [UInt64: UInt64] = [:]
  /// The hosts that somebody waits for, by the time at which they may be asked again.
  private var resting = PriorityHeap<Duration>()
  private var named: [UInt64: BudgetHost] = [:]
  private var nextNumber: UInt64 = 0
  private var nextOrder: UInt64 = 0
  private var sweepsAt = 64
  private var wakesAt: Duration?
  private var out: [Action] = []

  init(maxPerHost: Int, maxCoolDown: Duration) {
    self.maxPerHost = max(1, maxPerHost)
    self.maxCoolDown = max(.zero, maxCoolDown)
  }

  /// How many requests wait.
  var waiting: Int { orders.count }
  /// How many requests are out.
  var running: Int { places.count - orders.count }
  /// How many hosts are remembered.
  var hostCount: Int { hosts.count }

  /// How long `host` is still to be left alone; nil when it may be asked.
  func coolDown(of host: BudgetHost, now: Duration) -> Duration? {
    guard case .closed(let until)? = hosts[host]?.gate, until > now else { return nil }
    return until - now
  }

  // MARK: - Events

  /// Somebody wants to ask `host`. `id` is of the caller's choice and was never used before.
  mutating func asked(_ id: UInt64, _ host: BudgetHost, priority: LoadPriority, now: Duration) -> [Action] {
    nextOrder += 1
    places[id] = host
    orders[id] = nextOrder
    if hosts[host] == nil {
      sweep(now: now)
      nextNumber += 1
      hosts[host] = Host(number: nextNumber)
      named[nextNumber] = host
    }
    hosts[host]?.waiting.insert(id, JobRank(level: priority.rawValue, order: nextOrder))
    return settle(host, now: now)
  }

  /// The ticket of a request says another priority. Has no effect once it is out.
  mutating func reprioritised(_ id: UInt64, to priority: LoadPriority, now: Duration) -> [Action] {
    guard let host = places[id], let order = orders[id] else { return [] }
    hosts[host]?.waiting.change(id, to: JobRank(level: priority.rawValue, order: order))
    return settle(host, now: now)
  }

  /// Whoever wanted to ask has gone. A request that is out keeps its slot until it has ended.
  ///
  /// - Returns: Whether it was waiting.
  mutating func cancelled(_ id: UInt64, now: Duration) -> (wasWaiting: Bool, actions: [Action]) {
    guard let host = places[id], orders.removeValue(forKey: id) != nil else { return (false, []) }
    places[id] = nil
    hosts[host]?.waiting.remove(id)
    return (true, settle(host, now: now))
  }

  /// The head of an answer arrived. Comes at most once for a request, before its end or after it.
  mutating func answered(_ id: UInt64, _ host: BudgetHost, _ answer: Answer, now: Duration) -> [Action] {
    switch answer {
    case .served:
      if hosts[host]?.gate == .probing(id) { hosts[host]?.gate = .open }
    case .refused(let delay?):
      close(host, until: now + min(max(.zero, delay), maxCoolDown))
    case .refused(nil):
      // No time was told, so nobody is held up by it; but a gate isn't opened by it either.
      if hosts[host]?.gate == .probing(id) { hosts[host]?.gate = .probing(nil) }
    }
    return settle(host, now: now)
  }

  /// A request that was out has ended: its answer is complete, it failed, or nobody wants the rest.
  mutating func ended(_ id: UInt64, now: Duration) -> [Action] {
    guard let host = places[id], hosts[host]?.running.remove(id) != nil else { return [] }
    places[id] = nil
    if hosts[host]?.gate == .probing(id) { hosts[host]?.gate = .probing(nil) }
    return settle(host, now: now)
  }

  /// As much time has passed as a `wake` asked for.
  mutating func timePassed(now: Duration) -> [Action] {
    while let due = resting.firstRank, due <= now, let number = resting.first {
      resting.remove(number)
      if let host = named[number] { place(host, now: now) }
    }
    return finish()
  }

  // MARK: - Deciding

  private mutating func close(_ host: BudgetHost, until moment: Duration) {
    if hosts[host] == nil {
      nextNumber += 1
      hosts[host] = Host(number: nextNumber)
      named[nextNumber] = host
    }
    // Of two refusals the one that asks for more time counts.
    if case .closed(let earlier)? = hosts[host]?.gate, earlier > moment { return }
    hosts[host]?.gate = .closed(until: moment)
  }

  private mutating func settle(_ host: BudgetHost, now: Duration) -> [Action] {
    place(host, now: now)
    return finish()
  }

  private mutating func finish() -> [Action] {
    if resting.firstRank != wakesAt {
      wakesAt = resting.firstRank
      out.append(.wake(at: wakesAt))
    }
    defer { out = [] }
    return out
  }

  /// Lets out of one host's line whom its gate and its limit allow.
  private mutating func place(_ name: BudgetHost, now: Duration) {
    guard var host = hosts.removeValue(forKey: name) else { return }
    if case .closed(let until) = host.gate, until <= now { host.gate = .probing(nil) }
    while let id = host.waiting.first, host.running.count < maxPerHost {
      guard host.gate == .open || host.gate == .probing(nil) else { break }
      if host.gate == .probing(nil) { host.gate = .probing(id) }
      host.waiting.remove(id)
      host.running.insert(id)
      orders[id] = nil
      out.append(.start(id))
    }
    if case .closed(let until) = host.gate, !host.waiting.isEmpty {
      resting.insert(host.number, until)
    } else {
      resting.remove(host.number)
    }
    if host.isIdle && host.gate == .open { named[host.number] = nil } else { hosts[name] = host }
  }

  /// Forgets the hosts that nobody asked again after their time was up.
  private mutating func sweep(now: Duration) {
    guard hosts.count >= sweepsAt else { return }
    for (name, host) in hosts where host.isIdle {
      if case .closed(let until) = host.gate, until > now { continue }
      named[host.number] = nil
      hosts[name] = nil
    }
    sweepsAt = max(64, hosts.count * 2)
  }
}
