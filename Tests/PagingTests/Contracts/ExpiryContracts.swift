import Loading
import Paging
import PagingTesting
import Testing

/// P33: what follows when a source calls a cursor expired.
@Suite(.timeLimit(.minutes(10))) struct ExpiryContracts {
  private let config = PagingConfig(pageSize: 10, initialLoadSize: 10)

  /// A pager of a hundred rows of which 0..<50 are loaded and 30..<40 are on screen, and nothing runs.
  private func started(
    _ server: TokenServer, observer: PagingObserver? = nil
  ) async throws -> Pager<Token, Row> {
    let pager = Pager(config: config, observer: observer, source: server.source)
    await pager.settled()
    for row in [0, 10, 20, 30, 30] { try await pager.see(row..<row + 10) }
    #expect(pager.snapshot.ids == Array(0..<50))
    return pager
  }

  @Test func P33_theListStartsAgainAndTheRowOnScreenStays() async throws {
    let (server, log) = (TokenServer(ListServer(count: 100)), EventLog())
    let pager = try await started(server, observer: log.observer)
    server.expire()
    server.list.edit { $0.insert(contentsOf: (-3..<0).map { Row(id: $0) }, at: 0) }
    let first = server.nextCall
    let holds = (first + 1...first + 5).map { server.hold($0) }
    pager.look(at: 35..<45)
    for hold in holds {
      await hold.reached()
      #expect(pager.snapshot.ids == Array(0..<50))
      #expect(pager.snapshot.source.refresh == .loading)
      #expect(pager.snapshot.source.failures.isEmpty)
      hold.open()
    }
    await pager.settled()
    #expect(server.starts(since: first).prefix(6) == [50, nil, 7, 17, 27, 37])
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 38))
    #expect(pager.snapshot.ids == Array(-3..<57))
    #expect(pager.snapshot.position.rowsBefore == 38)
    #expect(pager.snapshot.source.failures.isEmpty)
    #expect(try await log.reasons(1) == ["expiry"])
    try await log.caughtUp(with: pager)
    #expect(log.ended(.append, "cursorExpired").count == 1)
    // Nothing is the matter with the list that came.
    while !pager.snapshot.source.append.isAtEnd {
      try await pager.see(pager.snapshot.count - 5..<pager.snapshot.count)
    }
    #expect(pager.snapshot.ids == Array(-3..<100))
  }

  @Test func P33_theRecoveryKeyIsWhereItStarts() async throws {
    let server = TokenServer(ListServer(count: 100), goesBack: true)
    let pager = try await started(server)
    server.expire()
    server.recovery.change { $0 = server.token(from: 25) }
    let first = server.nextCall
    try await pager.see(35..<45)
    #expect(server.starts(since: first).prefix(3) == [50, 25, 35])
    #expect(pager.snapshot.anchor?.kind == .kept)
    #expect(pager.screen(from: 35) == Array(35..<45))
    #expect(pager.snapshot.ids == Array(25..<55))
  }

  @Test func P33_aRecoveryKeyBehindTheRowLooksBackAtLast() async throws {
    let server = TokenServer(ListServer(count: 60), goesBack: true)
    let pager = try await started(server)
    server.expire()
    server.recovery.change { $0 = server.token(from: 45) }
    try await pager.see(35..<45)
    #expect(pager.snapshot.anchor?.kind == .kept)
    #expect(pager.screen(from: 35) == Array(35..<45))
  }

  @Test func P33_aWrongCursorIsAPlainFailure() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    server.errors.change { $0[server.nextCall] = PagingError(.invalidKey) }
    let first = server.nextCall
    try await pager.see(35..<45)
    #expect(server.nextCall == first + 1)
    #expect(code(pager.snapshot.source.append) == .invalidKey)
    #expect(pager.snapshot.source.refresh.failure == nil)
    #expect(pager.snapshot.ids == Array(0..<50))
  }

  // MARK: - Twice in a row

  @Test func P33_anExpiryOfTheRecoveryItselfIsAFailureThatRetryEnds() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    server.expire()
    let first = server.nextCall
    server.errors.change { $0[first + 2] = PagingError.cursorExpired }
    try await pager.see(35..<45)
    #expect(server.starts(since: first) == [50, nil, 10])
    #expect(pager.snapshot.ids == Array(0..<50))
    #expect(code(pager.snapshot.source.refresh) == .cursorExpired)
    #expect(pager.snapshot.phase == .content)
    // What the failed recovery had read is as old as its cursor.
    let second = server.nextCall
    try await pager.retry().finished()
    await pager.settled()
    #expect(server.starts(since: second).prefix(5) == [nil, 10, 20, 30, 40])
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 35))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P33_aFailureOfAnotherKindIsShownAndRetryGoesOn() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    server.expire()
    let first = server.nextCall
    server.errors.change { $0[first + 2] = Offline() }
    try await pager.see(35..<45)
    #expect(pager.snapshot.source.refresh.failure?.error is Offline)
    #expect(pager.snapshot.ids == Array(0..<50))
    let second = server.nextCall
    try await pager.retry(.refresh).finished()
    #expect(server.starts(since: second).prefix(4) == [10, 20, 30, 40])
    #expect(pager.snapshot.anchor?.kind == .kept)
  }

  @Test func P33_anExpiryOfTheFirstPageAfterIsAFailure() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    server.expire()
    let first = server.nextCall
    // The edge, five pages of the recovery, and the edge again.
    server.errors.change { $0[first + 6] = PagingError.cursorExpired }
    try await pager.see(35..<45)
    #expect(server.starts(since: first) == [50, nil, 10, 20, 30, 40, 50])
    #expect(code(pager.snapshot.source.append) == .cursorExpired)
    #expect(pager.snapshot.source.refresh == .notLoading(endReached: false))
    #expect(pager.snapshot.ids == Array(0..<50))
    // Somebody asks: the list starts again.
    server.errors.change { $0[server.nextCall] = PagingError.cursorExpired }
    try await pager.retry(.append).finished()
    await pager.settled()
    #expect(pager.snapshot.ids == Array(0..<60))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P33_aPageInBetweenAllowsAnother() async throws {
    let (server, log) = (TokenServer(ListServer(count: 100)), EventLog())
    let pager = try await started(server, observer: log.observer)
    for row in [35, 45, 55, 65] {
      server.expire()
      try await pager.see(row..<row + 10)
      #expect(pager.snapshot.source.failures.isEmpty)
      #expect(pager.snapshot.ids == Array(0..<row + 25))
    }
    #expect(try await log.reasons(4) == ["expiry", "expiry", "expiry", "expiry"])
  }

  @Test func P33_cursorsThatNeverLastAreNotAskedWithoutEnd() async throws {
    let server = TokenServer(ListServer(count: 1_000))
    let config = PagingConfig(pageSize: 10, prefetchDistance: 8, initialLoadSize: 10)
    let pager = Pager(config: config, source: server.source)
    await pager.settled()
    // Every page that an edge loads brings one row, and the next one expires.
    server.longest.change { $0 = 1 }
    let first = server.nextCall
    for number in stride(from: first, to: first + 300, by: 3) {
      server.errors.change { $0[number] = PagingError.cursorExpired }
    }
    try await pager.see(0..<9)
    // Three times the edge, the start of the list and the edge again; then it is a failure.
    #expect(server.starts(since: first) == [10, nil, 10, 11, nil, 10, 11, nil, 10, 11])
    #expect(code(pager.snapshot.source.append) == .cursorExpired)
    #expect(pager.snapshot.ids == Array(0..<11))
  }

  // MARK: - Commands

  @Test func P12_aCommandThatWaitedForThePageEndsWithIt() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    server.expire()
    try await pager.load(.append).finished()
    #expect(pager.snapshot.ids == Array(0..<60))
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 30))
  }

  @Test func P12_aCommandThatWaitedFailsWithTheRecovery() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    server.expire()
    server.errors.change { $0[server.nextCall + 1] = PagingError.cursorExpired }
    let command = pager.load(.append)
    let error = await #expect(throws: PagingError.self) { try await command.finished() }
    #expect(error?.code == .cursorExpired)
    #expect(pager.snapshot.ids == Array(0..<50))
  }

  @Test func P12_aLaterRefreshEndsARecoveryAndWhoWaitsForIt() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    server.expire()
    let hold = server.hold(server.nextCall + 1)
    let command = pager.load(.append)
    await hold.reached()
    let refresh = pager.refresh(from: .start)
    await #expect(throws: CancellationError.self) { try await command.finished() }
    try await hold.cancelled()
    try await refresh.finished()
    #expect(pager.snapshot.ids.first == 0)
  }

  @Test func P33_aRefreshByAnExpiredKeyStartsAgainAndEndsWell() async throws {
    let (server, log) = (TokenServer(ListServer(count: 100)), EventLog())
    let pager = try await started(server, observer: log.observer)
    server.expire()
    server.list.edit { $0.remove(at: 0) }
    let first = server.nextCall
    try await pager.refresh().finished()
    #expect(server.starts(since: first).prefix(3) == [30, nil, 11])
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 29))
    #expect(pager.snapshot.ids.first == 1)
    #expect(try await log.reasons(1) == ["expiry"])
  }

  @Test func P33_aJumpToAnExpiredKeyFailsAndTheListStays() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    let old = server.token(from: 70)
    server.expire()
    let first = server.nextCall
    let error = await #expect(throws: PagingError.self) { try await pager.jump(toKey: old).finished() }
    #expect(error?.code == .cursorExpired)
    #expect(server.starts(since: first) == [70])
    #expect(pager.snapshot.ids == Array(0..<50))
  }

  @Test func P33_withoutAViewportTheListIsReadAgainToItsEdge() async throws {
    let server = TokenServer(ListServer(count: 100))
    let manual = PagingConfig(pageSize: 10, prefetchDistance: 0, initialLoadSize: 10)
    let pager = Pager(config: manual, source: server.source)
    await pager.settled()
    for _ in 0..<3 { try await pager.load(.append).finished() }
    server.expire()
    try await pager.load(.append).finished()
    #expect(pager.snapshot.ids == Array(0..<50))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  // MARK: - Meanwhile

  @Test func P36_anExpiryWhileSuspendedIsACancellation() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    server.expire()
    let first = server.nextCall
    let hold = server.hold(first)
    pager.look(at: 35..<45)
    await hold.reached()
    pager.conditions = .suspended
    hold.open()
    await pager.settled()
    #expect(server.nextCall == first + 1)
    #expect(pager.snapshot.source.failures.isEmpty)
    pager.conditions = .normal
    await pager.settled()
    #expect(server.starts(since: first).prefix(3) == [50, 50, nil])
    #expect(pager.snapshot.ids == Array(0..<60))
  }

  @Test func P36_aRecoveryThatWasSuspendedGoesOn() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    server.expire()
    let first = server.nextCall
    let hold = server.hold(first + 2)
    pager.look(at: 35..<45)
    await hold.reached()
    pager.conditions = .suspended
    hold.open()
    await pager.settled()
    pager.conditions = .normal
    await pager.settled()
    #expect(pager.snapshot.ids == Array(0..<60))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P33_anEdgeThatExpiresWhileARefreshRunsBeginsNothing() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server)
    let first = server.nextCall
    let (edge, refreshed) = (server.hold(first), server.hold(first + 1))
    let command = pager.load(.append)
    await edge.reached()
    let refresh = pager.refresh(from: .start)
    await refreshed.reached()
    server.expire()
    edge.open()
    // The edge has ended before the refresh goes on.
    try await pager.first { $0.source.append == .notLoading(endReached: false) }
    #expect(pager.snapshot.source.refresh == .loading)
    refreshed.open()
    try await refresh.finished()
    try await command.finished()
    await pager.settled()
    #expect(server.starts(since: first).prefix(3) == [50, nil, 10])
    #expect(pager.snapshot.source.failures.isEmpty)
    #expect(pager.snapshot.ids == Array(0..<pager.snapshot.count))
  }

  @Test func P33_bothEdgesExpireInOneRecovery() async throws {
    let (server, log) = (TokenServer(ListServer(count: 100), goesBack: true), EventLog())
    let pager = Pager(
      config: config, initialKey: server.token(from: 50), observer: log.observer, source: server.source)
    await pager.settled()
    let (one, other) = (server.hold(2), server.hold(3))
    pager.look(at: 2..<8)
    await one.reached()
    await other.reached()
    server.expire()
    one.open()
    other.open()
    await pager.settled()
    try await log.caughtUp(with: pager)
    #expect(log.ended(nil, "cursorExpired").count == 2)
    #expect(try await log.reasons(1) == ["expiry"])
    #expect(pager.snapshot.anchor?.kind == .kept)
    #expect(pager.screen(from: 52) == Array(52..<62))
  }

  // MARK: - The first load

  @Test func P33_aFirstKeyThatHasExpiredStartsAtTheRecoveryKey() async throws {
    let server = TokenServer(ListServer(count: 100))
    let old = server.token(from: 50)
    server.expire()
    server.recovery.change { $0 = server.token(from: 20) }
    let pager = Pager(config: config, initialKey: old, source: server.source)
    await pager.settled()
    #expect(server.starts(since: 1) == [50, 20])
    #expect(pager.snapshot.ids == Array(20..<30))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P33_aFirstLoadThatExpiresTwiceIsAFailure() async throws {
    let server = TokenServer(ListServer(count: 100))
    for number in 1...2 { server.errors.change { $0[number] = PagingError.cursorExpired } }
    let pager = Pager(config: config, source: server.source)
    await pager.settled()
    #expect(server.nextCall == 3)
    #expect(code(pager.snapshot.source.refresh) == .cursorExpired)
    try await pager.retry().finished()
    #expect(pager.snapshot.ids == Array(0..<10))
  }
}
