import Loading
import PagingTesting
import Testing

/// The shell around the decisions: real tasks, real waiting, a clock that stands still.
@Suite(.timeLimit(.minutes(10))) struct LoadSchedulerTests {
  /// A scheduler of one slot that is taken until `stop` opens, and everything that runs after it, in order.
  private struct Busy {
    // Without ageing: on a busy machine real time would change the order.
    let scheduler = LoadScheduler(config: LoadSchedulerConfig(maxConcurrent: 1, ageing: .zero))
    let stop = Stop()
    let log = Log<String>()
    let holder: Task<Void, any Error>

    init() async {
      let (scheduler, stop, log) = (scheduler, stop, log)
      holder = Task {
        try await scheduler.run {
          log.add("holder")
          await stop.pass()
        }
      }
      await log.reached(1)
    }

    /// Queues a job that notes its name, and returns when it waits.
    func queue(_ name: String, _ ticket: LoadTicket = LoadTicket()) async -> Task<Void, any Error> {
      let (scheduler, log, before) = (scheduler, log, scheduler.load.waiting)
      let task = Task { try await scheduler.run(ticket) { log.add(name) } }
      await until { scheduler.load.waiting == before + 1 }
      return task
    }
  }

  @Test(arguments: [1, 3, 6]) func L1_neverMoreRunThanMayInAllAndInAGroup(most: Int) async throws {
    let scheduler = LoadScheduler(config: LoadSchedulerConfig(maxConcurrent: most, maxConcurrentPerGroup: 2))
    let (all, ofGroup) = (Crowd(), [Crowd(), Crowd(), Crowd()])
    await withTaskGroup(of: Void.self) { tasks in
      for job in 0..<300 {
        tasks.addTask {
          let group = job % 3
          try? await scheduler.run(LoadTicket(), group: LoadGroup("\(group)")) {
            all.enter()
            ofGroup[group].enter()
            for _ in 0..<job % 7 { await Task.yield() }
            ofGroup[group].leave()
            all.leave()
            if job.isMultiple(of: 11) { throw Broken() }
          }
        }
      }
    }
    #expect(all.ever == 300)
    #expect(all.most <= most)
    #expect(ofGroup.allSatisfy { $0.most <= 2 })
    #expect(scheduler.load == (0, 0))
  }

  @Test func L1_asManyRunAtTheSameTimeAsMay() async throws {
    let (scheduler, stop, log) = (
      LoadScheduler(config: LoadSchedulerConfig(maxConcurrent: 3, ageing: .zero)), Stop(), Log<Int>()
    )
    let tasks = (0..<5).map { job in
      Task {
        try await scheduler.run {
          log.add(job)
          await stop.pass()
        }
      }
    }
    await log.reached(3)
    await until { scheduler.load == (2, 3) }
    stop.open()
    for task in tasks { try await task.value }
    #expect(log.count == 5)
  }

  @Test func L1_returnsWhatTheWorkReturnsAndThrowsWhatItThrows() async throws {
    let scheduler = LoadScheduler()
    #expect(try await scheduler.run { 42 } == 42)
    await #expect(throws: Broken.self) { try await scheduler.run { throw Broken() } }
    #expect(scheduler.load == (0, 0))
  }

  @Test func L1_whatIsCancelledBeforeItsTurnNeverStartsAndLeavesAtOnce() async throws {
    let busy = await Busy()
    let task = await busy.queue("cancelled")
    let other = await busy.queue("other")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(busy.scheduler.load == (1, 1), "it has gone while the slot was still taken")
    busy.stop.open()
    try await other.value
    #expect(busy.log.entries == ["holder", "other"])
  }

  /// Its turn has come, and its actor is busy: it is cancelled before it gets to its work.
  @Test @MainActor func L1_whatIsCancelledBetweenItsTurnAndItsStartNeverStarts() async throws {
    let busy = await Busy()
    let task = Task { @MainActor in try await busy.scheduler.run { busy.log.add("ran") } }
    await until { busy.scheduler.load.waiting == 1 }
    busy.stop.open()
    // Nothing here gives up the main actor, which the task needs to go on.
    while busy.scheduler.load.waiting == 1 {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(busy.log.entries == ["holder"])
    #expect(busy.scheduler.load == (0, 0))
  }

  @Test func L1_aTaskThatIsCancelledAlreadyNeverStarts() async throws {
    let (scheduler, log) = (LoadScheduler(), Log<String>())
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await scheduler.run { log.add("ran") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.count == 0)
    #expect(scheduler.load == (0, 0))
  }

  @Test func L1_aTicketThatIsRaisedWhileItWaitsMovesUp() async throws {
    let busy = await Busy()
    let ticket = LoadTicket(priority: .low)
    let tasks = [await busy.queue("first"), await busy.queue("second"), await busy.queue("raised", ticket)]
    ticket.priority = .high
    busy.stop.open()
    for task in tasks { try await task.value }
    #expect(busy.log.entries == ["holder", "raised", "first", "second"])
  }

  @Test func L1_aTicketThatIsLoweredWhileItWaitsMovesDown() async throws {
    let busy = await Busy()
    let ticket = LoadTicket(priority: .high)
    let tasks = [await busy.queue("lowered", ticket), await busy.queue("first"), await busy.queue("second")]
    ticket.priority = .low
    busy.stop.open()
    for task in tasks { try await task.value }
    #expect(busy.log.entries == ["holder", "first", "second", "lowered"])
  }

  @Test func L1_oneTicketMayBeTheWordForManyJobs() async throws {
    let busy = await Busy()
    let ticket = LoadTicket(priority: .low)
    var tasks = [await busy.queue("a", ticket), await busy.queue("b", ticket), await busy.queue("other")]
    #expect(ticket.observerCount == 2)
    ticket.priority = .high
    tasks.append(await busy.queue("c", ticket))
    busy.stop.open()
    for task in tasks { try await task.value }
    #expect(busy.log.entries == ["holder", "a", "b", "c", "other"])
    #expect(ticket.observerCount == 0)
  }

  /// A priority that is changed again and again while the job is being queued, starts and ends: it starts once, and its
  /// ticket is left alone.
  @Test func L1_aTicketMayBeRaisedWhileItsJobStarts() async throws {
    let scheduler = LoadScheduler(config: LoadSchedulerConfig(maxConcurrent: 2, ageing: .zero))
    let crowd = Crowd()
    let tickets = (0..<200).map { _ in LoadTicket() }
    await withTaskGroup(of: Void.self) { tasks in
      for ticket in tickets {
        tasks.addTask {
          try? await scheduler.run(ticket) {
            crowd.enter()
            crowd.leave()
          }
        }
        tasks.addTask { for level in 0..<20 { ticket.priority = LoadPriority(rawValue: level % 3) } }
      }
    }
    #expect(crowd.ever == 200)
    #expect(scheduler.load == (0, 0))
    #expect(tickets.allSatisfy { $0.observerCount == 0 })
  }

  @Test func L1_whateverIsChangedLastOnATicketHolds() async throws {
    for round in 0..<50 {
      let busy = await Busy()
      let ticket = LoadTicket()
      let changed = await busy.queue("changed", ticket)
      let other = await busy.queue("other")
      await withTaskGroup(of: Void.self) { tasks in
        for level in [-1, 1] {
          tasks.addTask { for _ in 0..<30 { ticket.priority = LoadPriority(rawValue: level) } }
        }
      }
      let last = ticket.priority
      busy.stop.open()
      try await changed.value
      try await other.value
      let expected = last == .high ? ["holder", "changed", "other"] : ["holder", "other", "changed"]
      #expect(busy.log.entries == expected, "round \(round)")
    }
  }

  @Test func L1_workMayCancelItselfAndOthersAndQueueMore() async throws {
    let busy = await Busy()
    let (scheduler, log) = (busy.scheduler, busy.log)
    let victim = await busy.queue("victim")
    let canceller = Task {
      try await scheduler.run(LoadTicket(priority: .high)) {
        victim.cancel()
        withUnsafeCurrentTask { $0?.cancel() }
        #expect(Task.isCancelled)
        Task { try await scheduler.run { log.add("more") } }
        log.add("canceller")
      }
    }
    await until { scheduler.load.waiting == 2 }
    busy.stop.open()
    await #expect(throws: CancellationError.self) { try await victim.value }
    try await canceller.value
    await log.reached(3)
    #expect(log.entries == ["holder", "canceller", "more"])
    await until { scheduler.load == (0, 0) }
  }

  @Test func L1_workThatIgnoresCancellationHoldsItsSlot() async throws {
    let busy = await Busy()
    busy.holder.cancel()
    let next = await busy.queue("next")
    #expect(busy.scheduler.load == (1, 1))
    #expect(busy.log.entries == ["holder"])
    busy.stop.open()
    try await next.value
    try await busy.holder.value
  }

  @Test func L1_cancellationReachesTheWorkThatRuns() async throws {
    let (scheduler, gate) = (LoadScheduler(), Gate())
    let task = Task { try await scheduler.run { try await gate.pass() } }
    await gate.waiting(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scheduler.load == (0, 0))
  }

  /// Jobs that come, are cancelled and change their minds from eight tasks at once: each ends once, one way or the other.
  @Test func L1_nothingIsLostWhereAllHappensAtOnce() async throws {
    let scheduler = LoadScheduler(
      config: LoadSchedulerConfig(maxConcurrent: 3, maxConcurrentPerGroup: 2, ageing: .zero))
    let (crowd, ended, cancelled) = (Crowd(), Log<Int>(), Log<Int>())
    await withTaskGroup(of: Void.self) { tasks in
      for worker in 0..<8 {
        tasks.addTask {
          var chance = SeededGenerator(seed: UInt64(worker))
          for round in 0..<150 {
            let ticket = LoadTicket(priority: LoadPriority(rawValue: Int.random(in: -1...1, using: &chance)))
            let group: LoadGroup? = [nil, "a", "b"].randomElement(using: &chance) ?? nil
            let number = worker * 1_000 + round
            let job = Task {
              do {
                try await scheduler.run(ticket, group: group) {
                  crowd.enter()
                  await Task.yield()
                  crowd.leave()
                }
                ended.add(number)
              } catch { cancelled.add(number) }
            }
            if Bool.random(using: &chance) { await Task.yield() }
            if Bool.random(using: &chance) { ticket.priority = .high }
            if Bool.random(using: &chance) { job.cancel() }
            if round.isMultiple(of: 3) { await job.value }
          }
        }
      }
    }
    await until { ended.count + cancelled.count == 1_200 }
    #expect(Set(ended.entries + cancelled.entries).count == 1_200)
    #expect(ended.count == crowd.ever)
    #expect(crowd.most <= 3)
    #expect(crowd.now == 0)
    #expect(scheduler.load == (0, 0))
  }

  @Test func L1_nothingIsLeftBehind() async throws {
    var busy: Busy? = await Busy()
    weak let scheduler = busy?.scheduler
    let ticket = LoadTicket()
    let task = await busy?.queue("waits", ticket)
    task?.cancel()
    busy?.stop.open()
    _ = await task?.result
    _ = await busy?.holder.result
    #expect(ticket.observerCount == 0)
    busy = nil
    await until { scheduler == nil }
  }
}
