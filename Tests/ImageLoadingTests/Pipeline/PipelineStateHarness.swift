import Loading

@testable import ImageLoading

/// Plays the shell to a pipeline's decisions, and watches that they keep their promises.
///
/// Every fault is written down with what was done until then, so that a test has something to show.
struct PipelineStateHarness {
  typealias State = PipelineState<Int>

  enum Step: Equatable {
    case look, work, keep
  }

  enum End: Equatable {
    case finished(String)
    case failed
    case abandoned
  }

  private struct Asked {
    let goal: String
    var priority: LoadPriority
    var isThere = true
    var end: End?
  }

  private(set) var state = State()
  /// What the shell is at, by stage, in the order in which it began.
  private(set) var running: [(stage: UInt64, step: Step)] = []
  private(set) var faults: [String] = []
  private(set) var log: [String] = []
  private(set) var cancelled: [UInt64] = []
  /// The work that was begun, by the last key of its chain.
  private(set) var works: [String] = []
  private var asked: [UInt64: Asked] = [:]
  private var tickets: [UInt64: LoadPriority] = [:]
  private var names: [UInt64: String] = [:]
  private var isClosed = false
  /// Done as soon as that waiter has heard of its end: from inside its callback.
  var onEnd: [UInt64: UInt64] = [:]

  /// The stages on the way to a path such as `b/d/round`, the bytes first.
  static func chain(_ path: String) -> [State.Name] {
    let fields = path.split(separator: "/").map(String.init)
    return fields.indices.map { State.Name(key(fields[...$0])) }
  }

  static func key(_ path: String) -> ImageKey { key(path.split(separator: "/").map(String.init)[...]) }

  private static func key(_ fields: ArraySlice<String>) -> ImageKey {
    fields.dropFirst().reduce(ImageKey(fields.first ?? "")) { $0.appending($1) }
  }

  // MARK: - Events

  mutating func join(_ waiter: UInt64, _ chain: [State.Name], _ priority: LoadPriority = .medium) {
    note("join \(waiter) \(chain.last?.key.text ?? "") \(priority.rawValue)")
    guard !isClosed else { return }
    asked[waiter] = Asked(goal: chain.last?.key.text ?? "", priority: priority)
    perform(state.joined(waiter, chain, priority: priority, job: Int(waiter)))
  }

  mutating func leave(_ waiter: UInt64) {
    note("leave \(waiter)")
    asked[waiter]?.isThere = false
    perform(state.left(waiter))
  }

  mutating func raise(_ waiter: UInt64, _ priority: LoadPriority) {
    note("raise \(waiter) \(priority.rawValue)")
    if asked[waiter]?.end == nil, asked[waiter]?.isThere == true { asked[waiter]?.priority = priority }
    perform(state.reprioritised(waiter, to: priority))
  }

  /// Ends what the shell is at, well or badly; a look finds nothing unless `finds`.
  mutating func advance(_ index: Int = 0, fails: Bool = false, finds: Bool = false, rejects: Bool = false) {
    guard index < running.count else { return }
    let (stage, step) = running.remove(at: index)
    note("\(step) of \(stage)\(fails ? " fails" : "")\(finds ? " finds" : "")\(rejects ? " rejects" : "")")
    switch step {
    case .look: perform(fails ? state.failed(stage) : state.looked(stage, found: finds))
    case .keep: perform(state.kept(stage))
    case .work:
      if fails {
        perform(state.failed(stage))
      } else if rejects, state.level(of: stage) == 1, let below = state.nodes[stage]?.below,
        let name = state.nodes[below]?.name, name.manner == 0
      {
        perform(state.rejected(stage, insteadUse: State.Name(name.key, manner: 1)))
      } else {
        perform(state.worked(stage))
      }
    }
  }

  mutating func suspend(_ isSuspended: Bool) {
    note("suspend \(isSuspended)")
    perform(state.suspended(isSuspended))
  }

  mutating func invalidate(_ path: String) {
    note("invalidate \(path)")
    state.invalidated { $0.key.text.hasPrefix(Self.key(path).text) }
    check()
  }

  mutating func close() {
    note("close")
    perform(state.closed())
    isClosed = true
  }

  /// Ends all that runs, until nothing does.
  mutating func drain() {
    suspend(false)
    var steps = 0
    while !running.isEmpty, steps < 10_000 {
      advance()
      steps += 1
    }
    if steps == 10_000 { fault("it never ends") }
    for (waiter, asked) in asked where asked.isThere && asked.end == nil { fault("waiter \(waiter) heard nothing") }
    if state.count > 0 { fault("stages are left: \(state.nodes.keys)") }
    if !state.live.isEmpty || !state.stageOf.isEmpty || !state.held.isEmpty { fault("something is remembered") }
  }

  // MARK: - What came of it

  func end(of waiter: UInt64) -> End? { asked[waiter]?.end }
  /// The priority that the shell works at for a key that is found.
  func priority(of path: String) -> LoadPriority? { state.live[State.Name(Self.key(path))].flatMap { tickets[$0] } }
  func count(of path: String) -> Int { works.count { $0 == Self.key(path).text } }

  // MARK: - The shell's part

  private mutating func perform(_ actions: [State.Action]) {
    var ended: [UInt64] = []
    for action in actions {
      switch action {
      case .look(let stage): begin(stage, .look)
      case .work(let stage): begin(stage, .work)
      case .keep(let stage): begin(stage, .keep)
      case .reprioritise(let stage):
        if tickets[stage] != nil { tickets[stage] = state.priority(of: stage) ?? tickets[stage] }
      case .cancel(let stage):
        cancelled.append(stage)
        forget(stage)
      case .drop(let stage): forget(stage)
      case .finish(let waiter, let stage):
        if names[stage] == nil { fault("finished by \(stage), of which nothing is known") }
        end(waiter, .finished(names[stage] ?? ""), &ended)
      case .fail(let waiter): end(waiter, .failed, &ended)
      case .abandon(let waiter): end(waiter, .abandoned, &ended)
      }
    }
    check()
    for waiter in ended { onEnd.removeValue(forKey: waiter).map { leave($0) } }
  }

  private mutating func begin(_ stage: UInt64, _ step: Step) {
    guard let node = state.nodes[stage] else { return fault("\(step) of \(stage), which is gone") }
    if running.contains(where: { $0.stage == stage }) { fault("\(stage) does two things at once") }
    if step == .work, let below = node.below, state.nodes[below]?.phase != .done { fault("\(stage) works on nothing") }
    if state.isSuspended, step != .keep { fault("\(stage) starts while nothing may") }
    names[stage] = node.name?.key.text
    if tickets[stage] == nil { tickets[stage] = node.priority }
    if step == .work { works.append(node.name?.key.text ?? "") }
    running.append((stage, step))
  }

  private mutating func forget(_ stage: UInt64) {
    running.removeAll { $0.stage == stage }
    tickets[stage] = nil
  }

  private mutating func end(_ waiter: UInt64, _ end: End, _ ended: inout [UInt64]) {
    guard let one = asked[waiter] else { return fault("waiter \(waiter) is unknown") }
    if !one.isThere { fault("waiter \(waiter) heard something after it left") }
    if one.end != nil { fault("waiter \(waiter) heard two ends") }
    if case .finished(let key) = end, key != one.goal { fault("waiter \(waiter) got \(key)") }
    asked[waiter]?.end = end
    ended.append(waiter)
  }

  private mutating func note(_ what: String) { log.append(what) }
  private mutating func fault(_ what: String) { faults.append("\(what), after: \(log.joined(separator: "; "))") }

  /// What holds between any two events.
  private mutating func check() {
    for (name, stage) in state.live where state.nodes[stage]?.name != name { fault("\(stage) has another name") }
    for (stage, node) in state.nodes {
      if node.users.isEmpty { fault("nobody waits for \(stage)") }
      if node.priority != node.users.values.max() { fault("\(stage) has the wrong priority") }
      for (user, priority) in node.users { check(user, of: stage, priority) }
      if node.phase == .waiting, node.below == nil { fault("\(stage) waits for nothing") }
      if let below = node.below, state.nodes[below] == nil { fault("what is below \(stage) has gone") }
      if let ticket = tickets[stage], ticket != node.priority { fault("the ticket of \(stage) is wrong") }
      let isHeld = state.held.contains(stage)
      if [.looking, .working, .keeping].contains(node.phase), !isHeld, !running.contains(where: { $0.stage == stage }) {
        fault("nothing runs for \(stage)")
      }
    }
    for one in running where state.nodes[one.stage] == nil { fault("\(one.step) of \(one.stage) goes on for nobody") }
    for (waiter, one) in asked where one.isThere && one.end == nil && state.stageOf[waiter] == nil {
      fault("waiter \(waiter) is forgotten")
    }
  }

  private mutating func check(_ user: State.User, of stage: UInt64, _ priority: LoadPriority) {
    switch user {
    case .waiter(let waiter):
      if asked[waiter]?.isThere != true || asked[waiter]?.end != nil { fault("\(stage) is kept by a waiter that left") }
      if asked[waiter]?.priority != priority { fault("\(stage) has another priority for waiter \(waiter)") }
    case .stage(let above):
      if state.nodes[above]?.below != stage { fault("\(stage) is kept by \(above), which doesn't need it") }
      if state.nodes[above]?.priority != priority { fault("\(stage) has another priority for \(above)") }
    }
  }
}
