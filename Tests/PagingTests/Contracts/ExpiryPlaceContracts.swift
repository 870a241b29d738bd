import Paging
import PagingTesting
import Testing

/// P33 and P10: where a reader is after a recovery, and how far it reads.
@Suite(.timeLimit(.minutes(10))) struct ExpiryPlaceContracts {
  private let config = PagingConfig(pageSize: 10, initialLoadSize: 10)

  private func started(_ server: TokenServer, screens: Int) async throws -> Pager<Token, Row> {
    let pager = Pager(config: config, source: server.source)
    await pager.settled()
    for screen in 0...screens { try await pager.see(screen * 10..<screen * 10 + 10) }
    return pager
  }

  @Test func P10_aRowThatIsGoneMovesToItsNearestSurvivor() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server, screens: 3)
    server.expire()
    server.list.edit { $0.removeAll { (33..<37).contains($0.id) } }
    try await pager.see(35..<45)
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .moved, index: 33))
    #expect(pager.snapshot[33].item?.id == 37)
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P10_anotherListInItsPlaceLosesTheRow() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server, screens: 3)
    server.expire()
    server.list.edit { $0 = (500..<3_000).map { Row(id: $0) } }
    let (first, shown) = (server.nextCall, pager.snapshot.ids)
    try await pager.see(35..<45)
    // The edge; five pages up to the end of the screen, and two more.
    #expect(server.nextCall - first == 1 + 7)
    #expect(pager.snapshot.ids == shown)
    #expect(code(pager.snapshot.source.refresh) == .cursorExpired)
    // Somebody asks for more, and what comes has nothing of the old list either.
    try await pager.retry().finished()
    #expect(pager.snapshot.anchor?.kind == .lost)
    #expect(pager.snapshot.ids.first == 500)
    #expect(pager.snapshot.source.failures.isEmpty)
    #expect(server.nextCall - first <= 1 + 7 + 50 + 2)
  }

  @Test func P33_aShorterListIsShownAsItIs() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server, screens: 3)
    server.expire()
    server.list.edit { $0.removeSubrange(12...) }
    try await pager.see(35..<45)
    #expect(pager.snapshot.ids == Array(0..<12))
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .moved, index: 11))
    #expect(pager.snapshot.source.append.isAtEnd)
  }

  /// So much came in front that the row is not reached: nobody asked for the rows on screen to go.
  @Test func P33_aPlaceOutOfReachFailsAndRetryReadsOn() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server, screens: 3)
    let shown = pager.snapshot.ids
    server.expire()
    server.list.edit { $0.insert(contentsOf: (-65..<0).map { Row(id: $0) }, at: 0) }
    let first = server.nextCall
    try await pager.see(35..<45)
    // Five pages and two more, of which none reaches row 35: the last one brings the first row that is known.
    #expect(server.starts(since: first) == [50, nil, -55, -45, -35, -25, -15, -5])
    #expect(pager.snapshot.ids == shown)
    #expect(code(pager.snapshot.source.refresh) == .cursorExpired)
    #expect(pager.snapshot.phase == .content)
    try await pager.retry(.refresh).finished()
    #expect(server.starts(since: first).dropFirst(8).prefix(4) == [5, 15, 25, 35])
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 100))
  }

  @Test func P33_aFarPlaceIsReadInParts() async throws {
    let server = TokenServer(ListServer(count: 1_000))
    let pager = try await started(server, screens: 70)
    let shown = pager.snapshot.ids
    server.expire()
    let first = server.nextCall
    let last = pager.snapshot.count
    try await pager.see(last - 10..<last)
    #expect(server.nextCall - first == 1 + 50)
    #expect(pager.snapshot.ids == shown)
    #expect(code(pager.snapshot.source.refresh) == .cursorExpired)
    try await pager.retry().finished()
    await pager.settled()
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: last - 10))
    #expect(pager.snapshot.source.failures.isEmpty)
    #expect(pager.snapshot.ids == Array(0..<pager.snapshot.count))
  }

  /// With a cap the rows in front are not held, and the way is as long all the same.
  @Test func P33_droppedPagesInFrontCount() async throws {
    let server = TokenServer(ListServer(count: 1_000))
    let capped = try PagingConfig(pageSize: 10, initialLoadSize: 10, maxSize: 40)
    let pager = Pager(config: capped, source: server.source)
    await pager.settled()
    while pager.snapshot.ids.last != 299 {
      try await pager.see(pager.snapshot.count - 11..<pager.snapshot.count - 1)
    }
    server.expire()
    let row = try #require(pager.snapshot[pager.snapshot.count - 9].item?.id)
    try await pager.see(pager.snapshot.count - 9..<pager.snapshot.count)
    #expect(pager.snapshot.anchor?.kind == .kept)
    #expect(pager.screen(from: row) == Array(row..<row + 10))
    #expect(row > 280)
    #expect(pager.snapshot.ids.count <= 60)
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P33_theReaderMayScrollMeanwhile() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server, screens: 3)
    server.expire()
    let hold = server.hold(server.nextCall + 2)
    pager.look(at: 35..<45)
    await hold.reached()
    pager.look(at: 5..<15)
    hold.open()
    await pager.settled()
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 5))
    #expect(pager.snapshot.position.rowsBefore == 5)
    #expect(pager.snapshot.source.failures.isEmpty)
  }
}
