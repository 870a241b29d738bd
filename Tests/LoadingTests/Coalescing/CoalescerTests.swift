import PagingTesting
import Synchronization
import Testing

@testable import Loading

/// The shell around the decisions: real tasks that come, leave and fail at once.
@Suite(.timeLimit(.minutes(10))) struct CoalescerTests {
  private typealias Pages = Coalescer<String, Int>

  /// A coalescer whose works can be waited for to the end, also where nobody gets what they bring.
  private static func noting(_ works: Log<Task<Void, Never>>) -> Pages {
    Pages(begin: { work in
      let task = Task.detached(operation: work)
      works.add(task)
      return task
    })
  }

  @Test func L2_aThousandWaitersOnOneKeyAreServedByOneLoad() async throws {
    let (pages, loads, stop) = (Pages(), Crowd(), Stop())
    let kept = Log<Int>()
    let tasks = (0..<1_000).map { _ in
      Task {
        try await pages.value(
          for: "7",
          load: { _ in
            loads.enter()
            await stop.pass()
            return 42
          }, keep: { kept.add($0) })
      }
    }
    await until { pages.statistics == CoalescerStatistics(starts: 1, joins: 999) }
    stop.open()
    for task in tasks { #expect(try await task.value == 42) }
    #expect(loads.ever == 1)
    #expect(kept.entries == [42])
    #expect(!pages.isLoading("7"))
  }

  @Test func L2_otherKeysLoadBesides() async throws {
    let pages = Pages()
    let (first, second) = (Gate(), Gate())
    let a = Task {
      try await pages.value(
        for: "a",
        load: { _ in
          try await first.pass()
          return 1
        })
    }
    let b = Task {
      try await pages.value(
        for: "b",
        load: { _ in
          try await second.pass()
          return 2
        })
    }
    await first.waiting(atLeast: 1)
    await second.waiting(atLeast: 1)
    second.open()
    #expect(try await b.value == 2)
    first.open()
    #expect(try await a.value == 1)
  }

  @Test func L2_aFailureReachesEveryWaiterAndIsNotRemembered() async throws {
    let (pages, stop) = (Pages(), Stop())
    let kept = Log<Int>()
    let tasks = (0..<50).map { _ in
      Task {
        try await pages.value(
          for: "7",
          load: { _ in
            await stop.pass()
            throw Broken()
          }, keep: { kept.add($0) })
      }
    }
    await until { pages.statistics.joins == 49 }
    stop.open()
    for task in tasks { await #expect(throws: Broken.self) { try await task.value } }
    #expect(try await pages.value(for: "7", load: { _ in 1 }) == 1)
    #expect(pages.statistics.starts == 2)
    #expect(kept.entries == [])
  }

  /// Work that fails at once, while others join it: each of them gets that failure or fresh work, and none waits for good.
  @Test func L2_whoJoinsWhileItFailsIsServedToo() async throws {
    let pages = Pages()
    let loads = Crowd()
    let failures = Crowd()
    await withTaskGroup(of: Void.self) { tasks in
      for _ in 0..<8 {
        tasks.addTask {
          for _ in 0..<300 {
            do {
              _ = try await pages.value(
                for: "7",
                load: { _ in
                  loads.enter()
                  throw Broken()
                })
            } catch { failures.enter() }
          }
        }
      }
    }
    #expect(failures.ever == 2_400)
    #expect(loads.ever == pages.statistics.starts)
    #expect(pages.statistics.starts + pages.statistics.joins == 2_400)
  }

  @Test func L2_aWaiterThatIsCancelledLeavesAtOnceAndTheOthersStay() async throws {
    let (pages, stop, log) = (Pages(), Stop(), Log<Bool>())
    let load: @Sendable @concurrent (LoadTicket) async throws -> Int = { _ in
      await stop.pass()
      log.add(Task.isCancelled)
      return 42
    }
    let leaver = Task { try await pages.value(for: "7", load: load) }
    await until { pages.statistics.starts == 1 }
    let stayer = Task { try await pages.value(for: "7", load: load) }
    await until { pages.statistics.joins == 1 }
    leaver.cancel()
    await #expect(throws: CancellationError.self) { try await leaver.value }
    #expect(pages.isLoading("7"))
    stop.open()
    #expect(try await stayer.value == 42)
    #expect(log.entries == [false])
  }

  @Test func L2_theLastToLeaveCancelsTheWorkWhichKeepsNothing() async throws {
    let works = Log<Task<Void, Never>>()
    let (pages, stop, begun, ended) = (Self.noting(works), Stop(), Log<Int>(), Log<Bool>())
    let kept = Log<Int>()
    let dying = Task {
      try await pages.value(
        for: "7",
        load: { _ in
          begun.add(1)
          await stop.pass()
          ended.add(Task.isCancelled)
          return 1
        }, keep: { kept.add($0) })
    }
    await begun.reached(1)
    dying.cancel()
    await #expect(throws: CancellationError.self) { try await dying.value }
    #expect(!pages.isLoading("7"))

    #expect(try await pages.value(for: "7", load: { _ in 2 }, keep: { kept.add($0) }) == 2)
    stop.open()
    await works.entries.first?.value
    #expect(ended.entries == [true])
    #expect(kept.entries == [2])
    #expect(pages.statistics == CoalescerStatistics(starts: 2, joins: 0))
  }

  /// The last one leaves and another one joins at the same time: it is served by that work or by fresh work, and what is
  /// thrown away is never kept.
  @Test func L2_whoJoinsAsTheLastLeavesIsServed() async throws {
    for round in 0..<400 {
      let (pages, gate) = (Pages(), Gate())
      let kept = Log<Int>()
      let began = Mutex(0)
      let load: @Sendable @concurrent (LoadTicket) async throws -> Int = { _ in
        let number = began.withLock { count in
          count += 1
          return count
        }
        try await gate.pass()
        return number
      }
      let leaver = Task { try await pages.value(for: "7", load: load, keep: { kept.add($0) }) }
      await gate.waiting(atLeast: 1)
      async let joined: Int = {
        try await pages.value(for: "7", load: load, keep: { kept.add($0) })
      }()
      leaver.cancel()
      _ = await leaver.result
      gate.open()
      let value = try await joined
      #expect(kept.entries == [value], "round \(round)")
      #expect(!pages.isLoading("7"))
    }
  }

  @Test func L2_theTicketCarriesTheHighestPriorityOfThoseWhoWait() async throws {
    let (pages, stop, tickets) = (Pages(), Stop(), Log<Ticket>())
    let load: @Sendable @concurrent (LoadTicket) async throws -> Int = { ticket in
      tickets.add(Ticket(ticket))
      await stop.pass()
      return 1
    }
    let (lowTicket, highTicket) = (LoadTicket(priority: .low), LoadTicket(priority: .high))
    let low = Task { try await pages.value(for: "7", ticket: lowTicket, load: load) }
    await tickets.reached(1)
    let ticket = try #require(tickets.entries.first?.ticket)
    #expect(ticket.priority == .low)

    let high = Task { try await pages.value(for: "7", ticket: highTicket, load: load) }
    await until { ticket.priority == .high }
    high.cancel()
    _ = await high.result
    #expect(ticket.priority == .low, "the one who was in a hurry has gone")
    lowTicket.priority = .medium
    #expect(ticket.priority == .medium, "a waiter's own ticket counts while it waits")
    stop.open()
    _ = try await low.value
    #expect(lowTicket.observerCount + highTicket.observerCount == 0)
    lowTicket.priority = .high
    #expect(ticket.priority == .medium)
  }

  @Test func L2_whateverIsChangedLastOnAWaitersTicketHolds() async throws {
    let (pages, stop, tickets) = (Pages(), Stop(), Log<Ticket>())
    let own = LoadTicket()
    let task = Task {
      try await pages.value(
        for: "7", ticket: own,
        load: { ticket in
          tickets.add(Ticket(ticket))
          await stop.pass()
          return 1
        })
    }
    await tickets.reached(1)
    let ticket = try #require(tickets.entries.first?.ticket)
    for _ in 0..<2_000 {
      await withTaskGroup(of: Void.self) { tasks in
        for level in -1...1 {
          tasks.addTask { for _ in 0..<20 { own.priority = LoadPriority(rawValue: level) } }
        }
      }
      #expect(ticket.priority == own.priority)
    }
    stop.open()
    _ = try await task.value
  }

  /// All who ask do so on one actor: who is counted as having joined has told the scheduler of its priority before
  /// anything else goes on here.
  @Test @MainActor func L2_aSchedulerFollowsTheWaitersPriority() async throws {
    let (pages, stop, log) = (Pages(), Stop(), Log<String>())
    let scheduler = LoadScheduler(config: LoadSchedulerConfig(maxConcurrent: 1, ageing: .zero))
    let holder = Task {
      try await scheduler.run {
        log.add("holder")
        await stop.pass()
      }
    }
    await log.reached(1)
    @Sendable func fetch(_ key: String, _ ticket: LoadTicket) -> Task<Int, any Error> {
      Task { @MainActor in
        try await pages.value(for: key, ticket: ticket) { ticket in
          try await scheduler.run(ticket) { log.add(key) }
          return 0
        }
      }
    }
    let wanted = LoadTicket(priority: .low)
    let tasks = [fetch("first", LoadTicket(priority: .low))]
    await until { scheduler.load.waiting == 1 }
    let later = fetch("wanted", wanted)
    await until { scheduler.load.waiting == 2 }
    let raised = fetch("wanted", LoadTicket(priority: .high))
    await until { pages.statistics.joins == 1 }
    stop.open()
    for task in tasks + [later, raised] { _ = try await task.value }
    try await holder.value
    #expect(log.entries == ["holder", "wanted", "first"])
  }

  /// The one who asks does so on this actor: when the test goes on, the coalescer knows the work's task.
  @Test @MainActor func L2_aLoadMayCancelItsOnlyWaiter() async throws {
    let works = Log<Task<Void, Never>>()
    let pages = Self.noting(works)
    let caller = Mutex<Task<Int, any Error>?>(nil)
    let ended = Log<Bool>()
    let (gate, kept) = (Gate(), Log<Int>())
    let task = Task { @MainActor in
      try await pages.value(
        for: "7",
        load: { _ in
          try await gate.pass()
          caller.withLock { $0 }?.cancel()
          ended.add(Task.isCancelled)
          return 1
        }, keep: { kept.add($0) })
    }
    caller.withLock { $0 = task }
    await gate.waiting(atLeast: 1)
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    await works.entries.first?.value
    #expect(ended.entries == [true])
    #expect(kept.entries == [])
  }

  @Test func L2_aCallerWhoIsCancelledAlreadyBeginsNothing() async throws {
    let (pages, loads) = (Pages(), Crowd())
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await pages.value(
        for: "7",
        load: { _ in
          loads.enter()
          return 1
        })
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(loads.ever == 0)
    #expect(pages.statistics == CoalescerStatistics())
  }

  /// Eight tasks, few keys, failures and cancellations: every call ends once, and a value is that of its key.
  @Test func L2_nothingIsLostWhereAllHappensAtOnce() async throws {
    let pages = Coalescer<Int, Int>()
    let (served, failed, cancelled) = (Crowd(), Crowd(), Crowd())
    let ticket = LoadTicket()
    await withTaskGroup(of: Void.self) { tasks in
      for worker in 0..<8 {
        tasks.addTask {
          var chance = SeededGenerator(seed: UInt64(worker))
          for _ in 0..<400 {
            let (key, fails) = (Int.random(in: 0..<5, using: &chance), Int.random(in: 0..<10, using: &chance) == 0)
            let caller = Task {
              do {
                let value = try await pages.value(for: key, ticket: ticket) { _ in
                  await Task.yield()
                  if fails { throw Broken() }
                  return key
                }
                #expect(value == key)
                served.enter()
              } catch is Broken { failed.enter() } catch { cancelled.enter() }
            }
            if Bool.random(using: &chance) { ticket.priority = LoadPriority(rawValue: worker) }
            if Int.random(in: 0..<3, using: &chance) == 0 { caller.cancel() }
            await caller.value
          }
        }
      }
    }
    #expect(served.ever + failed.ever + cancelled.ever == 3_200)
    #expect(ticket.observerCount == 0)
    #expect((0..<5).allSatisfy { !pages.isLoading($0) })
  }

  @Test func L2_nothingIsLeftBehind() async throws {
    var pages: Pages? = Pages()
    weak let gone = pages
    let gate = Gate()
    let task = Task { [pages] in
      try await pages?.value(
        for: "7",
        load: { _ in
          try await gate.pass()
          return 1
        })
    }
    await gate.waiting(atLeast: 1)
    task.cancel()
    _ = await task.result
    pages = nil
    await until { gone == nil }
    #expect(gate.waiting == 0)
  }
}

/// A ticket, told from others by being it.
private struct Ticket: Equatable {
  let ticket: LoadTicket

  init(_ ticket: LoadTicket) {
    self.ticket = ticket
  }

  static func == (a: Ticket, b: Ticket) -> Bool { a.ticket === b.ticket }
}
