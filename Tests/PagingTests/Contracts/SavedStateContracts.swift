import Foundation
import Loading
import Paging
import PagingTesting
import Testing

/// P9, P10 and P35: a list that comes back where it was left.
@Suite(.timeLimit(.minutes(10))) struct SavedStateContracts {
  private let config = PagingConfig(pageSize: 10, initialLoadSize: 10)

  private func restored(
    _ server: TokenServer, _ state: PagingSavedState<Token, Int>, observer: PagingObserver? = nil
  ) -> Pager<Token, Row> {
    Pager(config: config, restoring: state, observer: observer, source: server.source)
  }

  private func started(_ server: TokenServer, screens: Int) async throws -> Pager<Token, Row> {
    let pager = Pager(config: config, source: server.source)
    await pager.settled()
    for screen in 0...screens { try await pager.see(screen * 10..<screen * 10 + 10) }
    return pager
  }

  // MARK: - Saving

  @Test func P10_theSavedPlaceIsTheFirstRowOnScreen() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = Pager(config: config, source: server.source)
    #expect(pager.savedState() == nil)
    await pager.settled()
    #expect(pager.savedState() == PagingSavedState(key: nil, anchor: 0))
    for row in [0, 10, 20] { try await pager.see(row..<row + 10) }
    #expect(pager.savedState() == PagingSavedState(key: server.token(from: 20), anchor: 20))
    pager.look(at: 17..<27)
    #expect(pager.savedState() == PagingSavedState(key: server.token(from: 10), anchor: 17))
  }

  @Test func P10_anEmptyListHasNoPlace() async throws {
    let pager = Pager(config: config, source: TokenServer(ListServer(count: 0)).source)
    await pager.settled()
    #expect(pager.savedState() == nil)
  }

  @Test func P10_aViewportInPlaceholdersSavesTheNearestRow() async throws {
    let source = ListServer(count: 100).source(counts: true)
    let pager = Pager(config: config, source: source)
    await pager.settled()
    pager.conditions = .suspended
    pager.look(at: 80..<90)
    #expect(pager.savedState() == PagingSavedState(key: nil, anchor: 9))
  }

  @Test func P9_aStateSurvivesItsEncoding() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = try await started(server, screens: 3)
    let state = try #require(pager.savedState())
    let data = try JSONEncoder().encode(state)
    let decoded = try JSONDecoder().decode(PagingSavedState<Token, Int>.self, from: data)
    #expect(decoded == state)
    #expect(Set([decoded]).contains(state))
    let again = restored(server, decoded)
    await again.settled()
    #expect(!again.snapshot.source.prepend.isAtEnd)
  }

  // MARK: - Restoring

  @Test func P9_theListComesBackWhereItWasLeft() async throws {
    let (server, log) = (TokenServer(ListServer(count: 100), goesBack: true), EventLog())
    let old = try await started(server, screens: 3)
    try await old.see(34..<44)
    let state = try #require(old.savedState())
    server.hold(server.nextCall)
    let first = server.nextCall
    let pager = restored(server, state, observer: log.observer)
    #expect(pager.savedState() == state)
    let settled = Task { await pager.settled() }
    await server.hold(first).reached()
    #expect(pager.savedState() == state)
    server.hold(first).open()
    await settled.value
    // Its page, and what a screen there wants around it, side by side.
    let types = server.calls.value.dropFirst(first - 1).map(\.type)
    #expect(types.first == .refresh && types.count == 3 && Set(types.dropFirst()) == [.prepend, .append])
    #expect(pager.snapshot.ids == Array(20..<50))
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 14))
    #expect(pager.snapshot.position.rowsBefore == 14)
    #expect(pager.savedState() == state)
    #expect(log.events.first { $0.name == "load" }?.reason == "restore")
    // A screen's own report counts alone from then on.
    pager.look(at: 16..<26)
    #expect(pager.savedState()?.anchor == 36)
    try await pager.see(14..<24)
    let calls = server.nextCall
    try await pager.see(0..<10)
    #expect(server.nextCall == calls + 1)
    #expect(pager.snapshot.ids == Array(10..<60))
    for _ in 0..<3 { try await pager.see(0..<5) }
    #expect(pager.snapshot.source.prepend.isAtEnd)
    #expect(pager.snapshot.ids.first == 0)
  }

  @Test(arguments: [-12, -3, 4, 13])
  func P10_aRowThatHasMovedIsFoundNearby(by distance: Int) async throws {
    let list = ListServer(count: 100)
    let old = Pager(config: config, source: list.source())
    await old.settled()
    for row in [0, 10, 20, 30, 34] { try await old.see(row..<row + 10) }
    let state = try #require(old.savedState())
    #expect(state == PagingSavedState(key: 30, anchor: 34))
    list.edit { rows in
      if distance < 0 {
        rows.removeFirst(-distance)
      } else {
        rows.insert(contentsOf: (1_000..<1_000 + distance).map { Row(id: $0) }, at: 0)
      }
    }
    let source = list.source()
    let pager = Pager(config: config, restoring: state, source: source)
    let first = try await pager.first { $0.phase == .content }
    #expect(first.anchor?.kind == .kept)
    #expect(first.anchor?.index.flatMap { first[$0].item?.id } == 34)
    await pager.settled()
    #expect(pager.snapshot.anchor?.index == pager.snapshot.position.rowsBefore)
  }

  @Test func P10_aRowThatIsGoneIsLostAfterALookAround() async throws {
    let server = TokenServer(ListServer(count: 1_000), goesBack: true)
    let state = PagingSavedState(key: server.token(from: 500), anchor: 504)
    server.list.edit { $0.removeAll { $0.id == 504 } }
    let pager = restored(server, state)
    let first = try await pager.first { $0.phase == .content }
    #expect(first.anchor == AnchorOutcome(kind: .lost, index: nil))
    #expect(first.count == 50)
    await pager.settled()
    // It stands at the first row that the key brought.
    #expect(pager.snapshot.firstOnScreen == 500)
    #expect(server.nextCall == 6)
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P9_aPageWithoutARowIsAPlaceToo() async throws {
    let server = TokenServer(ListServer(count: 100))
    let pager = restored(server, PagingSavedState(key: server.token(from: 40), anchor: nil))
    await pager.settled()
    #expect(pager.snapshot.ids == Array(40..<50))
    #expect(pager.snapshot.anchor == nil)
  }

  // MARK: - Keys that are refused

  @Test(arguments: [PagingError.cursorExpired, PagingError(.invalidKey)])
  func P33_aRefusedKeyStartsTheListAgain(_ error: PagingError) async throws {
    let server = TokenServer(ListServer(count: 100))
    server.errors.change { $0[1] = error }
    let pager = restored(server, PagingSavedState(key: server.token(from: 30), anchor: 34))
    await pager.settled()
    #expect(server.starts(since: 1) == [30, nil, 10, 20, 30, 40])
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 34))
    #expect(pager.snapshot.position.rowsBefore == 34)
    #expect(pager.snapshot.source.prepend.isAtEnd)
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P33_aRefusedKeyOfAFarPlaceShowsTheStart() async throws {
    let server = TokenServer(ListServer(count: 1_000))
    let old = server.token(from: 500)
    server.expire()
    let pager = restored(server, PagingSavedState(key: old, anchor: 504))
    await pager.settled()
    #expect(server.nextCall == 7)
    #expect(pager.snapshot.anchor?.kind == .lost)
    #expect(pager.snapshot.position.rowsBefore == 0)
    #expect(pager.snapshot.ids == Array(0..<50))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P9_anotherFailureIsShownAndRetryTriesTheKeyAgain() async throws {
    let server = TokenServer(ListServer(count: 100))
    server.errors.change { $0[1] = Offline() }
    let state = PagingSavedState(key: server.token(from: 30), anchor: 34)
    let pager = restored(server, state)
    await pager.settled()
    #expect(pager.snapshot.source.refresh.failure?.error is Offline)
    #expect(pager.savedState() == state)
    try await pager.retry().finished()
    #expect(server.starts(since: 1).prefix(2) == [30, 30])
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 4))
  }

  @Test func P9_aRefreshBeforeTheFirstRowsKeepsThePlace() async throws {
    let server = TokenServer(ListServer(count: 100), holding: [1])
    let pager = restored(server, PagingSavedState(key: server.token(from: 30), anchor: 34))
    let settled = Task { await pager.settled() }
    await server.hold(1).reached()
    try await pager.refresh().finished()
    #expect(pager.snapshot.anchor == AnchorOutcome(kind: .kept, index: 4))
    try await pager.refresh(from: .start).finished()
    #expect(pager.snapshot.ids.first == 0)
    await settled.value
  }

  // MARK: - The front of a source that only goes forward

  @Test func P9_aForwardOnlyListRestoredInTheMiddleDoesNotClaimItsBegin() async throws {
    let server = TokenServer(ListServer(count: 100))
    let old = try await started(server, screens: 3)
    let state = try #require(old.savedState())
    for state in [state, PagingSavedState(key: server.token(from: 30), anchor: 30)] {
      let pager = restored(server, state)
      await pager.settled()
      #expect(pager.snapshot.ids == Array(30..<50))
      #expect(pager.snapshot.source.prepend == .notLoading(endReached: false))
      try await pager.see(0..<10)
      #expect(code(pager.snapshot.source.prepend) == .unreachableTarget)
      #expect(pager.snapshot.ids == Array(30..<50))
      // A refresh around the row knows no more of the front than before.
      try await pager.refresh().finished()
      #expect(!pager.snapshot.source.prepend.isAtEnd)
      try await pager.refresh(from: .start).finished()
      #expect(pager.snapshot.source.prepend.isAtEnd)
      #expect(pager.snapshot.ids.first == 0)
    }
  }

  @Test func P9_aListRestoredAtItsBeginEndsThere() async throws {
    let server = TokenServer(ListServer(count: 100))
    // The first page by a key of its own.
    let key = server.token(from: 0)
    let old = Pager(config: config, initialKey: key, source: server.source)
    await old.settled()
    try await old.see(3..<9)
    let state = try #require(old.savedState())
    #expect(state == PagingSavedState(key: key, anchor: 3))
    let pager = restored(server, state)
    await pager.settled()
    #expect(pager.snapshot.source.prepend.isAtEnd)
    let start = restored(server, PagingSavedState(key: nil, anchor: 3))
    await start.settled()
    #expect(start.snapshot.source.prepend.isAtEnd)
  }

  @Test func P9_aListThatGoesBackEndsWhereItsSourceSaysSo() async throws {
    let server = TokenServer(ListServer(count: 100), goesBack: true)
    let pager = restored(server, PagingSavedState(key: server.token(from: 12), anchor: 14))
    await pager.settled()
    for _ in 0..<3 { try await pager.see(0..<5) }
    #expect(pager.snapshot.ids.first == 0)
    #expect(pager.snapshot.source.prepend.isAtEnd)
  }
}
