import ImageCodecs
import Loading
import Synchronization
import Testing

@testable import ImageLoading

/// Loads that a test ends by hand.
private final class RestStarts: Sendable {
  struct Start: Sendable {
    let name: String
    let destination: PrefetchDestination
    let priority: LoadPriority
    let finished: @Sendable () -> Void
  }

  private struct State {
    var starts: [Start] = []
    var ended: [String] = []
    var finishesAtOnce = false
    var inMemory: Set<String> = []
  }

  private let state = Mutex(State())

  var starts: [Start] { state.withLock { $0.starts } }
  var names: [String] { starts.map(\.name) }
  var ended: [String] { state.withLock { $0.ended } }

  func finishAtOnce() { state.withLock { $0.finishesAtOnce = true } }
  func remember(_ name: String) { _ = state.withLock { $0.inMemory.insert(name) } }
  func finish(_ name: String) {
    for start in starts where start.name == name { start.finished() }
  }

  var runs: PrefetchRuns {
    PrefetchRuns(
      isInMemory: { request, _ in self.state.withLock { $0.inMemory.contains(Self.name(request)) } },
      start: { request, ticket, destination, finished in
        let name = Self.name(request)
        let start = Start(name: name, destination: destination, priority: ticket.priority, finished: finished)
        let finishes = self.state.withLock { state in
          state.starts.append(start)
          return state.finishesAtOnce
        }
        if finishes { finished() }
        return { self.state.withLock { $0.ended.append(name) } }
      })
  }

  private static func name(_ request: ImageRequest) -> String { String(request.source.id.suffix(1)) }
}

@Suite struct PrefetchRunsTests {
  private func requests(_ names: String...) -> [ImageRequest] { names.map { RestPictures.request($0) } }

  @Test func B128_duplicatesAndWhatMemoryHasAreNoWork() {
    let starts = RestStarts()
    starts.remember("c")
    let runs = starts.runs
    let handle = runs.prefetch(requests("a", "b", "a", "c"), to: .memory)
    #expect(starts.names == ["a", "b"])
    #expect(starts.starts.allSatisfy { $0.priority == .low && $0.destination == .memory })
    let none = runs.prefetch([], to: .memory)
    let cached = runs.prefetch(requests("c"), to: .memory)
    #expect(runs.count == 1)
    starts.finish("a")
    #expect(runs.count == 1)
    starts.finish("b")
    #expect(runs.count == 0)
    withExtendedLifetime((handle, none, cached)) {}
    #expect(starts.ended.isEmpty)
  }

  /// On disk sizes share their bytes, and memory is not looked at.
  @Test func B131_toDiskSizesAreOne() {
    let starts = RestStarts()
    starts.remember("a")
    let small = RestPictures.request("a", .fit(PixelSize(width: 1, height: 1)))
    let handle = starts.runs.prefetch([small] + requests("a"), to: .disk)
    #expect(starts.names == ["a"])
    #expect(starts.starts[0].destination == .disk)
    handle.cancel()
  }

  @Test func BUG3_cancellingEndsItsOwnLoadsAlone() {
    let starts = RestStarts()
    let runs = starts.runs
    let first = runs.prefetch(requests("a", "b"), to: .memory)
    let second = runs.prefetch(requests("a", "c"), to: .memory)
    starts.starts[1].finished()
    first.cancel()
    first.cancel()
    #expect(starts.ended == ["a"])
    #expect(runs.count == 1)
    second.cancel()
    #expect(starts.ended == ["a", "a", "c"])
    #expect(runs.count == 0)
  }

  @Test func B130_lettingGoEndsIt() {
    let starts = RestStarts()
    let runs = starts.runs
    var handle: PrefetchHandle? = runs.prefetch(requests("a"), to: .memory)
    #expect(starts.ended.isEmpty && handle != nil)
    handle = nil
    #expect(starts.ended == ["a"])
    #expect(runs.count == 0)
  }

  @Test func B134_I13_pausingEndsWhatRunsAndWhatIsDoneStays() {
    let starts = RestStarts()
    let runs = starts.runs
    let handle = runs.prefetch(requests("a", "b", "c"), to: .memory)
    starts.finish("a")
    runs.isPaused = true
    #expect(starts.ended == ["b", "c"])
    // A late end of a load that was ended is not the end of what is to be done.
    starts.starts[1].finished()
    let later = runs.prefetch(requests("d"), to: .memory)
    #expect(starts.names == ["a", "b", "c"])
    runs.isPaused = false
    #expect(starts.names == ["a", "b", "c", "b", "c", "d"])
    handle.cancel()
    #expect(starts.ended == ["b", "c", "b", "c"])
    later.cancel()
  }

  @Test func B134_whatIsCancelledWhilePausedDoesntBegin() {
    let starts = RestStarts()
    let runs = starts.runs
    let handle = runs.prefetch(requests("a"), to: .memory)
    runs.isPaused = true
    handle.cancel()
    runs.isPaused = false
    #expect(starts.names == ["a"])
    #expect(runs.count == 0)
  }

  @Test func B128_loadsThatEndBeforeTheirStartReturns() {
    let starts = RestStarts()
    starts.finishAtOnce()
    let runs = starts.runs
    let handle = runs.prefetch(requests("a", "b"), to: .memory)
    #expect(starts.names == ["a", "b"])
    #expect(runs.count == 0)
    handle.cancel()
    #expect(starts.ended.isEmpty)
  }

  @Test func I13_manyThreadsLeaveNothingBehind() async {
    let starts = RestStarts()
    let runs = starts.runs
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          for index in 0..<100 {
            let handle = runs.prefetch([RestPictures.request("\(thread)"), RestPictures.request("x")], to: .memory)
            if thread == 0 { runs.isPaused = index % 2 == 0 }
            if thread == 1 { starts.starts.last?.finished() }
            handle.cancel()
          }
        }
      }
    }
    #expect(runs.count == 0)
  }
}
