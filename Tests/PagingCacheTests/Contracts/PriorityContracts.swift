import Loading
import PagingTesting
import Testing

@testable import PagingCache

/// C4 and the pace of loads.
@Suite(.timeLimit(.minutes(10))) struct PriorityContracts {
  /// A paginator with one slot, taken by page 1, and low work for the pages 2 to 8 queued behind.
  private func crowded(
    _ kit: Kit, _ gate: Gate
  ) async -> (Paginator<SampleItem>, [Task<SamplePage, any Error>]) {
    kit.source.hold("1", by: gate)
    let paginator = kit.paginator { $0.maxConcurrent = 1 }
    var tasks = [await paginator.fetching("1")]
    await gate.waiting(atLeast: 1)
    for number in 2...8 {
      tasks.append(await paginator.fetching("\(number)", priority: .low))
      await until { paginator.scheduler.load.waiting == number - 1 }
    }
    return (paginator, tasks)
  }

  @Test func C4_withTheQueueFullOfLowWorkAHighFetchStartsNext() async throws {
    let (kit, gate) = (Kit(), Gate())
    var (paginator, tasks) = await crowded(kit, gate)
    tasks.append(await paginator.fetching("9", priority: .high))
    await until { paginator.scheduler.load.waiting == 8 }
    gate.open()
    for task in tasks { _ = try await task.value }
    #expect(kit.source.keys == ["1", "9", "2", "3", "4", "5", "6", "7", "8"])
    #expect(kit.source.mostRunning == 1)
  }

  @Test func C4_aLowFetchThatIsAskedForAgainAtHighIsRaised() async throws {
    let (kit, gate) = (Kit(), Gate())
    var (paginator, tasks) = await crowded(kit, gate)
    tasks.append(await paginator.fetching("8", priority: .high))
    gate.open()
    for task in tasks { _ = try await task.value }
    #expect(kit.source.keys == ["1", "8", "2", "3", "4", "5", "6", "7"])
  }

  @Test func C4_aTicketRaisesAndWhoLeavesLowersAgain() async throws {
    let (kit, gate) = (Kit(), Gate())
    var (paginator, tasks) = await crowded(kit, gate)
    let hasty = await paginator.fetching("8", priority: .high)
    hasty.cancel()
    await #expect(throws: CancellationError.self) { try await hasty.value }
    let ticket = LoadTicket(priority: .low)
    tasks.append(await paginator.fetching("7", ticket: ticket))
    ticket.priority = .high
    gate.open()
    for task in tasks { _ = try await task.value }
    #expect(kit.source.keys == ["1", "7", "2", "3", "4", "5", "6", "8"])
  }

  @Test func C4_whatIsCancelledBeforeItsTurnNeverStarts() async throws {
    let (kit, gate) = (Kit(), Gate())
    let (_, tasks) = await crowded(kit, gate)
    for task in tasks[2...] {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    gate.open()
    for task in tasks[..<2] { _ = try await task.value }
    #expect(kit.source.keys == ["1", "2"])
  }

  @Test func neighboursAreAsUrgentAsTheRequestSays() async throws {
    let (kit, gate) = (Kit(), Gate())
    let (paginator, tasks) = await crowded(kit, gate)
    let around = AroundRequest(
      "9", pageSize: 3, depth: 1, direction: .forward, keyPriority: .high, aroundPriority: .low)
    async let found = words(paginator.fetchAround(around))
    await until { paginator.scheduler.load.waiting == 8 }
    gate.open()
    for task in tasks { _ = try await task.value }
    #expect(await found == ["9", "10"])
    #expect(kit.source.keys == ["1", "9", "2", "3", "4", "5", "6", "7", "8", "10"])
  }

  @Test func aDebouncedFetchThatIsCancelledInTimeNeverReachesTheSource() async throws {
    let kit = Kit()
    let paginator = kit.paginator { $0.debounce = .milliseconds(100) }
    let flung = await paginator.fetching("4")
    await until { paginator.scheduler.load == (1, 0) }
    await kit.clock.advance(by: .milliseconds(60))
    flung.cancel()
    await #expect(throws: CancellationError.self) { try await flung.value }
    let wanted = await paginator.fetching("5")
    await until { paginator.scheduler.load == (1, 0) }
    await kit.clock.advance(by: .milliseconds(99))
    #expect(kit.source.calls.isEmpty)
    await kit.clock.sleepers(atLeast: 1)
    await kit.clock.advance(by: .milliseconds(1))
    #expect(try await wanted.value.key == "5")
    #expect(kit.source.keys == ["5"])
  }

  /// A look-up and a reload of one page are two loads: neither ends the other, whose callers wait still.
  @Test func aDebouncedLoadCancelsNoOtherOne() async throws {
    let kit = Kit()
    let paginator = kit.paginator { $0.debounce = .milliseconds(100) }
    let fetch = await paginator.fetching("5")
    let reload = Task { try await paginator.reload("5", pageSize: 3) }
    await until { paginator.scheduler.load == (2, 0) }
    #expect(kit.source.calls.isEmpty)
    await kit.clock.sleepers(atLeast: 1)
    await kit.clock.advance(by: .milliseconds(100))
    #expect(try await fetch.value.key == "5")
    #expect(try await reload.value.key == "5")
  }

  /// It waits for its quiet once, then for its throttled page; a retry waits for no quiet.
  @Test func debounceAndThrottleHoldTogetherAndARetryIsNotDebounced() async throws {
    let kit = Kit()
    kit.source.fail("5", with: Offline(), times: 1)
    let paginator = kit.paginator {
      $0.debounce = .milliseconds(500)
      $0.throttle = .seconds(1)
      $0.retry = .exponential(maxAttempts: 2, base: .milliseconds(1), jitter: 0) { _ in .transient }
    }
    let task = await paginator.fetching("5")
    await until { paginator.scheduler.load == (1, 0) }
    await kit.clock.sleepers(atLeast: 1)
    await kit.clock.advance(by: .milliseconds(500))
    await kit.clock.sleepers(atLeast: 1)
    #expect(kit.source.keys == ["5"])
    await kit.clock.advance(by: .milliseconds(1))
    await until { paginator.scheduler.load == (1, 0) }
    await kit.clock.sleepers(atLeast: 1)
    await kit.clock.advance(by: .milliseconds(998))
    #expect(kit.source.keys == ["5"])
    await kit.clock.sleepers(atLeast: 1)
    await kit.clock.advance(by: .milliseconds(1))
    #expect(try await task.value.key == "5")
    #expect(kit.source.keys == ["5", "5"])
  }

  @Test func throttledLoadsOfOnePageStartApart() async throws {
    let kit = Kit()
    kit.source.fail("5", with: Offline(), times: 1)
    let paginator = kit.paginator { $0.throttle = .seconds(1) }
    _ = await failure { try await paginator.fetch("5", pageSize: 3) }
    let again = await paginator.fetching("5")
    _ = try await paginator.fetch("6", pageSize: 3)
    await kit.clock.sleepers(atLeast: 1)
    #expect(kit.source.keys == ["5", "6"])
    await kit.clock.advance(by: .seconds(1))
    #expect(try await again.value.key == "5")
  }

  @Test func aFailureThatMayGoAwayIsRetriedAndHoldsNoSlotMeanwhile() async throws {
    let kit = Kit()
    kit.source.fail("5", with: Offline(), times: 2)
    let paginator = kit.paginator {
      $0.maxConcurrent = 1
      $0.retry = .exponential(maxAttempts: 3, base: .seconds(1), jitter: 0) { _ in .transient }
    }
    let task = await paginator.fetching("5")
    await kit.clock.sleepers(atLeast: 1)
    #expect(try await paginator.fetch("6", pageSize: 3).key == "6")
    await kit.clock.advance(by: .seconds(1))
    await kit.clock.sleepers(atLeast: 1)
    await kit.clock.advance(by: .seconds(2))
    #expect(try await task.value.key == "5")
    #expect(paginator.statistics.retries == 2 && paginator.statistics.loads == 2)
    #expect(kit.events.entries.filter { $0.name == "retry" }.count == 2)
  }
}
