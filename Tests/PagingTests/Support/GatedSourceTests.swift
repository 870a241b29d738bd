import Paging
import PagingTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct GatedSourceTests {
  private typealias Source = GatedSource<Int, SampleItem>
  private struct Offline: Error {}

  private let page = Page<Int, SampleItem>([SampleItem(id: 1)], nextKey: 1)

  private func start(_ type: LoadType, of source: Source) -> Task<Page<Int, SampleItem>, any Error> {
    Task { try await source.load(LoadParams(type, loadSize: 1)) }
  }

  @Test func eachLoadEndsAsTheTestSaysAndOnlyOnce() async throws {
    let source = Source()
    let first = start(.refresh, of: source)
    await source.begun(1)
    let second = start(.append, of: source)
    await source.begun(2)
    let third = start(.append, of: source)
    await source.begun(3)
    #expect(source.params.map(\.type) == [.refresh, .append, .append])
    #expect(source.fail(1, with: Offline()))
    #expect(source.succeed(0, with: page))
    #expect(source.throwCancellation(2))
    #expect(!source.succeed(0, with: page))
    #expect(!source.succeed(3, with: page))
    #expect(try await first.value == page)
    await #expect(throws: Offline.self) { try await second.value }
    await #expect(throws: CancellationError.self) { try await third.value }
    #expect(source.loads.allSatisfy { $0.hasEnded })
    #expect(!source.loads.contains { $0.wasCancelled })
  }

  @Test func loadsUnderWayAreCountedByDirection() async throws {
    let source = Source()
    let loads = [start(.append, of: source), start(.prepend, of: source), start(.append, of: source)]
    await source.begun(3)
    #expect(source.running(.append) == 2 && source.running(.prepend) == 1 && source.running(.refresh) == 0)
    for number in 0..<3 { source.succeed(number, with: page) }
    for load in loads { _ = try await load.value }
    #expect(source.running(.append) == 0 && source.running(.prepend) == 0)
    #expect(source.mostRunning(.append) == 2 && source.mostRunning(.prepend) == 1 && source.mostRunning == 3)
  }

  @Test func cancellationIsNotedAndObeyedUnlessIgnored() async throws {
    let obedient = Source()
    let load = start(.refresh, of: obedient)
    await obedient.begun(1)
    load.cancel()
    await obedient.cancelled(load: 0)
    await #expect(throws: CancellationError.self) { try await load.value }
    #expect(!obedient.succeed(0, with: page))

    let rude = Source(ignoresCancellation: true)
    let late = start(.refresh, of: rude)
    await rude.begun(1)
    late.cancel()
    await rude.cancelled(load: 0)
    #expect(rude.running(.refresh) == 1)
    #expect(rude.succeed(0, with: page))
    #expect(try await late.value == page)
  }

  @Test func aVerdictThatComesBeforeTheLoadIsHeldIsKept() async throws {
    for _ in 0..<500 {
      let source = Source()
      let load = start(.refresh, of: source)
      await source.begun(1)
      #expect(source.succeed(0, with: page))
      #expect(try await load.value == page)
    }
  }
}
