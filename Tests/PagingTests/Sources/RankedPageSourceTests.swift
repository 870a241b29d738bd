import Foundation
import Loading
import Paging
import PagingTesting
import Testing

/// A ranking on a server, which changes, and the sessions that the server keeps of it.
final class RankServer: Sendable {
  struct State {
    var ranking: [Int]
    /// What each session shows; nil where it follows the ranking as it changes.
    var sessions: [String: [Int]] = [:]
    var ended: Set<String> = []
    var asked: [LoadParams<RankedKey>] = []
    var shown: [[Int]] = []
    var failure: (any Error)?
    /// How many calls succeed before the failure begins.
    var callsBeforeFailure = 0

    mutating func asks(_ params: LoadParams<RankedKey>) -> (any Error)? {
      asked.append(params)
      callsBeforeFailure -= 1
      return callsBeforeFailure < 0 ? failure : nil
    }
  }

  let state: Box<State>
  /// Whether a session is a snapshot of the ranking; else the ranking is read as it is.
  private let isSnapshot: Bool
  private let namesSessions: Bool
  let hold = Box<Hold?>(nil)

  init(_ ranking: some Sequence<Int>, isSnapshot: Bool = true, namesSessions: Bool = true) {
    state = Box(State(ranking: Array(ranking)))
    self.isSnapshot = isSnapshot
    self.namesSessions = namesSessions
  }

  func rank(_ change: @Sendable (inout [Int]) -> Void) { state.change { change(&$0.ranking) } }
  func fail(_ error: (any Error)?, after calls: Int = 0) {
    state.change { ($0.failure, $0.callsBeforeFailure) = (error, calls) }
  }
  /// All sessions that there are end.
  func endSessions() { state.change { $0.ended = Set($0.sessions.keys) } }

  var asked: [LoadParams<RankedKey>] { state.value.asked }
  var starts: Int { asked.count { $0.key == nil } }

  var bySession: RankedPageSource<Row> {
    RankedPageSource(session: { [self] params in
      if let hold = hold.value { try await hold.pass() }
      let answer = state.change { state -> Result<Page<RankedKey, Row>, any Error> in
        if let failure = state.asks(params) { return .failure(failure) }
        var session = params.key?.session
        if params.key == nil, namesSessions {
          let name = "s\(state.sessions.count + 1)"
          state.sessions[name] = state.ranking
          session = name
        }
        if let session, state.ended.contains(session) { return .failure(PagingError.cursorExpired) }
        let list = isSnapshot ? session.flatMap { state.sessions[$0] } ?? state.ranking : state.ranking
        let start = min(list.count, params.key?.offset ?? 0)
        let end = min(list.count, start + params.loadSize)
        return .success(
          Page(
            rows(list[start..<end]), previousKey: RankedKey(session: "never used", offset: 0),
            nextKey: end < list.count ? RankedKey(session: session, offset: end) : nil, itemsBefore: start,
            itemsAfter: list.count - end))
      }
      return try answer.get()
    })
  }

  var byExclusion: RankedPageSource<Row> {
    RankedPageSource(excluding: { [self] shown, params in
      if let hold = hold.value { try await hold.pass() }
      return try state.change { state -> Result<[Row], any Error> in
        state.shown.append(shown)
        if let failure = state.asks(params) { return .failure(failure) }
        let left = Set(shown)
        return .success(rows(state.ranking.lazy.filter { !left.contains($0) }.prefix(params.loadSize)))
      }.get()
    })
  }

  func source(_ flavour: RankFlavour) -> RankedPageSource<Row> { flavour == .session ? bySession : byExclusion }

  func pager(_ flavour: RankFlavour, _ key: RankedKey? = nil, maxSize: Int? = nil) throws -> Pager<RankedKey, Row> {
    let config =
      try maxSize.map { try PagingConfig(pageSize: 10, initialLoadSize: 20, maxSize: $0) }
      ?? PagingConfig(pageSize: 10, initialLoadSize: 20)
    return Pager(config: config, initialKey: key, clock: ManualClock(), source: source(flavour))
  }
}

enum RankFlavour: CaseIterable {
  case session, exclusion
}

/// P34, for both kinds of server.
@Suite(.timeLimit(.minutes(10))) struct RankedPageSourceTests {
  @Test(arguments: RankFlavour.allCases) func aRankingIsReadToItsEnd(_ flavour: RankFlavour) async throws {
    for count in [0, 1, 9, 10, 11, 35] {
      let server = RankServer(0..<count)
      #expect(try await server.source(flavour).walkedIDs() == Array(0..<count))
      #expect(server.starts == 1)
      #expect(server.asked.allSatisfy { ($0.key == nil) == ($0.type == .refresh) && $0.type != .prepend })
    }
    #expect(RankServer([]).bySession.keyKind == .cursor)
  }

  @Test(arguments: RankFlavour.allCases) func P34_noRowComesTwiceHoweverTheRankingChanges(
    _ flavour: RankFlavour
  ) async throws {
    for seed in 0..<100 as Range<UInt64> {
      let server = RankServer(0..<60, isSnapshot: false)
      var generator = SeededGenerator(seed: seed)
      var ids: [Int] = []
      for try await page in server.source(flavour).pages(pageSize: 7) {
        ids += page.ids
        let shuffled = server.state.value.ranking.shuffled(using: &generator)
        server.rank { $0 = shuffled }
      }
      #expect(Set(ids).count == ids.count, "seed \(seed)")
      if flavour == .exclusion { #expect(Set(ids) == Set(0..<60)) }
    }
  }

  @Test func P34_whatIsNewComesBelowAndAfterARefreshWhereItBelongs() async throws {
    let server = RankServer(0..<50)
    let pager = try server.pager(.exclusion)
    await pager.settled()
    server.rank { $0.insert(contentsOf: [100, 101], at: 0) }
    try await pager.scrollToEnd()
    let ids = pager.snapshot.ids
    #expect(ids.starts(with: 0..<20) && ids.firstIndex(of: 100) ?? 0 >= 20)
    #expect(Set(ids) == Set(0..<50).union([100, 101]) && ids.count == 52)
    #expect(server.state.value.shown.last?.count == 52, "asked for more than all there is, and told what is shown")
    try await pager.refresh(from: .start).finished()
    #expect(pager.snapshot.ids.starts(with: [100, 101, 0, 1]))
  }

  @Test(arguments: RankFlavour.allCases) func P34_aRefreshBeginsASessionAtTheTop(_ flavour: RankFlavour) async throws {
    let server = RankServer(0..<100)
    let pager = try server.pager(flavour)
    await pager.settled()
    for row in [5, 15, 25] { try await pager.see(row..<row + 5) }
    server.rank { $0.reverse() }
    try await pager.see(25..<30)
    try await pager.refresh().finished()
    #expect(pager.snapshot.ids.starts(with: stride(from: 99, to: 89, by: -1)))
    #expect(server.starts == 2)
    await pager.settled()
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids == Array((0..<100).reversed()))
  }

  @Test(arguments: RankFlavour.allCases)
  func P14_pagesThatWereDroppedComeAgainAndAreNotExcludedByThemselves(_ flavour: RankFlavour) async throws {
    let server = RankServer(0..<120)
    let pager = try server.pager(flavour, maxSize: 50)
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids.last == 119 && pager.snapshot.items.count <= 70)
    let ends = server.starts
    try await pager.scrollToStart()
    #expect(pager.snapshot.ids.starts(with: 0..<40))
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids.suffix(30) == Array(90..<120))
    if flavour == .session { #expect(ends == 1 && server.starts == 1, "the first page came from its session") }
  }

  /// A further generation that begins and fails leaves the shown one its first page, however it began itself.
  @Test(arguments: [RefreshOrigin.start, .anchor], [0, 1])
  func P14_aDroppedFirstPageBelongsToItsOwnGeneration(began: RefreshOrigin, callsThatSucceed: Int) async throws {
    let server = RankServer(0..<120)
    let pager = try server.pager(.session, maxSize: 50)
    await pager.settled()
    try await pager.see(0..<5)
    server.rank { $0 = Array(200..<320) }
    try await pager.refresh(from: began).finished()
    try await pager.scrollToEnd()
    #expect(pager.snapshot.placeholdersBefore > 20)
    server.rank { $0.insert(contentsOf: 400..<500, at: 0) }
    server.fail(Refused(), after: callsThatSucceed)
    await #expect(throws: Refused.self) { try await pager.refresh().finished() }
    server.fail(nil)
    let starts = server.starts
    try await pager.scrollToStart()
    #expect(pager.snapshot.ids.starts(with: 200..<220) && server.starts == starts)
  }

  @Test(arguments: RankFlavour.allCases) func P9_aRefreshThatFailsLeavesTheSessionAsItWas(
    _ flavour: RankFlavour
  ) async throws {
    let server = RankServer(0..<100)
    let pager = try server.pager(flavour)
    await pager.settled()
    for row in [5, 15, 25, 35] { try await pager.see(row..<row + 10) }
    let shown = pager.snapshot.ids
    // The first page of the new session comes, with rows that the shown list has still to come; the next one doesn't.
    server.rank { $0 = Array(60..<100) + Array(0..<60) }
    let calls = server.asked.count
    server.fail(Refused(), after: 1)
    await #expect(throws: Refused.self) { try await pager.refresh().finished() }
    #expect(server.asked.count == calls + 2)
    #expect(pager.snapshot.ids == shown)
    server.fail(nil)
    try await pager.scrollToEnd()
    let ids = pager.snapshot.ids
    #expect(ids.starts(with: shown) && Set(ids) == Set(0..<100) && ids.count == 100)
  }

  @Test(arguments: RankFlavour.allCases) func P19_aPageThatFailedComesInFullAfterARetry(
    _ flavour: RankFlavour
  ) async throws {
    let server = RankServer(0..<40)
    let pager = try server.pager(flavour)
    await pager.settled()
    server.fail(Refused())
    try await pager.see(15..<20)
    #expect(pager.snapshot.source.append.failure?.error is Refused)
    server.fail(nil)
    try await pager.retry().finished()
    try await pager.scrollToEnd()
    #expect(pager.snapshot.ids == Array(0..<40))
  }

  @Test(arguments: RankFlavour.allCases) func P21_aCancelledLoadDeliversNothing(_ flavour: RankFlavour) async throws {
    let server = RankServer(0..<40)
    let source = server.source(flavour)
    let first = try await source.load(LoadParams(.refresh, loadSize: 10))
    let hold = Hold()
    let waits = Box(true)
    let slow =
      switch flavour {
      case .session:
        RankedPageSource<Row>(session: { params in
          // Bad manners: it returns its page all the same.
          if waits.value { try? await hold.pass() }
          return Page(rows(50..<60), nextKey: RankedKey(session: "x", offset: (params.key?.offset ?? 0) + 10))
        })
      case .exclusion:
        RankedPageSource<Row>(excluding: { _, _ in
          if waits.value { try? await hold.pass() }
          return rows(50..<60)
        })
      }
    let load = Task { try await slow.load(LoadParams(.append, key: first.nextKey, loadSize: 10)) }
    await hold.reached()
    load.cancel()
    await #expect(throws: CancellationError.self) { try await load.value }
    waits.change { $0 = false }
    let other = try #require(first.nextKey)
    let page = try await slow.load(LoadParams(.append, key: other, loadSize: 10))
    #expect(page.ids == Array(50..<60))
  }

  @Test(arguments: RankFlavour.allCases) func P1_twoLoadsSideBySideDeliverNoRowTwice(
    _ flavour: RankFlavour
  ) async throws {
    let server = RankServer(0..<60, isSnapshot: false)
    let source = server.source(flavour)
    let first = try await source.load(LoadParams(.refresh, loadSize: 10))
    let second = try await source.load(LoadParams(.append, key: first.nextKey, loadSize: 10))
    server.rank { $0 = Array(5..<60) + Array(0..<5) }
    let hold = Hold()
    server.hold.change { $0 = hold }
    async let again = source.load(LoadParams(.append, key: nil, loadSize: 10))
    async let third = source.load(LoadParams(.append, key: second.nextKey, loadSize: 10))
    await hold.reached()
    hold.open()
    let (one, three) = (try await again, try await third)
    #expect(Set(one.ids).isSubset(of: 0..<10) && !one.ids.isEmpty)
    #expect(Set(three.ids).isDisjoint(with: 0..<20) && !three.ids.isEmpty)
  }
}
