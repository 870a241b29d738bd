import PagingTesting
import Synchronization
import Testing

@testable import Loading

/// Moments between two steps of the shell, which a test that only lets all happen at once seldom meets.
@Suite(.timeLimit(.minutes(10))) struct CoalescerMomentTests {
  /// The last one leaves when the work's task is there, and the coalescer doesn't know it yet.
  @Test func L2_workWhoseTaskIsNotKnownYetIsCancelledToo() async throws {
    // The work is held, or else it might have brought its value before anybody leaves.
    let (gate, held, works) = (Gate(), Gate(), Log<Task<Void, Never>>())
    let caller = Mutex<Task<Int, any Error>?>(nil)
    let pages = Coalescer<String, Int>(begin: { work in
      let task = Task.detached(operation: work)
      caller.withLock { $0 }?.cancel()
      works.add(task)
      return task
    })
    let task = Task {
      try await gate.pass()
      return try await pages.value(
        for: "7",
        load: { _ in
          try await held.pass()
          return 1
        })
    }
    caller.withLock { $0 = task }
    gate.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    held.open()
    let work = try #require(works.entries.first)
    await work.value
    #expect(work.isCancelled)
    #expect(!pages.isLoading("7"))
  }

  /// All have left before the work came to run: it loads nothing.
  @Test func L2_workThatNobodyWaitsForWhenItComesToRunLoadsNothing() async throws {
    let (gate, loads) = (Gate(), Crowd())
    let (held, works) = (Gate(), Log<Task<Void, Never>>())
    let pages = Coalescer<String, Int>(begin: { work in
      let task = Task.detached {
        // Held back whether cancelled or not.
        while !held.isOpen { await Task.yield() }
        await work()
      }
      works.add(task)
      return task
    })
    let task = Task {
      try await gate.pass()
      return try await pages.value(
        for: "7",
        load: { _ in
          loads.enter()
          return 1
        })
    }
    gate.open()
    await works.reached(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    held.open()
    await works.entries.first?.value
    #expect(loads.ever == 0)
  }
}
