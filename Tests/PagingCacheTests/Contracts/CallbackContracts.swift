import Loading
import PagingTesting
import Testing

@testable import PagingCache

/// C5: callbacks on the main actor, each once, and none after a cancellation.
@Suite(.timeLimit(.minutes(10))) @MainActor struct CallbackContracts {
  /// Ends the test's wait for a callback.
  private func awaitCallback(_ start: (@escaping @MainActor () -> Void) -> Void) async {
    await withCheckedContinuation { continuation in
      start { continuation.resume() }
    }
  }

  /// Gives whatever is on its way to the main actor the time to arrive there.
  private func settle(_ clock: ManualClock) async {
    for _ in 0..<4 { await clock.advance(by: .zero) }
  }

  @Test func C5_aFetchCallsBackOnceOnTheMainActorAndNotBeforeItReturns() async {
    let kit = Kit()
    let paginator = kit.paginator()
    for _ in 0..<2 {
      var results: [Result<SamplePage, PaginatorError>] = []
      var hasReturned = false
      await awaitCallback { done in
        paginator.fetch("5", pageSize: 3) { result in
          MainActor.assertIsolated()
          #expect(hasReturned)
          results.append(result)
          done()
        }
        hasReturned = true
      }
      await settle(kit.clock)
      #expect(results.count == 1)
      #expect((try? results.first?.get().key) == "5")
    }
    #expect(kit.source.keys == ["5"], "the second was answered by memory, and called back all the same")
  }

  @Test func C5_aFailureCallsBackOnce() async {
    let kit = Kit()
    kit.source.fail("5", with: Offline())
    var codes: [PaginatorError.Code] = []
    await awaitCallback { done in
      kit.paginator().fetch("5", pageSize: 3) { result in
        if case .failure(let error) = result { codes.append(error.code) }
        done()
      }
    }
    await settle(kit.clock)
    #expect(codes == [.sourceFailed])
  }

  @Test func C5_afterCancelHasReturnedOnTheMainActorNoCallbackRuns() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    let paginator = kit.paginator()
    var calls = 0
    let execution = paginator.fetch("5", pageSize: 3) { _ in calls += 1 }
    await gate.waiting(atLeast: 1)
    execution.cancel()
    gate.open()
    await settle(kit.clock)
    #expect(calls == 0)
  }

  @Test func C5_aCallbackOnItsWayToTheMainActorIsHeldBackToo() async throws {
    // The page is in memory, so the callback is waiting for the main actor while the test holds that: nothing is left
    // that cancelling the task could stop.
    let kit = Kit()
    let paginator = kit.paginator()
    _ = try await paginator.fetch("5", pageSize: 3)
    let calls = Log<String>()
    for _ in 0..<20 {
      let hits = paginator.statistics.memory.hits
      let execution = paginator.fetch("5", pageSize: 3) { _ in calls.add("page") }
      // The main actor isn't given up here.
      while paginator.statistics.memory.hits == hits {}
      execution.cancel()
    }
    await settle(kit.clock)
    #expect(calls.count == 0)
  }

  @Test func C5_fetchAroundCallsBackForEachPageAndThenCompletesOnce() async {
    let kit = Kit()
    var heard: [String] = []
    await awaitCallback { done in
      kit.paginator().fetchAround(AroundRequest("5", pageSize: 3, depth: 2, direction: .forward)) { delivery in
        MainActor.assertIsolated()
        heard.append(delivery.word)
      } completion: {
        heard.append("end")
        done()
      }
    }
    await settle(kit.clock)
    #expect(heard == ["5", "6", "7", "end"])
  }

  @Test func C5_cancellingFromWithinACallbackEndsAllCallbacksCompletionIncluded() async {
    let kit = Kit()
    var heard: [String] = []
    var execution: PaginatorExecution?
    await awaitCallback { done in
      execution = kit.paginator().fetchAround(
        AroundRequest("5", pageSize: 3, depth: 5, direction: .forward)
      ) { delivery in
        heard.append(delivery.word)
        guard delivery.key == "6" else { return }
        execution?.cancel()
        done()
      } completion: {
        heard.append("end")
      }
    }
    await settle(kit.clock)
    #expect(heard == ["5", "6"])
  }

  @Test func C5_cancellingElsewhereLetsAtMostTheRunningCallbackEnd() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    let heard = Log<String>()
    let executions = Log<PaginatorExecution>()
    let cancellations = Log<Bool>()
    await awaitCallback { done in
      let started = paginator.fetchAround(
        AroundRequest("1", pageSize: 3, depth: 9, direction: .forward)
      ) { delivery in
        heard.add(delivery.word)
        guard delivery.key == "3" else { return }
        // Elsewhere, while this callback runs.
        Task.detached {
          executions.entries.first?.cancel()
          cancellations.add(true)
        }
        while cancellations.count == 0 {}
        heard.add("ended")
        done()
      } completion: {
        heard.add("end")
      }
      executions.add(started)
    }
    await settle(kit.clock)
    #expect(heard.entries == ["1", "2", "3", "ended"])
  }

  @Test func C5_theWorkGoesOnWhileSomeoneElseWaitsForIt() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    let paginator = kit.paginator()
    var calls = 0
    let execution = paginator.fetch("5", pageSize: 3) { _ in calls += 1 }
    await gate.waiting(atLeast: 1)
    let other = await paginator.fetching("5")
    execution.cancel()
    gate.open()
    #expect(try await other.value.key == "5")
    await settle(kit.clock)
    #expect(calls == 0 && kit.source.keys == ["5"])
  }

  @Test func C5_theLastToCancelCancelsTheWork() async {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    let paginator = kit.paginator()
    let execution = paginator.fetch("5", pageSize: 3) { _ in }
    await gate.waiting(atLeast: 1)
    execution.cancel()
    await kit.source.ended(atLeast: 1)
    await until { paginator.word("5") == "absent" }
    #expect(!gate.isOpen)
  }

  @Test func C5_lettingTheExecutionGoCancelsNothing() async {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    let paginator = kit.paginator()
    var key: String?
    await awaitCallback { done in
      _ = paginator.fetch("5", pageSize: 3) { result in
        key = try? result.get().key
        done()
      }
      gate.open()
    }
    #expect(key == "5")
  }

  @Test func C5_theExecutionsPriorityRaisesTheFetch() async {
    let (kit, gate) = (Kit(), Gate())
    kit.source.hold("1", by: gate)
    let paginator = kit.paginator { $0.maxConcurrent = 1 }
    let ends = Log<String>()
    var executions: [PaginatorExecution] = []
    for number in 1...4 {
      executions.append(paginator.fetch("\(number)", pageSize: 3, priority: .low) { _ in ends.add("\(number)") })
      await until { paginator.scheduler.load == (number - 1, 1) }
    }
    await gate.waiting(atLeast: 1)
    executions[3].priority = .high
    #expect(executions[3].priority == .high)
    gate.open()
    await until { ends.count == 4 }
    #expect(kit.source.keys == ["1", "4", "2", "3"])
  }

  @Test func C5_aStrangersPaginatorCallsBackWhateverItThrows() async {
    var code: PaginatorError.Code?
    await awaitCallback { done in
      Stranger().fetch("5", pageSize: 3) { result in
        if case .failure(let error) = result { code = error.code }
        done()
      }
    }
    #expect(code == .sourceFailed)
  }

  @Test func C5_whatACallbackHoldsIsLetGoWhenTheFetchEnds() async {
    let kit = Kit()
    let paginator = kit.paginator()
    weak var held: Log<String>?
    var execution: PaginatorExecution?
    await awaitCallback { done in
      let log = Log<String>()
      held = log
      execution = paginator.fetch("5", pageSize: 3) { _ in
        log.add("page")
        done()
      }
    }
    await until { held == nil }
    #expect(execution != nil)
  }
}

/// A paginator that throws what no paginator should.
private struct Stranger: Paginating {
  func fetch(_ key: String, pageSize: Int, ticket: LoadTicket) async throws -> SamplePage { throw Offline() }
  func fetchAround(_ request: AroundRequest, ticket: LoadTicket) -> AsyncStream<PaginatorDelivery<SampleItem>> {
    AsyncStream { $0.finish() }
  }
  func state(of key: String, pageSize: Int) -> PaginatorPageState<SampleItem> { .absent }
  func clear(_ key: String) {}
  func clearAll() {}
}
