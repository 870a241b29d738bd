import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// Cursors that the remote refuses: what is tried instead, and that nothing stored goes.
@Suite struct ExpiryTests {
  @Test func B86_aRejectedCursorIsWalkedToFromTheHead() async throws {
    let server = NoticeServer(from: 90, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.downward)
    try await list.head(20)
    try await list.tail(20)
    #expect(try await list.picture() == "90-51")
    let token = try #require(try list.facts().tail?.older.token)
    server.expireCursors()
    try await list.tail(20)
    #expect(try await list.picture() == "90-31", "the walk meets the last row and brings what follows")
    // The refused cursor was sent once; the walk began at the list's start.
    let places = server.requests.dropFirst(2).map(\.place)
    #expect(places.prefix(2) == [try RemoteToken.key(token, as: String.self), nil])
    #expect(places.count { $0 == places.first } == 1)
    try await list.tail(30)
    #expect(try await list.picture() == "90-1")
  }

  @Test func B86_aRemoteThatKnowsRowsIsAskedAroundTheLastOne() async throws {
    let server = NoticeServer(from: 90, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.anchored)
    try await list.head(20)
    server.expireCursors()
    let before = server.asked
    try await list.tail(20)
    #expect(server.asked == before + 2)
    #expect(server.requests.last?.view == .around)
    // Twenty rows with the last one in the middle, and then on from their end.
    #expect(try await list.picture() == "90-62")
    try await list.tail(20)
    #expect(try await list.picture() == "90-42")
  }

  @Test func B86_aKeyedListGoesOnFromItsRow() async throws {
    let server = NoticeServer(from: 90, to: 1)
    let asked = Count()
    let keyed = server.keyed
    let source = RefusingOnce(base: keyed, asked: asked)
    let list = try ListStore.inMemory().list("home", policy: ListPolicy(order: .keyed), remote: source)
    try await list.head(20)
    #expect(try await list.picture() == "90-71")
    try await list.tail(20)
    #expect(asked.value == 1)
    #expect(try await list.picture().hasPrefix("90-5"))
    #expect(try list.facts().runs.count == 1)
  }

  @Test func S11_whereNothingLeadsOnTheEdgeIsDeadAndItsRowsStay() async throws {
    let server = NoticeServer(from: 900, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.downward)
    try await list.head(20)
    for _ in 0..<12 { try await list.tail(20) }
    #expect(try await list.picture() == "900-641")
    server.expireCursors()
    let before = server.asked
    let error = await #expect(throws: PagingError.self) { try await list.tail(20) }
    #expect(error?.code == .cursorExpired)
    #expect(server.asked - before == 1 + ListAsker<Notice>.walkedPages)
    #expect(try list.facts().tail?.older.state == .dead)
    #expect(try await list.picture() == "900-641")
    await #expect(throws: PagingError.self) { try await list.tail(20) }
    #expect(server.asked - before == 1 + ListAsker<Notice>.walkedPages, "nothing is asked at a dead edge")
  }

  @Test func S11_aWalkThatFailsLeavesAllAsItWas() async throws {
    let line = Line()
    let server = NoticeServer(from: 900, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.downward(over: line))
    try await list.head(20)
    for _ in 0..<4 { try await list.tail(20) }
    server.expireCursors()
    let facts = try list.facts()
    server.beforeRequest(server.asked + 3) { _ in line.cut() }
    await #expect(throws: Line.Down.self) { try await list.tail(20) }
    #expect(try await list.picture() == "900-801")
    #expect(try list.facts().runs.map(\.low) == facts.runs.map(\.low))
    line.mend()
    try await list.tail(20)
    #expect(try await list.picture() == "900-781")
  }

  @Test func S11_anExpiredCursorAboveAGapIsRecoveredToo() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.downward)
    try await list.head(20)
    server.publish(51...90)
    try await list.head(20)
    server.expireCursors()
    let gap = try #require(try await list.gaps().first)
    try await list.fill(gap, from: .above, size: 20)
    #expect(try await list.picture() == "90-51 gap 50-31")
  }

  @Test func B71_rowsThatDriftedAreFoundAgainFromTheHead() async throws {
    let server = NoticeServer(from: 90, to: 1)
    let source = OffsetPageSource<Notice>(overlap: 3) { try server.rows(in: $0) }
    let list = try ListStore.inMemory().list("home", remote: source)
    try await list.head(20)
    // So many rows come above that the overlap isn't found where it was.
    server.publish(91...97)
    try await list.tail(20)
    let rows = try await list.rows().compactMap { $0.item?.id }
    #expect(Set(rows).count == rows.count, "no row comes twice")
    #expect(rows.contains(60))
    #expect(Array(rows.suffix(20)) == Array(rows.suffix(20)).sorted(by: >))
  }

  @Test func B72_absenceFromAPageRemovesNothingWhereRowsGoByPosition() async throws {
    let server = NoticeServer(from: 90, to: 1)
    let source = OffsetPageSource<Notice> { try server.rows(in: $0) }
    let list = try ListStore.inMemory().list("home", remote: source)
    try await list.head(20)
    try await list.tail(20)
    for id in [60, 58, 57] { server.hide(id) }
    try await list.head(40)
    #expect(try await list.picture() == "90-51")
  }
}

/// A keyset source whose first key is refused once.
private struct RefusingOnce: PageSource {
  let base: KeysetPageSource<Int, Notice>
  let asked: Count

  @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, Notice> {
    if params.type == .append, asked.value == 0 {
      asked.up()
      throw PagingError.cursorExpired
    }
    return try await base.load(params)
  }
  func refreshKey(for state: PagingState<Int, Notice>) -> Int? { base.refreshKey(for: state) }
  var keyKind: KeyKind { .keyset }
}
