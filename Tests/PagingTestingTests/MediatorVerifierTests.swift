import Paging
import PagingTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct MediatorVerifierTests {
  typealias Pair = (PlantedMediator, NumberStoreSource)

  /// Stands still, so that no patience ends because other tests keep the machine busy.
  private let clock = ManualClock()

  private static func pair(
    count: Int = 23, holding rows: Int = 0,
    _ load: @escaping PlantedMediator.Load = { try await PlantedMediator.honest($0, $1, $2) }
  ) -> Pair {
    let store = NumberStore()
    store.change { $0 = NumberStore.Content(rows: (0..<rows).map { Number(id: $0) }, cursor: rows) }
    return (
      PlantedMediator(store: store, remote: NumberRemote(count: count), loading: load), NumberStoreSource(store: store)
    )
  }

  // MARK: - Honest mediators

  @Test(arguments: [0, 1, 5, 23, 25]) func oneThatGoesOnBehindTheLastRowIsAccepted(count: Int) async {
    let report = await MediatorVerifier(clock: clock) { Self.pair(count: count) }.verify()
    #expect(report.isClean, "\(report)")
    #expect(report.checked.count == 13)
  }

  @Test(arguments: [0, 4, 23]) func oneThatKeepsACursorIsAccepted(count: Int) async {
    let report = await MediatorVerifier(clock: clock) { Self.pair(count: count, PlantedMediator.byCursor) }.verify()
    #expect(report.isClean, "\(report)")
  }

  @Test func oneThatGoesBothWaysIsAccepted() async {
    let report = await MediatorVerifier(clock: clock) { Self.pair(PlantedMediator.bothWays) }.verify()
    #expect(report.isClean, "\(report)")
    #expect(report.checked.contains(.remotePrepend))
  }

  @Test func aStoreThatHoldsRowsAlreadyIsAccepted() async {
    let report = await MediatorVerifier(clock: clock) { Self.pair(holding: 8) }.verify()
    #expect(report.isClean, "\(report)")
  }

  @Test func oneThatFetchesAllAtOnceIsAccepted() async {
    let report = await MediatorVerifier(clock: clock) {
      Self.pair { request, store, remote in
        guard request.type != .prepend else { return MediatorResult(endReached: true) }
        let rows = try await remote.fetch(from: 0, 1_000).rows
        store.change { $0.rows = rows }
        return MediatorResult(endReached: true)
      }
    }.verify()
    #expect(report.isClean, "\(report)")
  }

  // MARK: - Planted faults

  @Test(arguments: MediatorPlant.all) func aFaultIsFoundByItsCheck(plant: MediatorPlant) async throws {
    let report = await MediatorVerifier(clock: clock) { Self.pair(plant.load) }.verify()
    let failure = try #require(report.failures.first, "nothing was found")
    #expect(failure.check == plant.check, "\(report)")
    #expect(failure.message.contains("load") && failure.message.hasSuffix("."))
  }

  @Test func aPairThatCannotBeMadeSaysWhy() async {
    let report = await MediatorVerifier(clock: clock) { () async throws -> Pair in throw Offline() }.verify()
    #expect(report.failures.first?.message == "Making a mediator and its source threw Offline().")
  }

  @Test func aStoreWithoutEndIsFound() async {
    let report = await MediatorVerifier(maxLoads: 3, clock: clock) {
      (Self.pair().0, CursorPageSource<Int, Number> { Page([], nextKey: ($0.key ?? 0) + 1) })
    }.verify()
    #expect(report.failures.map(\.check) == [.storedRows])
    #expect(report.failures.first?.message.contains("after 300 pages the source still gives keys") == true)
  }

  @Test func anInitializeThatNeverAnswersCostsPatienceOnly() async {
    let (clock, trap) = (ManualClock(), Trap())
    async let report = MediatorVerifier(clock: clock) {
      var pair = Self.pair()
      pair.0.beginning = { await trap.stayIn() }
      return pair
    }.verify()
    await trap.caught()
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(10))
    #expect(await report.failures.map(\.check) == [.returns])
    trap.open()
  }

  @Test func aLoadThatCancellationDoesNotEndIsFound() async {
    let (clock, trap) = (ManualClock(), Trap())
    async let report = MediatorVerifier(clock: clock) {
      Self.pair { request, store, remote in
        if Task.isCancelled { await trap.stayIn() }
        return try await PlantedMediator.honest(request, store, remote)
      }
    }.verify()
    await trap.caught()
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(10))
    let found = await report
    #expect(found.failures.map(\.check) == [.cancellation], "\(found)")
    trap.open()
  }

  @Test func aLoadThatKeepsItsThreadIsFound() async {
    let (clock, blockade) = (ManualClock(), Blockade())
    async let report = MediatorVerifier(clock: clock) {
      Self.pair { request, store, remote in
        blockade.block()
        return try await PlantedMediator.honest(request, store, remote)
      }
    }.verify()
    await blockade.reached()
    // The verifier waits for the thread a tenth of its patience; other sleepers are on their way out.
    while !clock.sleepers.contains(where: { $0.offset == .seconds(1) }) { await Task.yield() }
    await clock.advance(by: .seconds(1))
    #expect(await report.failures.map(\.check) == [.blocking])
    blockade.open()
  }
}
