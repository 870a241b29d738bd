import Testing

@testable import Loading

@Suite struct CoalescerStateTests {
  @Test func L2_oneLivePieceOfWorkForAKey() {
    var state = CoalescerState<String>()
    #expect(state.joined(1, "a", priority: .medium) == .starts(work: 1))
    #expect(state.joined(2, "a", priority: .medium) == .joins(work: 1, changedTo: nil))
    #expect(state.joined(3, "b", priority: .medium) == .starts(work: 2))
    #expect(state.ended(1) == [1, 2])
    #expect(state.joined(4, "a", priority: .medium) == .starts(work: 3), "what is over is forgotten")
  }

  @Test func L2_whoAsksInTheInstantAfterTheLastHasLeftGetsFreshWork() {
    var state = CoalescerState<String>()
    _ = state.joined(1, "a", priority: .medium)
    #expect(state.left(1) == .cancels(work: 1))
    #expect(state.joined(2, "a", priority: .medium) == .starts(work: 2))
    let keeps = state.finishes(1)
    #expect(!keeps, "the dying one keeps nothing")
    #expect(state.ended(1) == nil, "and tells nobody")
    #expect(state.ended(2) == [2])
  }

  @Test func L2_whoJoinsInTheInstantOfFinishingIsServed() {
    var state = CoalescerState<String>()
    _ = state.joined(1, "a", priority: .medium)
    let keeps = state.finishes(1)
    #expect(keeps)
    #expect(state.left(1) == .stays(work: 1, loweredTo: nil), "its value is being kept: it goes on")
    #expect(state.joined(2, "a", priority: .high) == .joins(work: 1, changedTo: .high))
    #expect(state.ended(1) == [2])
  }

  @Test func L2_theTicketCarriesTheHighestPriorityOfThoseWhoWait() {
    var state = CoalescerState<String>()
    _ = state.joined(1, "a", priority: .low)
    #expect(state.joined(2, "a", priority: .high) == .joins(work: 1, changedTo: .high))
    #expect(state.joined(3, "a", priority: .medium) == .joins(work: 1, changedTo: nil))
    #expect(state.left(2) == .stays(work: 1, loweredTo: .medium))
    #expect(state.reprioritised(1, to: .high)?.priority == .high)
    #expect(state.reprioritised(3, to: .low) == nil, "the other still is high")
    #expect(state.priority(of: 1) == .high)
  }

  @Test func L2_abandonedWorkThatMayLingerGoesOnForWhoeverAsksNext() {
    var state = CoalescerState<String>(lingers: true)
    _ = state.joined(1, "a", priority: .medium)
    #expect(state.left(1) == .stays(work: 1, loweredTo: nil))
    #expect(state.dropAbandoned(unless: "a") == nil)
    #expect(state.joined(2, "a", priority: .high) == .joins(work: 1, changedTo: .high))
    #expect(state.dropAbandoned(unless: "b") == nil, "somebody waits for it again")
    #expect(state.left(2) == .stays(work: 1, loweredTo: nil))
    #expect(state.ended(1) == [], "it ends alive, and nobody waits")
    #expect(state.dropAbandoned() == nil)
    #expect(state.count == 0)
  }

  @Test func L2_onePieceOfAbandonedWorkLingersAtMost() {
    var state = CoalescerState<String>(lingers: true)
    _ = state.joined(1, "a", priority: .medium)
    _ = state.joined(2, "b", priority: .medium)
    _ = state.left(1)
    #expect(state.left(2) == .cancels(work: 1), "the earlier one goes")
    #expect(state.ended(1) == nil)
    #expect(state.dropAbandoned(unless: "c") == 2, "so does this one, as another key is asked for")
    #expect(!state.isLoading("b"))
    #expect(state.joined(3, "b", priority: .medium) == .starts(work: 3))
    let keeps = state.finishes(3)
    #expect(keeps)
    #expect(state.left(3) == .stays(work: 3, loweredTo: nil))
    #expect(state.dropAbandoned() == nil, "its value is being kept")
    #expect(state.count == 1)
  }

  // MARK: - Every order

  /// Three who come and may leave or change their minds, and work that finishes, ends or fails: every order of it, against
  /// a list of who waits.
  @Test func L2_everyOrderOfComingLeavingFinishingAndFailing() {
    var ends = 0
    play(Play(), depth: 0, &ends)
    #expect(ends > 20_000)
  }

  private struct Play {
    var state = CoalescerState<Int>()
    /// Of each who came: the work that serves it; nil once it has left or was served.
    var serving: [UInt64: UInt64] = [:]
    var came: UInt64 = 0
    var priorities: [UInt64: LoadPriority] = [:]
    /// Works that have been started and not ended by the test, dead ones too.
    var running: [UInt64] = []
    var finishing: Set<UInt64> = []
    var trace: [String] = []

    func waiters(of work: UInt64) -> [UInt64] { serving.filter { $0.value == work }.keys.sorted() }
  }

  private func play(_ now: Play, depth: Int, _ ends: inout Int) {
    for work in now.running {
      let waiters = now.waiters(of: work)
      let highest = waiters.compactMap { now.priorities[$0] }.max()
      if !waiters.isEmpty, now.state.priority(of: work) != highest {
        Issue.record("work \(work) runs at another priority than \(String(describing: highest)): \(now.trace)")
        return
      }
    }
    guard depth < 7 else {
      ends += 1
      return
    }
    if now.came < 3 {
      for priority in [LoadPriority.low, .high] {
        var next = now
        next.came += 1
        let live = next.running.last { !next.waiters(of: $0).isEmpty || next.finishing.contains($0) }
        let joining = next.state.joined(next.came, 1, priority: priority)
        next.priorities[next.came] = priority
        switch joining {
        case .starts(let work):
          if live != nil { Issue.record("two live pieces of work: \(now.trace)") }
          next.serving[next.came] = work
          next.running.append(work)
        case .joins(let work, _):
          if live != work { Issue.record("joined a dead piece of work: \(now.trace)") }
          next.serving[next.came] = work
        }
        next.trace.append("\(next.came) comes at \(priority.rawValue)")
        play(next, depth: depth + 1, &ends)
      }
    }
    for (waiter, work) in now.serving {
      var next = now
      next.serving[waiter] = nil
      let isLast = next.waiters(of: work).isEmpty && !next.finishing.contains(work)
      let leaving = next.state.left(waiter)
      if isLast != (leaving == .cancels(work: work)) { Issue.record("\(leaving) as \(waiter) left: \(now.trace)") }
      next.trace.append("\(waiter) leaves")
      play(next, depth: depth + 1, &ends)

      var raised = now
      raised.priorities[waiter] = .medium
      _ = raised.state.reprioritised(waiter, to: .medium)
      raised.trace.append("\(waiter) is medium")
      play(raised, depth: depth + 1, &ends)
    }
    for work in now.running {
      let waiters = now.waiters(of: work)
      let isAlive = !waiters.isEmpty || now.finishing.contains(work)
      if !now.finishing.contains(work) {
        var next = now
        if next.state.finishes(work) != isAlive { Issue.record("a dead piece of work keeps its value: \(now.trace)") }
        if isAlive { next.finishing.insert(work) } else { next.running.removeAll { $0 == work } }
        next.trace.append("\(work) finishes")
        play(next, depth: depth + 1, &ends)
      }
      var next = now
      let served = next.state.ended(work)
      if served != (isAlive ? waiters : nil) { Issue.record("served \(served ?? []) and not \(waiters): \(now.trace)") }
      for waiter in waiters { next.serving[waiter] = nil }
      next.finishing.remove(work)
      next.running.removeAll { $0 == work }
      next.trace.append("\(work) ends")
      play(next, depth: depth + 1, &ends)
    }
  }
}
