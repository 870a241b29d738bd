import Foundation
import PagingTesting
import Testing

@testable import Paging
@testable import PagingStore

/// Who is told of a change, and of what.
///
/// What isn't told is seen by what comes next: had it been told, that would have been folded into it.
@Suite(.timeLimit(.minutes(10))) struct ObservationTests {
  private typealias Changes = AsyncStream<SourceChange<ListRow<Note>>>

  private let store: ListStore
  private let list: StoredList<Note>
  private let other: StoredList<Note>
  /// A source that is let go of says no more.
  private let sources = Locked<[StoredPageSource<Note>]>([])

  init() throws {
    store = try ListStore.inMemory()
    list = store.list("list", policy: ListPolicy(order: .keyed))
    other = store.list("other", policy: ListPolicy(order: .keyed))
  }

  /// The next thing that a stream says.
  private func next(_ stream: Changes) async -> String {
    var iterator = stream.makeAsyncIterator()
    guard let change = await iterator.next() else { return "ended" }
    switch change.kind {
    case .everything: return "everything"
    case .items(let rows): return rows.compactMap(\.item).map { "\($0.id) \($0.text)" }.sorted().joined(separator: ", ")
    }
  }

  /// A source that has read so many rows from the head, and what it says.
  private func watching(_ list: StoredList<Note>, rows: Int) async throws -> (StoredPageSource<Note>, Changes) {
    let source = list.pageSource()
    let changes = try #require(source.changes())
    _ = try await source.load(LoadParams(.refresh, loadSize: rows))
    sources.change { $0.append(source) }
    return (source, changes)
  }

  @Test func S12_B91_whatLiesElsewhereIsNotTold() async throws {
    try list.take(notePage(100, 51))
    try other.take(notePage(900, 851))
    let (_, changes) = try await watching(list, rows: 10)
    // Another list; a place far below; an item that isn't loaded; a gap far below.
    try other.take(notePage(1_000, 951))
    try list.take(notePage(50, 41), for: .olderThanAll)
    try list.take(RemotePage([Note(id: 60, text: "far")]), for: .around(60))
    try list.take(notePage(20, 11), for: .around(15))
    #expect(try list.shape() == "100…41 | 20…11")
    try list.take(RemotePage([Note(id: 95, text: "near")]), for: .around(95))
    #expect(await next(changes) == "95 near")
  }

  @Test func S12_whatTouchesALoadedWindowIsTold() async throws {
    try list.take(notePage(100, 91))
    try list.take(notePage(70, 51))
    try list.take(notePage(120, 111))
    let (_, changes) = try await watching(list, rows: 30)
    try list.take(notePage(130, 121))
    #expect(await next(changes) == "everything")
    var lacking = notePage(130, 115)
    lacking.items.removeAll { $0.id == 118 }
    try list.take(lacking)
    #expect(await next(changes) == "everything")
    // A gap that closes between two loaded rows.
    let gap = try #require(try list.gaps().first)
    try list.take(RemotePage(notes(110, 101), olderToken: "<101"), for: .older(than: gap))
    #expect(await next(changes) == "everything")
  }

  @Test func S12_aGapThatDiesBesideALoadedRowIsTold() async throws {
    let list: StoredList<Note> = store.list("cursor")
    try list.take(notePage(50, 31))
    try list.take(notePage(90, 71))
    let (_, changes) = try await watching(list, rows: 25)
    let gap = try #require(try list.gaps().first)
    try list.take(RemotePage([], reachedEnd: true), for: .older(than: gap))
    #expect(await next(changes) == "everything")
  }

  @Test func S12_theFirstRowsOfAListAreTold() async throws {
    let (_, changes) = try await watching(list, rows: 10)
    try list.take(notePage(10, 1))
    #expect(await next(changes) == "everything")
  }

  @Test func S12_whatIsShownFromNowOnIsTold() async throws {
    try list.take(notePage(50, 31))
    let number = try #require(
      try list.core.database.read { c throws(ListStoreError) in try list.core.list(list.id, on: c) }
    ).number
    let (_, changes) = try await watching(list, rows: 10)
    try list.core.commit { transaction, change throws(ListStoreError) in
      try transaction.connection.lists.setShown(nil, of: number)
      change.lists[number] = ListChange(shownChanged: true)
    }
    #expect(await next(changes) == "everything")
  }

  @Test func S1_B74_aFresherCopyShowsInAllListsInPlaceAndNoneReloads() async throws {
    let third: StoredList<Note> = store.list("third")
    let lists = [list, other, third]
    for list in lists { try list.take(notePage(40, 1)) }
    let pagers = lists.map { Pager(config: PagingConfig(pageSize: 10), source: $0.pageSource()) }
    for pager in pagers {
      await pager.settled()
      pager.load(.append)
      await pager.settled()
    }
    let recorders = pagers.map { PagerRecorder($0) }
    let loads = pagers.map { $0.statistics.refresh.count + $0.statistics.append.count }
    try other.take(RemotePage([Note(id: 35, text: "liked")]), for: .around(35))
    for (pager, recorder) in zip(pagers, recorders) {
      let snapshot = try await recorder.snapshot { $0.items.contains { $0.item?.text == "liked" } }
      #expect(snapshot.items.compactMap(\.item?.id) == Array((40 - snapshot.items.count + 1...40).reversed()))
      await pager.settled()
    }
    #expect(pagers.map { $0.statistics.refresh.count + $0.statistics.append.count } == loads)
    #expect(pagers.map(\.statistics.generations) == [0, 0, 0])
  }

  @Test func S12_aPagerShowsWhatAPageBringsAndKeepsTheRowOnScreen() async throws {
    try list.take(notePage(50, 1))
    let pager = Pager(config: PagingConfig(pageSize: 10), source: list.pageSource())
    let recorder = PagerRecorder(pager)
    let screen = Task { for await _ in pager.snapshots() {} }
    defer { screen.cancel() }
    try await recorder.snapshot { !$0.items.isEmpty }
    await pager.settled()
    let first = pager.snapshot
    let row = try #require(first.items.firstIndex { $0.item?.id == 45 })
    pager.viewportChanged(to: row..<row + 5, of: first)
    await pager.settled()
    recorder.removeAll()
    try list.take(notePage(90, 71))
    let shown = try await recorder.snapshot {
      $0.items.contains { $0.gap != nil } && $0.items.contains { $0.item?.id == 45 }
    }
    #expect(NoteShape(Array(shown.items)).text.contains("71 | 50"))
    #expect(pager.statistics.generations == 1)
  }

  @Test func S12_aCommitWhileAWindowIsReadIsNotMissed() throws {
    try list.take(notePage(50, 31))
    let watch = WindowWatch(list)
    let reading = watch.begin(isRefresh: true)
    let window = try list.core.window(of: list.id, at: .head, before: 0, after: 10)
    try list.take(notePage(60, 51))
    #expect(watch.ended(reading, with: window))
    let second = watch.begin(isRefresh: true)
    let elsewhere = try list.core.window(of: list.id, at: .head, before: 0, after: 10)
    try list.take(notePage(30, 21), for: .olderThanAll)
    #expect(!watch.ended(second, with: elsewhere))
  }

  @Test func S12_B92_aSlowReaderSkipsAndALogDoesNot() async throws {
    try list.take(notePage(50, 31))
    let (_, changes) = try await watching(list, rows: 20)
    let log = list.core.hub.log()
    for number in 1...5 {
      try list.take(RemotePage([Note(id: 40, text: "\(number)"), Note(id: 39, text: "\(number)")]), for: .around(40))
    }
    #expect(await next(changes) == "39 5, 40 5")
    var sequences: [Int64] = []
    for await change in log {
      #expect(change.items.count == 2)
      sequences.append(change.sequence)
      if sequences.count == 5 { break }
    }
    #expect(sequences == sequences.sorted())
    #expect(Set(sequences).count == 5)
  }

  @Test func S12_aChangeThatFailedIsNotTold() async throws {
    try list.take(notePage(50, 31))
    let (_, changes) = try await watching(list, rows: 20)
    #expect(throws: ListStoreError.self) {
      try list.core.commit { transaction, change throws(ListStoreError) in
        change.isEverything = true
        throw ListStoreError(.diskFull, message: "no room")
      }
    }
    try list.take(RemotePage([Note(id: 40, text: "told")]), for: .around(40))
    #expect(await next(changes) == "40 told")
  }

  @Test func S12_whoLetsGoIsForgotten() async throws {
    try list.take(notePage(50, 31))
    do {
      let source = list.pageSource()
      _ = try await source.load(LoadParams(.refresh, loadSize: 10))
      #expect(list.core.hub.isListenedTo)
      withExtendedLifetime(source) {}
    }
    #expect(!list.core.hub.isListenedTo)
  }

  @Test func S12_B93_anotherConnectionsCommitIsNoticedAtTheIntervalAndOnce() async throws {
    let folder = try CoreFolder()
    let clock = ManualClock()
    var config = ListStoreConfig()
    config.changeCheckInterval = .seconds(3)
    let mine = try ListStore(at: folder.file, config: config, clock: clock)
    let theirs = try ListStore(at: folder.file, config: config, clock: clock)
    let list: StoredList<Note> = mine.list("list")
    try list.take(notePage(50, 31))
    let log = list.core.hub.log()
    let (source, changes) = try await watching(list, rows: 20)
    await clock.sleepers(atLeast: 1)
    try theirs.list("list", of: Note.self).take(notePage(60, 50))
    #expect(try list.shape() == "60…31")
    await clock.advance(by: .seconds(3))
    #expect(await next(changes) == "everything")
    // The next looks find nothing new, and one's own writes are nobody else's.
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(3))
    try list.take(RemotePage([Note(id: 60, text: "mine")]))
    await clock.sleepers(atLeast: 1)
    await clock.advance(by: .seconds(3))
    await clock.sleepers(atLeast: 1)
    try theirs.list("list", of: Note.self).take(notePage(70, 60))
    await clock.advance(by: .seconds(3))
    var heard: [Bool] = []
    for await change in log {
      heard.append(change.isEverything)
      if heard.count == 3 { break }
    }
    #expect(heard == [true, false, true])
    withExtendedLifetime(source) {}
  }

  @Test func S13_itemsThatDontDecodeAreLeftOutCountedAndReported() async throws {
    struct Old: StoredItem {
      var id: Int
      var title: String?
      static var storedKind: String { "changing" }
    }
    struct New: StoredItem {
      var id: Int
      var title: String
      static var storedKind: String { "changing" }
    }
    let folder = try CoreFolder()
    let reports = Reports()
    let store = try ListStore(at: folder.file, observer: { reports.add($0) })
    let old: StoredList<Old> = store.list("list")
    let items = (0..<10).map { Old(id: $0, title: $0 % 3 == 0 ? nil : "\($0)") }
    try old.apply(RemotePage(items, reachedEnd: true), for: try old.request(.head))
    let source = store.list("list", of: New.self).pageSource()
    let page = try await source.load(LoadParams(.refresh, loadSize: 20))
    #expect(page.items.compactMap(\.item?.id) == [1, 2, 4, 5, 7, 8])
    #expect(reports.all.map(\.count) == [4])
    #expect(reports.all.map(\.kind) == [.undecodableItems])
    #expect(reports.all.first?.list == "list")
    // They are still stored, and a page that brings them anew shows them.
    let new: StoredList<New> = store.list("list")
    try new.apply(RemotePage([New(id: 0, title: "back")]), for: try new.request(.around(0)))
    let again = try await source.load(LoadParams(.refresh, loadSize: 20))
    #expect(again.items.first?.item?.title == "back")
  }
}

/// What a store reported.
private final class Reports: Sendable {
  private let reports = Locked<[ListStoreReport]>([])

  var all: [ListStoreReport] { reports.value }

  func add(_ report: ListStoreReport) { reports.change { $0.append(report) } }
}
