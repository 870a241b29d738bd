import Foundation
import Loading
import Testing

@testable import LoadingHTTP

/// Plays events on a budget's decisions and holds what they answer against H1, by its own count of what goes on.
struct BudgetHarness {
  struct Request {
    var host: BudgetHost
    var priority: LoadPriority
    var order: Int
    var isOut = false
    var isAnswered = false
  }

  /// What the host said last, as far as it was heard.
  struct Known {
    var closedUntil: Duration?
    /// Nobody has been served since the last closing; at most one may go out at a time.
    var needsProbe = false
    var probe: UInt64?
  }

  let maxPerHost: Int
  let cap: Duration
  var state: BudgetState
  var now = Duration.zero
  var requests: [UInt64: Request] = [:]
  var hosts: [BudgetHost: Known] = [:]
  var wakesAt: Duration?
  var nextOrder = 0
  var everStarted: Set<UInt64> = []
  var problems: [String] = []

  init(maxPerHost: Int, cap: Duration = .seconds(60)) {
    self.maxPerHost = maxPerHost
    self.cap = cap
    state = BudgetState(maxPerHost: maxPerHost, maxCoolDown: cap)
  }

  static func host(_ number: Int) -> BudgetHost {
    guard let url = URL(string: "https://h\(number).example"), let host = BudgetHost(url) else {
      preconditionFailure("no host \(number)")
    }
    return host
  }

  // MARK: - Events

  mutating func ask(_ id: UInt64, _ host: BudgetHost, _ priority: LoadPriority) {
    nextOrder += 1
    requests[id] = Request(host: host, priority: priority, order: nextOrder)
    obey(state.asked(id, host, priority: priority, now: now))
  }

  mutating func change(_ id: UInt64, to priority: LoadPriority) {
    requests[id]?.priority = priority
    obey(state.reprioritised(id, to: priority, now: now))
  }

  mutating func cancel(_ id: UInt64) {
    let (wasWaiting, actions) = state.cancelled(id, now: now)
    if wasWaiting != (requests[id].map { !$0.isOut } ?? false) { problems.append("\(id): waiting is \(wasWaiting)") }
    if wasWaiting { requests[id] = nil }
    obey(actions)
  }

  mutating func answer(_ id: UInt64, _ answer: BudgetState.Answer) {
    guard let host = requests[id]?.host else { return }
    requests[id]?.isAnswered = true
    var known = hosts[host] ?? Known()
    switch answer {
    case .served where known.probe == id && known.closedUntil == nil: known = Known()
    case .served: break
    case .refused(let delay?):
      let until = now + min(delay, cap)
      known.closedUntil = max(known.closedUntil ?? .zero, until)
      known.needsProbe = true
      known.probe = nil
    case .refused(nil): if known.probe == id { known.probe = nil }
    }
    hosts[host] = known
    expire()
    obey(state.answered(id, host, answer, now: now))
  }

  mutating func end(_ id: UInt64) {
    guard let request = requests.removeValue(forKey: id) else { return }
    if hosts[request.host]?.probe == id { hosts[request.host]?.probe = nil }
    obey(state.ended(id, now: now))
  }

  /// Lets time pass, waking the state where it asked for it.
  mutating func pass(_ duration: Duration) {
    let target = now + duration
    while let wake = wakesAt, wake <= target {
      now = max(now, wake)
      wakesAt = nil
      expire()
      obey(state.timePassed(now: now))
    }
    now = target
    expire()
  }

  // MARK: - Judging

  private mutating func expire() {
    for (host, known) in hosts {
      if let until = known.closedUntil, until <= now { hosts[host]?.closedUntil = nil }
    }
  }

  private mutating func obey(_ actions: [BudgetState.Action]) {
    for action in actions {
      switch action {
      case .start(let id): start(id)
      case .wake(let moment): wakesAt = moment
      }
    }
    check()
  }

  private mutating func start(_ id: UInt64) {
    guard let request = requests[id], !request.isOut, everStarted.insert(id).inserted else {
      problems.append("\(id) started twice, or after it was cancelled")
      return
    }
    let known = hosts[request.host] ?? Known()
    if known.closedUntil != nil { problems.append("\(id) went out while its host was closed") }
    if known.needsProbe {
      if let probe = known.probe { problems.append("\(id) went out beside the probe \(probe)") }
      hosts[request.host]?.probe = id
    }
    for (other, rival) in requests where rival.host == request.host && !rival.isOut && other != id {
      let isBetter =
        rival.priority == request.priority ? rival.order < request.order : rival.priority > request.priority
      if isBetter { problems.append("\(id) went before \(other)") }
    }
    requests[id]?.isOut = true
    if out(request.host) > maxPerHost { problems.append("\(out(request.host)) at once") }
  }

  func out(_ host: BudgetHost) -> Int { requests.values.count { $0.host == host && $0.isOut } }

  /// That nobody waits in vain, and that the counts agree.
  private mutating func check() {
    var nextWake: Duration?
    for host in Set(requests.values.filter { !$0.isOut }.map(\.host)) {
      let known = hosts[host] ?? Known()
      if let until = known.closedUntil {
        nextWake = min(nextWake ?? until, until)
      } else if out(host) < maxPerHost && !(known.needsProbe && known.probe != nil) {
        problems.append("somebody waits for \(host.host), which could be asked")
      }
    }
    if wakesAt != nextWake {
      problems.append("wakes at \(String(describing: wakesAt)), not \(String(describing: nextWake))")
    }
    if state.waiting != requests.values.count(where: { !$0.isOut }) { problems.append("waiting is \(state.waiting)") }
    if state.running != requests.values.count(where: \.isOut) { problems.append("running is \(state.running)") }
  }

  /// Serves everything to its end; afterwards nobody may be left.
  mutating func drain() {
    for _ in 0..<(requests.count * 2 + 4) {
      for id in requests.filter({ $0.value.isOut }).keys.sorted() {
        answer(id, .served)
        end(id)
      }
      pass(cap)
    }
    if !requests.isEmpty { problems.append("\(requests.count) left over") }
  }
}
