import Paging
import PagingTesting
import Testing

/// A feed, newest first, that tells what is newer.
private struct FeedSource: HeadSource {
  let server: ListServer
  let asked = Box<[Int]>([])
  /// How many rows the server gives more or fewer than it is asked for.
  var surplus = 0
  var isCut = false

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> {
    server.page(at: params.key, size: params.loadSize)
  }

  func newer(than item: Row, limit: Int) async throws -> Page<Int, Row> {
    asked.change { $0.append(limit) }
    let newer = server.all.prefix { $0.id != item.id }
    guard !isCut else { return Page(Array(newer.suffix(limit + surplus)), previousKey: newer.count > limit ? 0 : nil) }
    let page = newer.prefix(limit + surplus)
    return Page(Array(page), nextKey: page.count < newer.count ? page.count : nil)
  }
}

@Suite(.timeLimit(.minutes(10))) struct HeadSourceTests {
  @Test(arguments: [false, true]) func whatIsNewerIsCountedByOnePage(isCut: Bool) async throws {
    var source = FeedSource(server: ListServer(count: 30))
    source.isCut = isCut
    let held = Row(id: 12)
    #expect(try await source.countNewer(than: held, limit: 20) == .exact(12))
    #expect(try await source.countNewer(than: held, limit: 12) == .exact(12))
    #expect(try await source.countNewer(than: held, limit: 11) == .atLeast(11))
    #expect(try await source.countNewer(than: Row(id: 0), limit: 5) == .exact(0))
    #expect(source.asked.value == [20, 12, 11, 5])
  }

  @Test func aPageLongerOrShorterThanTheLimitIsTakenAsItComes() async throws {
    var source = FeedSource(server: ListServer(count: 30))
    source.surplus = 3
    #expect(try await source.countNewer(than: Row(id: 12), limit: 10) == .atLeast(10))
    #expect(try await source.countNewer(than: Row(id: 9), limit: 10) == .exact(9))
    source.surplus = -4
    #expect(try await source.countNewer(than: Row(id: 9), limit: 10) == .atLeast(6))
  }

  @Test func aLimitOfNothingAsksForNothing() async throws {
    let source = FeedSource(server: ListServer(count: 3))
    #expect(try await source.countNewer(than: Row(id: 2), limit: 0) == .atLeast(0))
    #expect(try await source.countNewer(than: Row(id: 2), limit: .min) == .atLeast(0))
    #expect(source.asked.value.isEmpty)
  }

  @Test func P2_aSourceMayIsolateItselfToTheMainActor() async throws {
    let source = MainActorSource()
    #expect(try await source.countNewer(than: Row(id: 1), limit: 3) == .exact(1))
    let pager = Pager(config: PagingConfig(pageSize: 10), clock: ManualClock(), source: source)
    await pager.settled()
    #expect(pager.snapshot.ids == [0, 1, 2])
  }
}

/// Written as its documentation says; that it compiles is half of the test.
@MainActor private final class MainActorSource: HeadSource {
  private var loads = 0

  nonisolated init() {}

  @MainActor func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> {
    MainActor.assertIsolated()
    loads += 1
    return Page(rows(0..<3))
  }

  @MainActor func newer(than item: Row, limit: Int) async throws -> Page<Int, Row> {
    MainActor.assertIsolated()
    return Page(rows(0..<item.id))
  }
}

/// A log of changes by number, which gives so many at a time.
private struct LogSource: ChangeLogSource {
  var pages: [String?: ChangeLogPage<Row>]
  let asked = Box<[String?]>([])

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Row> { Page([]) }

  func changes(since token: String?) async throws -> ChangeLogPage<Row> {
    asked.change { $0.append(token) }
    guard let page = pages[token] else { throw Refused() }
    return page
  }
}

@Suite(.timeLimit(.minutes(10))) struct ChangeLogSourceTests {
  private let log = LogSource(pages: [
    nil: ChangeLogPage(upserts: rows([1]), nextToken: "a", hasMore: true),
    "a": ChangeLogPage(upserts: [], deletions: [1], nextToken: "b", hasMore: true),
    "b": ChangeLogPage(upserts: rows([2]), nextToken: "c"),
  ])

  /// What was applied, by what each page was asked with next.
  private func catchUp(
    _ log: LogSource, since token: String? = nil, maxPages: Int = 100
  ) async -> (applied: [ChangeLogPage<Row>], last: ChangeLogPage<Row>?, error: (any Error)?) {
    var applied: [ChangeLogPage<Row>] = []
    do {
      let last = try await log.catchUp(since: token, maxPages: maxPages) { applied.append($0) }
      return (applied, last, nil)
    } catch {
      return (applied, nil, error)
    }
  }

  @Test func allPagesAreAppliedInOrderAndTheLastIsReturned() async {
    let result = await catchUp(log)
    #expect(result.applied == [log.pages[nil], log.pages["a"], log.pages["b"]] && result.last == log.pages["b"])
    #expect(log.asked.value == [nil, "a", "b"])
    #expect(await catchUp(log, since: "b").applied.count == 1)
  }

  @Test func itStopsAfterSoManyPagesAndGoesOnFromThere() async throws {
    let result = await catchUp(log, maxPages: 2)
    let last = try #require(result.last)
    #expect(last.hasMore && last.nextToken == "b" && result.applied.count == 2)
    #expect(await catchUp(log, since: last.nextToken).last == log.pages["b"])
  }

  @Test func itStopsWhereAllIsToBeLoadedAgain() async {
    var log = log
    log.pages["a"] = ChangeLogPage(upserts: [], nextToken: "b", hasMore: true, needsFullReload: true)
    let result = await catchUp(log)
    #expect(result.last?.needsFullReload == true && result.applied.count == 2 && log.asked.value.count == 2)
  }

  @Test(arguments: ["a", nil, "z"] as [String?]) func aLogThatGoesRoundIsStopped(back: String?) async {
    var log = log
    log.pages["b"] = ChangeLogPage(upserts: rows([2]), nextToken: back, hasMore: true)
    log.pages["z"] = ChangeLogPage(upserts: rows([3]), nextToken: "z", hasMore: true)
    let result = await catchUp(log, maxPages: 1_000)
    #expect((result.error as? PagingError)?.code == .keyCycle)
    #expect(log.asked.value.count < 15 && result.applied.count == log.asked.value.count)
  }

  @Test func failuresStopItWhereTheyHappen() async {
    let refused = await catchUp(log, since: "unknown")
    #expect(refused.error is Refused && refused.applied.isEmpty)
    var count = 0
    let failing = await #expect(throws: Refused.self) {
      try await log.catchUp(since: nil) { _ in
        count += 1
        throw Refused()
      }
    }
    #expect(failing != nil && count == 1, "what could not be applied is not passed over")
  }

  @Test func aCancelledCatchUpAsksForNoMore() async {
    let (log, hold) = (log, Hold())
    let task = Task {
      try await log.catchUp(since: nil) { _ in try? await hold.pass() }
    }
    await hold.reached()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(log.asked.value == [nil])
  }
}
