import Paging
import PagingTesting
import Synchronization
import Testing

@testable import PagingStore

/// What a refresh does, by the list's policy.
@Suite struct RefreshPolicyTests {
  private static func pager(
    _ server: NoticeServer, _ policy: ListPolicy, config: PagingConfig = twenty
  ) async throws -> (StoredPager<Notice>, StoredList<Notice>) {
    let list = try ListStore.inMemory().list("home", policy: policy, remote: server.anchored)
    let pager = list.pager(config: config)
    await pager.settled()
    return (pager, list)
  }

  @Test func S3_aFirstStartAsksForTheHead() async throws {
    let server = NoticeServer(from: 90, to: 1)
    let (pager, list) = try await Self.pager(server, ListPolicy())
    #expect(pager.snapshot.picture == "90-71")
    #expect(server.asked == 1)
    #expect(pager.snapshot.mediator.refresh == .notLoading(endReached: false))
    #expect(try await list.picture() == "90-71")
  }

  @Test func S3_recordLeavesTheGapToTheReader() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let (pager, _) = try await Self.pager(server, ListPolicy(gaps: .record))
    server.publish(51...90)
    try await pager.refresh(from: .start).finished()
    #expect(pager.snapshot.picture == "90-71")
    try await pager.read(downTo: 45)
    #expect(pager.snapshot.picture.hasSuffix("-71 gap 50-31"))
  }

  @Test func S3_discardGivesUpWhatIsBelow() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let (pager, list) = try await Self.pager(server, ListPolicy(gaps: .discard))
    server.publish(51...90)
    try await pager.refresh(from: .start).finished()
    #expect(try await list.picture() == "90-71")
    #expect(try list.core.number(of: ItemKey(40), kind: Notice.storedKind) != nil, "items stay stored")
    try await list.tail(20)
    #expect(try await list.picture() == "90-51")
  }

  @Test func S3_discardGivesUpNothingWithoutAGap() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let (pager, list) = try await Self.pager(server, ListPolicy(gaps: .discard))
    server.publish(51...60)
    try await pager.refresh(from: .start).finished()
    #expect(try await list.picture() == "60-31")
  }

  @Test func S3_catchUpFillsTheGapByPages() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let (pager, list) = try await Self.pager(server, ListPolicy(gaps: .catchUp(maxPages: 5)))
    server.publish(51...120)
    let before = server.asked
    try await pager.refresh(from: .start).finished()
    #expect(try await list.picture() == "120-31")
    #expect(server.asked - before == 4)
  }

  @Test func S3_catchUpStopsAfterItsPagesAndRecordsTheRest() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let (pager, list) = try await Self.pager(server, ListPolicy(gaps: .catchUp(maxPages: 2)))
    server.publish(51...150)
    try await pager.refresh(from: .start).finished()
    #expect(try await list.picture() == "150-91 gap 50-31")
    // The next refresh goes on with the gap that is there.
    try await pager.refresh(from: .start).finished()
    #expect(try await list.picture() == "150-51 gap 50-31")
  }

  @Test func S2_aReplacingRefreshSwitchesOnceWhenItCoversTheScreen() async throws {
    let server = NoticeServer(from: 200, to: 1)
    let (pager, list) = try await Self.pager(server, ListPolicy(freshness: .replace))
    try await pager.read(downTo: 121)
    #expect(try await list.picture() == "200-121")
    await pager.see(140)
    server.publish(201...210)
    // While pages are gathered the stored list is the old one.
    let seen = Mutex<[String]>([])
    server.beforeEachRequest { [list] _, _ in
      let held = (try? list.facts().runs.count) ?? 0
      let depth = (try? list.depth(of: 200, limit: 99)) ?? nil
      seen.withLock { $0.append("\(held) \(depth ?? -1)") }
    }
    try await pager.refresh(from: .anchor).finished()
    #expect(seen.withLock { $0 }.allSatisfy { $0 == "1 0" })
    #expect(seen.withLock { $0 }.count == 5, "as many pages as reach down to the row, and a page of rows from there on")
    #expect(try await list.picture() == "210-111")
    #expect(pager.snapshot.anchor?.kind == .kept)
    #expect(pager.snapshot.notes.contains(140))
  }

  @Test func S2_aReplacingRefreshThatFailsChangesNothing() async throws {
    let line = Line()
    let server = NoticeServer(from: 200, to: 1)
    let list = try ListStore.inMemory().list(
      "home", policy: ListPolicy(freshness: .replace), remote: server.anchored(over: line))
    let pager = list.pager(config: twenty)
    await pager.settled()
    try await pager.read(downTo: 121)
    await pager.see(140)
    server.publish(201...210)
    server.beforeRequest(server.asked + 2) { _ in line.cut() }
    await #expect(throws: Line.Down.self) { try await pager.refresh(from: .anchor).finished() }
    #expect(try await list.picture() == "200-121")
    #expect(pager.snapshot.notes.contains(140))
    #expect(pager.snapshot.mediator.refresh.failure?.error is Line.Down)
  }

  @Test func S3_prependLeavesTheReadersRowWhereItIs() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let (pager, _) = try await Self.pager(server, ListPolicy(freshness: .prepend))
    await pager.see(45)
    server.publish(51...60)
    try await pager.refresh(from: .anchor).finished()
    let anchor = try #require(pager.snapshot.anchor)
    #expect(anchor.kind == .kept)
    #expect(anchor.index.map { pager.snapshot[$0].item?.item?.id } == 45)
    try await pager.read(upTo: 60)
    #expect(pager.snapshot.notes.first == 60)
  }

  @Test func S3_theListEndsWhereTheRemoteSaysSo() async throws {
    let server = NoticeServer(from: 30, to: 1)
    let (pager, _) = try await Self.pager(server, ListPolicy())
    try await pager.read(downTo: 1)
    #expect(pager.snapshot.notes.last == 1)
    #expect(pager.snapshot.states.append.isAtEnd)
    let before = server.asked
    try await pager.read(upTo: 31)
    #expect(server.asked == before, "neither end asks again")
    #expect(pager.snapshot.notes.first == 30)
    #expect(pager.snapshot.states.prepend.isAtEnd)
  }

  @Test func B73_anItemThatMovesToTheTopWhileThePagesAreReadIsOneRow() async throws {
    let server = NoticeServer(from: 90, to: 1)
    let list = try ListStore.inMemory().list("active", remote: server.downward)
    try await list.head(20)
    server.move(75, to: 0)
    try await list.tail(20)
    try await list.head(20)
    #expect(try await list.picture() == "75 90-76 74-51")
  }

  @Test func B95_aFailedRequestLeavesTheRowsAndTheEdgeSaysRetry() async throws {
    let line = Line()
    let server = NoticeServer(from: 90, to: 1)
    let list = try ListStore.inMemory().list("home", remote: server.downward(over: line))
    let pager = list.pager(config: twenty)
    await pager.settled()
    line.cut()
    await #expect(throws: Line.Down.self) { try await pager.load(.append).finished() }
    #expect(pager.snapshot.picture == "90-71")
    #expect(pager.snapshot.states.append.failure?.error is Line.Down)

    // A pager that starts anew shows no spinner that nobody ends, and asks again.
    let second = list.pager(config: twenty)
    await second.settled()
    #expect(second.snapshot.picture == "90-71")
    #expect(second.snapshot.states.refresh.failure?.error is Line.Down)
    line.mend()
    try await second.retry().finished()
    try await second.read(downTo: 51)
    #expect(second.snapshot.notes.last == 51)
    #expect(second.snapshot.states.refresh.failure == nil)
  }

  @Test func S3_theChangeLogCatchesAKeyedListUp() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let log = NoticeLog()
    let source = LoggedNotes(server: server, log: log)
    let list = try ListStore.inMemory().list(
      "home", policy: ListPolicy(order: .keyed, gaps: .catchUp(maxPages: 3)), remote: source)
    let pager = list.pager(config: twenty)
    await pager.settled()
    server.publish(51...110)
    log.note(upserts: Notice.from(110, to: 51))
    server.delete(40)
    log.note(deletions: [40])
    let pages = server.asked
    try await pager.refresh(from: .start).finished()
    #expect(server.asked - pages == 1, "the head page, and no page of the gap")
    #expect(try await list.picture() == "110-41 39-31")
    #expect(try list.changeToken() == "2")
  }

  @Test func S3_aLogThatCannotTellLeavesTheRestToPages() async throws {
    let server = NoticeServer(from: 50, to: 1)
    let log = NoticeLog()
    let list = try ListStore.inMemory().list(
      "home", policy: ListPolicy(order: .keyed, gaps: .catchUp(maxPages: 3)),
      remote: LoggedNotes(server: server, log: log))
    let pager = list.pager(config: twenty)
    await pager.settled()
    server.publish(51...90)
    log.forget()
    try await pager.refresh(from: .start).finished()
    #expect(try await list.picture() == "90-31")
  }
}

/// A log of what happened to notes.
final class NoticeLog: Sendable {
  private struct State {
    var pages: [ChangeLogPage<Notice>] = []
    var isForgotten = false
  }

  private let state = Mutex(State())

  func note(upserts: [Notice] = [], deletions: [Int] = []) {
    state.withLock { $0.pages.append(ChangeLogPage(upserts: upserts, deletions: deletions, nextToken: nil)) }
  }

  func forget() { state.withLock { $0.isForgotten = true } }

  func changes(since token: String?) -> ChangeLogPage<Notice> {
    state.withLock { state in
      let from = token.flatMap { Int($0) } ?? 0
      if state.isForgotten || token == nil {
        return ChangeLogPage(upserts: [], nextToken: "\(state.pages.count)", needsFullReload: true)
      }
      guard state.pages.indices.contains(from) else { return ChangeLogPage(upserts: [], nextToken: token) }
      var page = state.pages[from]
      page.nextToken = "\(from + 1)"
      page.hasMore = from + 1 < state.pages.count
      return page
    }
  }
}

private struct LoggedNotes: ChangeLogSource {
  let server: NoticeServer
  let log: NoticeLog

  @concurrent func load(_ params: LoadParams<String>) async throws -> Page<String, Notice> {
    var page = try server.page(params)
    page.previousKey = nil
    return page
  }
  @concurrent func changes(since token: String?) async throws -> ChangeLogPage<Notice> { log.changes(since: token) }
}
