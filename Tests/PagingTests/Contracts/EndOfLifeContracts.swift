import Loading
import Paging
import PagingTesting
import Synchronization
import Testing

/// P24, where nothing is shown yet, where something else happens at the same moment, and where a clock isn't exact.
@Suite(.timeLimit(.minutes(1))) struct EndOfLifeContracts {
  private let server = ListServer(count: 100)
  private let config = PagingConfig(pageSize: 10)

  @Test func P24_aSourceThatIsMadeForAGenerationThatIsOverByThenIsLetGo() async {
    let (server, made, pagers, second) = (server, Box(0), Box<Pager<Int, Row>?>(nil), WeakSource())
    let pager = Pager(
      config: config,
      makeSource: { () -> TraitedSource<Int> in
        let source = TraitedSource<Int> { server.page(at: $0.key, size: $0.loadSize) }
        if made.change({ made in
          made += 1
          return made == 2
        }) {
          second.object = source
          // Another thread may refresh in that very moment.
          pagers.value?.refresh(from: .start)
        }
        return source
      })
    pagers.change { $0 = pager }
    await pager.settled()
    pager.refresh()
    await pager.settled()
    #expect(made.value == 3)
    #expect(second.object == nil)
    #expect(pager.snapshot.count == 30)
    pagers.change { $0 = nil }
  }

  @Test func P24_closingBeforeAnythingIsShownEndsTheHearingOfChanges() async throws {
    let (stream, changes) = AsyncStream<SourceChange<Row>>.makeStream()
    let isOver = Gate()
    changes.onTermination = { _ in isOver.open() }
    var traits = TraitedSource<Int>.Traits()
    traits.changes = { stream }
    let pager = Pager(config: config, source: TraitedSource<Int>(traits) { _ in throw CancellationError() })
    await pager.settled()
    #expect(pager.snapshot.phase == .initial)
    pager.close()
    try await isOver.pass()
  }

  @Test func P24_aFirstLoadIsNotBegunAgainForNobody() async throws {
    let (clock, hold, log, server) = (ManualClock(), Hold(), EventLog(), server)
    var config = config
    config.retention = .whileObserved(grace: .seconds(5))
    let pager = Pager(
      config: config, clock: clock, observer: log.observer,
      source: TraitedSource<Int> { params in
        try await hold.pass()
        return server.page(at: params.key, size: params.loadSize)
      })
    do {
      let stream = pager.snapshots().makeAsyncIterator()
      await hold.reached()
      withExtendedLifetime(stream) {}
    }
    let command = pager.load(.append)
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(5))
    try await hold.cancelled()
    await #expect(throws: CancellationError.self) { try await command.finished() }
    #expect(log.begun() == 1)
    #expect(pager.snapshot.phase == .initial)
    hold.open()
    await pager.settled()
    #expect(pager.snapshot.count == 30)
    #expect(log.begun() == 2)
  }

  @Test func P24_aClockThatWakesEarlyEndsTheGrace() async throws {
    let log = EventLog()
    var config = config
    config.retention = .whileObserved(grace: .seconds(5))
    let pager = Pager(config: config, clock: StandingClock(), observer: log.observer, source: server.source())
    do {
      let stream = pager.snapshots().makeAsyncIterator()
      await pager.settled()
      try await pager.see(20..<30)
      #expect(pager.snapshot.pages.count == 2)
      withExtendedLifetime(stream) {}
    }
    try await log.reached { $0.contains { $0.name == "pagesDropped" } }
    #expect(pager.snapshot.pages.count == 1)
  }
}

/// Holds a source as long as others do.
private final class WeakSource: Sendable {
  private struct Reference {
    weak var object: TraitedSource<Int>?
  }

  private let reference = Mutex(Reference())

  var object: TraitedSource<Int>? {
    get { reference.withLock { $0.object } }
    set { reference.withLock { $0.object = newValue } }
  }
}

/// A clock on which it is always the same time, and who sleeps is woken at once.
private struct StandingClock: Clock {
  struct Instant: InstantProtocol {
    var time = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
    func duration(to other: Instant) -> Duration { other.time - time }
    static func < (a: Instant, b: Instant) -> Bool { a.time < b.time }
  }

  var now: Instant { Instant() }
  var minimumResolution: Duration { .zero }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
