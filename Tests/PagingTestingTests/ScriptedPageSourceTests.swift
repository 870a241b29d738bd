import Paging
import PagingTesting
import Testing

@Suite struct ScriptedPageSourceTests {
  private typealias Source = ScriptedPageSource<Int, SampleItem>
  private struct Offline: Error {}

  private let clock = ManualClock()
  private let page = Page<Int, SampleItem>(Sample.items(count: 2), nextKey: 2)
  private let refresh = LoadParams<Int>(.refresh, loadSize: 2)

  @Test func stepsAreDoneInOrderAndCallsAreKept() async throws {
    let source = Source(clock: clock, steps: [.page(page), .failure(Offline()), .invalid])
    #expect(try await source.load(refresh) == page)
    let append = LoadParams(.append, key: 2, loadSize: 2)
    await #expect(throws: Offline.self) { try await source.load(append) }
    let error = await #expect(throws: PagingError.self) { try await source.load(append) }
    #expect(error?.code == .invalidated)
    #expect(source.calls == [refresh, append, append])
  }

  @Test func aLoadBeyondTheScriptSaysWhichOneItWas() async throws {
    let source = Source(clock: clock, steps: [.page(page)])
    _ = try await source.load(refresh)
    let error = await #expect(throws: ScriptEnded.self) { try await source.load(refresh) }
    #expect(error?.call == 2)
    #expect(error?.description.contains("Load number 2 (refresh)") == true)
  }

  @Test func delaysPassOnTheClock() async throws {
    let source = Source(clock: clock) { params in
      params.type == .refresh ? .page(self.page, after: .seconds(1)) : .failure(Offline(), after: .seconds(2))
    }
    async let first = source.load(refresh)
    async let second = #expect(throws: Offline.self) { try await source.load(LoadParams(.append, loadSize: 2)) }
    await clock.sleepers(atLeast: 2)
    #expect(clock.sleepers.map(\.offset) == [.seconds(1), .seconds(2)])
    await clock.advance(by: .seconds(2))
    #expect(try await first == page)
    _ = await second
  }

  @Test func aHeldLoadReturnsWhenItsGateOpens() async throws {
    let gate = Gate()
    let source = Source(clock: clock, steps: [.held(by: gate, .page(page)), .held(by: gate, .page(page))])
    let load = Task { try await source.load(refresh) }
    await gate.waiting(atLeast: 1)
    #expect(!gate.isOpen && gate.waiting == 1)
    gate.open()
    #expect(try await load.value == page)
    #expect(try await source.load(refresh) == page)
  }

  @Test func cancellationEndsEveryStepThatDoesNotIgnoreIt() async throws {
    let steps: [Source.Step] = [
      .hang, .page(page, after: .seconds(1)), .failure(Offline(), after: .seconds(1)), .held(by: Gate(), .page(page)),
    ]
    for step in steps {
      let source = Source(clock: clock, steps: [step])
      let load = Task { try await source.load(refresh) }
      await source.calls(atLeast: 1)
      load.cancel()
      await #expect(throws: CancellationError.self) { try await load.value }
    }
    let source = Source(clock: clock, steps: [.page(page)])
    let load = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await source.load(refresh)
    }
    await #expect(throws: CancellationError.self) { try await load.value }
  }

  @Test func aStepThatIgnoresCancellationReturnsAllTheSame() async throws {
    let gate = Gate()
    let source = Source(
      clock: clock,
      steps: [
        .held(by: gate, .page(page)).ignoringCancellation, .page(page, after: .seconds(1)).ignoringCancellation,
        .hang.ignoringCancellation,
      ])
    let held = Task { try await source.load(refresh) }
    await gate.waiting(atLeast: 1)
    held.cancel()
    gate.open()
    #expect(try await held.value == page)

    let delayed = Task { try await source.load(refresh) }
    await clock.sleepers(atLeast: 1)
    delayed.cancel()
    #expect(clock.sleepers.count == 1)
    await clock.advance(by: .seconds(1))
    #expect(try await delayed.value == page)
  }
}

@Suite struct SampleTests {
  @Test func rowsRepeatAndFewerAreTheBeginningOfMore() {
    let rows = Sample.items(count: 2_000, seed: 3)
    #expect(Sample.items(count: 2_000, seed: 3) == rows)
    #expect(Sample.items(count: 50, seed: 3) == Array(rows.prefix(50)))
    #expect(Sample.items(count: 50, seed: 4) != Array(rows.prefix(50)))
    #expect(rows.map(\.id) == Array(0..<2_000))
    #expect(Sample.items(count: -1).isEmpty)
  }

  @Test func rowsTieAndTitlesAreUnpleasant() {
    let rows = Sample.items(count: 2_000)
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.timestamp >= $1.timestamp })
    #expect(Set(rows[300..<1_500].map(\.timestamp)).count == 1)
    #expect(rows.contains { $0.title.count > 500 })
    #expect(rows.contains { $0.title.isEmpty })
    #expect(rows.contains { $0.title.unicodeScalars.contains { $0.properties.isEmojiPresentation } })
    #expect(rows.contains { $0.title.unicodeScalars.contains { (0x590...0x6FF).contains($0.value) } })
  }
}
