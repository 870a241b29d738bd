@testable import Loading

/// What ten thousand jobs in line cost a scheduler: all are queued and re-prioritised, half are cancelled, the others run.
///
/// First the decisions alone, then the whole of it with its tasks, tickets and continuations.
@main enum SchedulerJobs {
  static func main() async throws {
    let count = CommandLine.arguments.dropFirst().compactMap { Int($0) }.first ?? 10_000
    if CommandLine.arguments.contains("--json") {
      let times = (0..<31).map { _ in decisions(jobs: count, groups: 10) }.sorted()
      return print(
        #"[{"workload":"scheduler: a job of \#(count) in 10 groups, re-prioritised, half cancelled","unit":"nanoseconds","#
          + #""ours":\#(times[times.count / 2]),"asked":2000}]"#)
    }
    for (name, groups) in [("no groups", 0), ("10 groups", 10)] {
      let times = (0..<31).map { _ in decisions(jobs: count, groups: groups) }.sorted()
      print("\(count) jobs, decisions alone, \(name): \(Int(times[times.count / 2])) ns a job (asked: 2000)")
    }
    var times: [Double] = []
    var bare: [Double] = []
    for _ in 0..<9 {
      times.append(await whole(jobs: count))
      bare.append(await tasks(count))
    }
    let (median, tasks) = (times.sorted()[times.count / 2], bare.sorted()[bare.count / 2])
    print("\(count) jobs, all of it: \(Int(median)) ns a job; as many tasks that do nothing: \(Int(tasks)) ns each")
  }

  private static func decisions(jobs count: Int, groups: Int) -> Double {
    let ids = (0..<UInt64(count)).shuffled()
    let priorities: [LoadPriority] = [.low, .medium, .high]
    let names = (0..<groups).map { LoadGroup("host \($0)") }
    var state = SchedulerState(config: LoadSchedulerConfig())
    var running: [UInt64] = []
    func note(_ actions: [SchedulerState.Action]) {
      for case .start(let id) in actions { running.append(id) }
    }
    let start = ContinuousClock.now
    for id in 0..<UInt64(count) {
      let group = groups == 0 ? nil : names[Int(id) % groups]
      note(state.queued(id, priority: .medium, group: group, now: .microseconds(id)))
    }
    let now = Duration.seconds(1)
    for id in ids { note(state.reprioritised(id, from: .medium, to: priorities[Int(id % 3)], now: now)) }
    for id in ids.prefix(count / 2) { note(state.cancelled(id, now: now).actions) }
    while let id = running.popLast() { note(state.ended(id, now: now)) }
    let time = ContinuousClock.now - start
    precondition(state.count == 0)
    return time / .nanoseconds(1) / Double(count)
  }

  private static func whole(jobs count: Int) async -> Double {
    let scheduler = LoadScheduler()
    let tickets = (0..<count).map { _ in LoadTicket() }
    let priorities: [LoadPriority] = [.low, .medium, .high]
    let start = ContinuousClock.now
    let tasks = tickets.map { ticket in Task { try await scheduler.run(ticket) { await Task.yield() } } }
    for (number, ticket) in tickets.enumerated() { ticket.priority = priorities[number % 3] }
    for number in stride(from: 0, to: count, by: 2) { tasks[number].cancel() }
    for task in tasks { _ = await task.result }
    return (ContinuousClock.now - start) / .nanoseconds(1) / Double(count)
  }

  private static func tasks(_ count: Int) async -> Double {
    let start = ContinuousClock.now
    let tasks = (0..<count).map { _ in Task { await Task.yield() } }
    for task in tasks { await task.value }
    return (ContinuousClock.now - start) / .nanoseconds(1) / Double(count)
  }
}
