import Loading
import Paging
import PagingTesting
import Testing

/// P35 and P36.
@Suite(.timeLimit(.minutes(10))) struct ObserverContracts {
  private let server = ListServer(count: 300)
  private let config = PagingConfig(pageSize: 10)

  // MARK: - P35

  @Test func P35_everyLoadThatBeginsEndsOnceUnderItsNumber() async throws {
    let (log, server) = (EventLog(), server)
    let isDown = Box(false)
    let pager = Pager(
      config: config, observer: log.observer,
      source: TraitedSource<Int>(
        {
          var traits = TraitedSource<Int>.Traits()
          traits.keyKind = .offset
          return traits
        }()
      ) { params in
        if isDown.value { throw Offline(number: 4_711) }
        return server.page(at: params.key, size: params.loadSize)
      })
    await pager.settled()
    try await pager.see(20..<30)
    isDown.change { $0 = true }
    try? await pager.load(.append).finished()
    isDown.change { $0 = false }
    pager.refresh()
    try await pager.refresh().finished()
    await pager.settled()
    pager.close()
    try await log.reached { $0.contains { $0.name == "generation" && $0.reason == "close" } }
    var open: Set<UInt64> = []
    var used: Set<UInt64> = []
    for event in log.events where event.name == "load" {
      #expect(event.keyKind == .offset || event.phase == .end)
      #expect(event.loadType != nil)
      if event.phase == .begin {
        #expect(used.insert(event.id).inserted)
        open.insert(event.id)
      } else {
        #expect(open.remove(event.id) != nil)
        #expect(event.duration != nil)
        #expect(["ok", "failed", "cancelled"].contains(event.outcome ?? ""))
        if event.outcome == "ok" { #expect(event.itemCount ?? 0 > 0) }
      }
      #expect(!"\(event)".contains("4711"), "never an error's own text")
    }
    #expect(open.isEmpty)
    #expect(log.ended(.append, "failed").count == 1)
    #expect(log.named("generation").last?.reason == "close")
    let statistics = pager.statistics
    #expect(statistics.append.count == log.ended(.append).count)
    #expect(statistics.append.failures == 1)
    #expect(statistics.refresh.count == log.ended(.refresh).count)
  }

  @Test func P35_anObserverMayCallThePager() async throws {
    let link = Box<Pager<Int, Row>?>(nil)
    let heard = Box(0)
    let pager = Pager(
      config: config,
      observer: { event in
        heard.change { $0 += 1 }
        guard let pager = link.value, event.phase == .end, pager.snapshot.items.count < 200 else { return }
        _ = (pager.statistics, pager.conditions)
        pager.load(.append)
      }, source: server.source())
    link.change { $0 = pager }
    await pager.settled()
    try await pager.first { $0.items.count >= 200 }
    link.change { $0 = nil }
    #expect(heard.value > 20)
  }

  // MARK: - P36

  @Test func P36_constrainedStopsPrefetchNotWhatIsOnScreen() async throws {
    let source = server.source()
    let pager = Pager(config: config, source: source)
    pager.conditions = .constrained
    await pager.settled()
    #expect(source.calls.count == 1, "the first load is on screen")
    try await pager.see(15..<25)
    #expect(source.calls.count == 1)
    try await pager.see(20..<30)
    #expect(source.calls.map(\.purpose).last == .visible)
    #expect(source.calls.count == 2)
    try await pager.see(25..<35)
    #expect(source.calls.count == 2)
    pager.conditions = .normal
    await pager.settled()
    #expect(source.calls.count == 3, "what was wanted is fetched now")
  }

  @Test func P36_suspendedStartsNothingAndWhatDiesMeanwhileWasCancelled() async throws {
    let (server, hold, isDying) = (server, Hold(), Box(true))
    let calls = Box<[LoadParams<Int>]>([])
    let log = EventLog()
    let pager = Pager(
      config: config, observer: log.observer,
      source: TraitedSource<Int> { params in
        calls.change { $0.append(params) }
        if params.type == .append, isDying.value {
          try await hold.pass()
          throw Offline()
        }
        return server.page(at: params.key, size: params.loadSize)
      })
    await pager.settled()
    pager.look(at: 20..<30)
    await hold.reached()
    pager.conditions = .suspended
    hold.open()
    await pager.settled()
    #expect(pager.snapshot.source.failures.isEmpty)
    try await log.caughtUp(with: pager)
    #expect(log.ended(.append, "cancelled").count == 1)
    pager.look(at: 25..<30)
    pager.load(.append)
    let refresh = pager.refresh()
    await pager.settled()
    #expect(calls.value.count == 2, "nothing starts")
    isDying.change { $0 = false }
    pager.conditions = .normal
    try await refresh.finished()
    await pager.settled()
    #expect(pager.snapshot.items.count >= 30)
    #expect(calls.value.count > 2)
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P36_aLoadThatDiedWhileSuspendedGoesOnAfterwards() async throws {
    let (server, hold, isDying) = (server, Hold(), Box(true))
    let pager = Pager(
      config: config,
      source: TraitedSource<Int> { params in
        if params.type == .append, isDying.value {
          try await hold.pass()
          throw Offline()
        }
        return server.page(at: params.key, size: params.loadSize)
      })
    await pager.settled()
    pager.look(at: 20..<30)
    await hold.reached()
    pager.conditions = .suspended
    hold.open()
    await pager.settled()
    isDying.change { $0 = false }
    pager.conditions = .normal
    await pager.settled()
    #expect(pager.snapshot.items.count == 40)
  }
}
