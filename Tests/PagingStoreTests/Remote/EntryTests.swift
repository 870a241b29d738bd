import Loading
import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// Where a list is opened, and how a reader comes to its newest rows and back.
@Suite(.timeLimit(.minutes(10))) struct EntryTests {
  private static func list(
    _ server: NoticeServer, _ policy: ListPolicy = ListPolicy(), line: Line = Line()
  ) throws -> StoredList<Notice> {
    try ListStore.inMemory().list("home", policy: policy, remote: server.anchored(over: line))
  }

  @Test func S5_aStoredItemOpensFromTheStoreWithoutARequest() async throws {
    let server = NoticeServer(from: 200, to: 1)
    let list = try Self.list(server)
    try await list.head(100)
    let before = server.asked
    let pager = list.pager(config: twenty, at: .item(150))
    await pager.settled()
    #expect(pager.snapshot.notes.contains(150))
    #expect(server.asked == before)
    // Both edges load on, from the store first.
    try await pager.read(upTo: 170)
    try await pager.read(downTo: 110)
    #expect(pager.snapshot.notes.contains(110))
    #expect(server.asked == before)
  }

  @Test func S5_anItemThatIsNotStoredIsAskedFor() async throws {
    let server = NoticeServer(from: 200, to: 1)
    let list = try Self.list(server, ListPolicy(order: .keyed))
    let pager = list.pager(config: twenty, at: .item(100))
    await pager.settled()
    #expect(pager.snapshot.notes.contains(100))
    #expect(server.requests.map(\.view) == [.around])
    try await pager.read(downTo: 85)
    #expect(pager.snapshot.notes.contains(85))
    try await pager.read(upTo: 120)
    #expect(pager.snapshot.notes.contains(120))
    #expect(try !(await list.picture()).contains("gap"))
  }

  @Test func S5_anItemThatTheRemoteDoesNotHaveIsAFailureThatSaysSo() async throws {
    let server = NoticeServer(from: 20, to: 1)
    let pager = try Self.list(server).pager(config: twenty, at: .item(777))
    await pager.settled()
    let error = pager.snapshot.states.refresh.failure?.error as? PagingError
    #expect(error?.code == .itemNotFound)
    #expect(pager.snapshot.items.isEmpty)
  }

  @Test func S5_aRemoteThatCannotBeAskedAroundAnItemSaysSo() async throws {
    let server = NoticeServer(from: 20, to: 1)
    let pager = try ListStore.inMemory().list("home", remote: server.downward).pager(config: twenty, at: .item(10))
    await pager.settled()
    let error = pager.snapshot.states.mediator?.refresh.failure?.error as? ListStoreError
    #expect(error?.code == .noRemote)
  }

  @Test func S5_anItemThatIsNotStoredWaitsForTheConnection() async throws {
    let line = Line()
    let server = NoticeServer(from: 200, to: 1)
    let list = try Self.list(server, ListPolicy(order: .keyed), line: line)
    line.cut()
    let pager = list.pager(config: twenty, at: .item(100))
    await pager.settled()
    #expect(pager.snapshot.states.refresh.failure?.error is Line.Down)
    line.mend()
    try await pager.retry().finished()
    await pager.settled()
    #expect(pager.snapshot.notes.contains(100))
  }

  @Test func B51_anAnchorInAGapIsARunOfItsOwnWithGapsOnBothSides() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let list = try Self.list(server, ListPolicy(order: .keyed))
    try await list.head(20)
    server.publish(51...200)
    try await list.head(20)
    let pager = list.pager(config: twenty, at: .item(120))
    await pager.settled()
    #expect(pager.snapshot.notes.contains(120))
    #expect(try await list.picture() == "200-181 gap 130-111 gap 50-31")
  }

  @Test func B52_anAnchorWindowThatBridgesTwoRunsJoinsThem() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let list = try Self.list(server)
    try await list.head(20)
    server.publish(51...90)
    try await list.head(20)
    let config = PagingConfig(pageSize: 20, prefetchDistance: 0, initialLoadSize: 60)
    let pager = list.pager(config: config, at: .item(60))
    await pager.settled()
    #expect(pager.snapshot.notes.contains(60))
    #expect(try await list.picture() == "90-31")
  }

  @Test func B44_aJumpToTheNewestKeepsTheOldWindowBehindAGap() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let list = try Self.list(server)
    let pager = list.pager(config: twenty)
    await pager.settled()
    try await pager.read(downTo: 11)
    await pager.see(20)
    server.publish(51...150)
    try list.jumpToNewest()
    await pager.settled()
    #expect(pager.snapshot.picture == "150-131")
    #expect(try await list.picture() == "150-131 gap 50-11")
  }

  @Test func B45_theWayBackToTheOldWindowNeedsNoRequest() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let list = try Self.list(server)
    let pager = list.pager(config: twenty)
    await pager.settled()
    try await pager.read(downTo: 11)
    await pager.see(20)
    server.publish(51...150)
    try list.jumpToNewest()
    await pager.settled()
    let before = server.asked
    let row = try #require(try list.rowID(of: 20))
    try await pager.jump(toItem: row).finished()
    #expect(pager.snapshot.notes.contains(20))
    #expect(server.asked == before)
  }

  @Test func S5_aJumpToTheNewestShowsTheNewestStoredRowsWithoutAConnection() async throws {
    let line = Line()
    let server = NoticeServer(from: 90, to: 1)
    let list = try Self.list(server, line: line)
    let pager = list.pager(config: twenty)
    await pager.settled()
    try await pager.read(downTo: 31)
    await pager.see(35)
    line.cut()
    server.publish(91...150)
    try list.jumpToNewest()
    await pager.settled()
    #expect(pager.snapshot.notes.first == 90)
    #expect(pager.snapshot.states.refresh.failure?.error is Line.Down)
    #expect(try await list.picture() == "90-31")
  }

  @Test func S5_aWindowBesideItsListGrowsUpwardsWhereNewRowsWait() async throws {
    let server = NoticeServer(from: 200, to: 1)
    let list = try Self.list(server, ListPolicy(freshness: .newItemsControl))
    try await list.head(20)
    let pager = list.pager(config: twenty, at: .item(100))
    await pager.settled()
    #expect(pager.snapshot.notes.contains(100))
    try await pager.read(upTo: 125)
    #expect(pager.snapshot.notes.contains(125), "it was scrolled to, so it is not what waits at the list's head")
    #expect(try await list.picture() == "200-181")
  }

  @Test func B53_twoPagersThatAskForOneWindowAtOnceBothShowIt() async throws {
    let line = Line()
    let server = NoticeServer(from: 200, to: 1)
    let list = try Self.list(server, line: line)
    try await list.head(20)
    let gate = line.hold()
    let pagers = [list.pager(config: twenty, at: .item(100)), list.pager(config: twenty, at: .item(100))]
    async let one: Void = pagers[0].settled()
    async let other: Void = pagers[1].settled()
    let flights = list.core.book(ListAsker<Notice>.Flights.self, of: list.id, make: { .init() })
    while flights.statistics.joins < 1 { await Task.yield() }
    gate.open()
    _ = await (one, other)
    for pager in pagers { #expect(pager.snapshot.notes.contains(100)) }
    #expect(server.requests.count { $0.view == .around } == 1)
  }

  @Test func B53_anUnknownAnchorOfAnOpaqueListIsAWindowOfItsOwn() async throws {
    let server = NoticeServer(from: 200, to: 1)
    let list = try Self.list(server)
    try await list.head(20)
    let pager = list.pager(config: twenty, at: .item(140))
    await pager.settled()
    #expect(pager.snapshot.notes.contains(140))
    #expect(try await list.picture() == "200-181", "the list itself is untouched")
    // Opened there again, the window is on the device.
    let before = server.asked
    let again = list.pager(config: twenty, at: .item(140))
    await again.settled()
    #expect(again.snapshot.notes.contains(140))
    #expect(server.asked == before)
    // Scrolling up meets the list: the two are one from then on.
    try await pager.read(upTo: 200)
    #expect(pager.snapshot.notes.contains(200))
    #expect(try await list.picture() == "200-131")
    await pager.see(140)
    try await pager.read(downTo: 135)
    #expect(pager.snapshot.notes.contains(135))
  }
}
