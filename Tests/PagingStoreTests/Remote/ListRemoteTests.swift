import Foundation
import Paging
import PagingTesting
import Testing

@testable import PagingStore

/// A row of tests whose place is its ID: the larger one is nearer the head.
struct Notice: StoredItem, Hashable {
  var id: Int
  var text = ""
  var version: Int64?
  var sortKey: ListSortKey? { ListSortKey(Int64(id)) }

  init(_ id: Int, _ text: String = "", version: Int64? = nil) {
    self.id = id
    self.text = text
    self.version = version
  }

  /// Notes from a newest down to an oldest one.
  static func from(_ newest: Int, to oldest: Int) -> [Notice] {
    stride(from: newest, through: oldest, by: -1).map { Notice($0) }
  }
}

/// A server of notes, the newest first.
typealias NoticeServer = DriftingServer<Notice>

extension DriftingServer where Item == Notice {
  convenience init(from newest: Int, to oldest: Int) { self.init(Notice.from(newest, to: oldest)) }

  /// Cursors only, down.
  var downward: CursorPageSource<String, Notice> {
    CursorPageSource { params in
      var page = try self.page(params)
      page.previousKey = nil
      return page
    }
  }

  /// Windows around a row, and cursors each way.
  var anchored: AnchoredPageSource<String, Notice> {
    AnchoredPageSource { id, size in
      if let id { return try self.page(around: id, limit: size) }
      return try self.page(LoadParams(.refresh, loadSize: size))
    } next: { params in
      try self.page(params)
    }
  }

  /// Adds newer notes at the start.
  func publish(_ ids: ClosedRange<Int>) {
    for id in ids { insert(Notice(id), at: 0) }
  }
}

/// A source that can say what is newer than a row.
private struct HeadNotes: HeadSource {
  let server: NoticeServer
  let limit: Int

  @concurrent func load(_ params: LoadParams<String>) async throws -> Page<String, Notice> { try server.page(params) }
  @concurrent func newer(than item: Notice, limit: Int) async throws -> Page<String, Notice> {
    let all = server.visibleItems.filter { $0.id > item.id }
    let rows = Array(all.prefix(min(limit, self.limit)))
    return Page(rows, nextKey: rows.count < all.count ? "more" : nil)
  }
}

/// A source with a log of changes.
private struct LogNotes: ChangeLogSource {
  @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, Notice> { Page([]) }
  @concurrent func changes(since token: String?) async throws -> ChangeLogPage<Notice> {
    ChangeLogPage(upserts: [Notice(1)], deletions: [2], nextToken: (token ?? "") + "+")
  }
}

@Suite struct ListRemoteTests {
  private static func question(_ type: LoadType, _ token: String? = nil, size: Int = 3) -> ListRemote<Notice>.Question {
    ListRemote<Notice>.Question(type: type, token: token, size: size)
  }

  @Test func S3_tokensAreKeysAsJSONAndLeadOn() async throws {
    let server = NoticeServer(from: 9, to: 0)
    let remote = ListRemote(server.anchored)
    let first = try await remote.page(Self.question(.refresh))
    #expect(first.items.map(\.id) == [9, 8, 7])
    #expect(first.newerToken == nil)
    #expect(!first.reachedEnd)
    let second = try await remote.page(Self.question(.append, first.olderToken))
    #expect(second.items.map(\.id) == [6, 5, 4])
    let back = try await remote.page(Self.question(.prepend, second.newerToken))
    #expect(back.items.map(\.id) == [9, 8, 7])
    #expect(back.reachedEnd)
    let last = try await remote.page(Self.question(.append, second.olderToken, size: 9))
    #expect(last.reachedEnd)
    #expect(last.olderToken == nil)
  }

  @Test func S3_equalKeysAreEqualText() throws {
    struct Key: Codable, Hashable {
      var b: [String: Int]
      var a: String
    }
    let one = Key(b: Dictionary(uniqueKeysWithValues: (0..<20).map { ("k\($0)", $0) }), a: "x/y")
    var other = Key(b: [:], a: "x/y")
    for number in (0..<20).reversed() { other.b["k\(number)"] = number }
    #expect(try RemoteToken.text(of: one) == RemoteToken.text(of: other))
    #expect(try RemoteToken.key(RemoteToken.text(of: one), as: Key.self) == one)
  }

  @Test func S11_aTokenThatIsNoKeyAnyMoreCountsAsExpired() async throws {
    let remote = ListRemote(NoticeServer(from: 9, to: 0).anchored)
    for token in ["", "{", "17", #"{"other":1}"#] {
      let error = await #expect(throws: PagingError.self) { try await remote.page(Self.question(.append, token)) }
      #expect(error?.code == .cursorExpired)
      #expect(error?.refusesPlace == true)
    }
  }

  @Test func S13_aKeyThatJSONCannotHoldIsACodingError() {
    #expect(throws: ListStoreError.self) { try RemoteToken.text(of: Double.nan) }
  }

  @Test func S5_aWindowAroundAnItemIsAskedWithAToken() async throws {
    let remote = ListRemote(NoticeServer(from: 9, to: 0).anchored)
    let token = try #require(try remote.tokenAround(5))
    let page = try await remote.page(Self.question(.refresh, token))
    #expect(page.items.map(\.id) == [6, 5, 4])
    #expect(page.newerToken != nil)
    #expect(page.olderToken != nil)
    #expect(try ListRemote(NoticeServer(from: 9, to: 0).downward).tokenAround(5) == nil)
  }

  @Test func S11_aKeysetRemoteMakesAKeyOfRowsThatAreHeld() async throws {
    let server = NoticeServer(from: 99, to: 0)
    let source = KeysetPageSource(key: { (note: Notice) in -note.id }) { params in
      server.rows(after: params.key, limit: params.loadSize, by: { -$0.id })
    } loadBefore: { params in
      server.rows(before: params.key, limit: params.loadSize, by: { -$0.id })
    }
    let remote = ListRemote(source)
    let token = try #require(try remote.tokenOfRows(Notice.from(60, to: 50), 10, 9))
    let page = try await remote.page(Self.question(.refresh, token, size: 9))
    #expect(page.items.contains { $0.id == 50 })
    #expect(page.items.contains { $0.id == 49 })
    #expect(try ListRemote(server.downward).tokenOfRows(Notice.from(60, to: 50), 10, 9) == nil)
    #expect(try remote.tokenOfRows([], 0, 9) == nil)
  }

  @Test func S3_whatIsNewerSaysWhetherItReachesTheRow() async throws {
    let server = NoticeServer(from: 9, to: 0)
    let all = ListRemote(HeadNotes(server: server, limit: 100))
    let reaching = try #require(try await all.newerThan?(Notice(6), 100))
    #expect(reaching.page.items.map(\.id) == [9, 8, 7])
    #expect(reaching.reachesRow)
    #expect(reaching.page.reachedEnd)
    let short = try #require(try await ListRemote(HeadNotes(server: server, limit: 2)).newerThan?(Notice(6), 100))
    #expect(!short.reachesRow)
    #expect(try await all.countNewer?(Notice(6), 100) == .exact(3))
    #expect(ListRemote(server.downward).newerThan == nil)
    #expect(ListRemote(server.downward).countNewer == nil)
  }

  @Test func S3_aLogOfChangesIsFoundBehindTheSource() async throws {
    let page = try #require(try await ListRemote(LogNotes()).changes?("t"))
    #expect(page.nextToken == "t+")
    #expect(page.deletions == [2])
    #expect(ListRemote(NoticeServer([]).downward).changes == nil)
  }

  @Test func B69_aListOfIDsAndItsItemsAreFoundBehindTheSource() async throws {
    let server = NoticeServer(from: 9, to: 0)
    let remote = ListRemote(
      IDListPageSource<Notice>(idsPerCall: 2) {
        server.ids()
      } items: { ids in
        server.items(ids)
      })
    #expect(try await remote.ids?() == Array((0...9).reversed()))
    #expect(try await remote.items?([1, 3, 5, 77]).map(\.id).sorted() == [1, 3, 5])
    #expect(server.requests.filter { $0.view == .items }.map(\.limit) == [2, 2])
    #expect(remote.goesByPosition)
  }

  @Test func B67_whatWasShownIsHandedToARemoteThatTakesIt() async throws {
    let remote = ListRemote(
      RankedPageSource<Notice>(excluding: { shown, params in
        Notice.from(9, to: 0).filter { !shown.contains($0.id) }.prefix(params.loadSize).map { $0 }
      }))
    #expect(remote.takesExclusions)
    var question = Self.question(.refresh)
    question.excluded = [9, 8]
    let first = try await remote.page(question)
    #expect(first.items.map(\.id) == [7, 6, 5])
    // A key says nothing of what was delivered: a source that was just made goes on too.
    question.token = first.olderToken
    question.excluded = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    let last = try await remote.page(question)
    #expect(last.items.isEmpty)
    #expect(last.reachedEnd)
    #expect(!ListRemote(RankedPageSource<Notice>(session: { _ in Page([]) })).takesExclusions)
  }

  @Test func B72_remotesThatGoByPositionAreKnown() {
    #expect(ListRemote(OffsetPageSource<Notice> { _ in PageSlice([]) }).goesByPosition)
    #expect(ListRemote(NumberedPageSource<Notice> { _ in PageSlice([]) }).hasEvenPages)
    #expect(!ListRemote(NoticeServer([]).downward).goesByPosition)
  }
}
