import Loading
import Paging
import PagingTesting
import Testing

/// P9, P14 and P17: a source that only goes forward is read back by the keys that it was read with, and nothing that stays in
/// the list is skipped or repeated, whatever came and went in between.
@Suite(.timeLimit(.minutes(10))) struct ReadBackContracts {
  private var config: PagingConfig {
    get throws {
      var config = try PagingConfig(pageSize: 5, prefetchDistance: 5, initialLoadSize: 5, maxSize: 15)
      config.placeholders = false
      return config
    }
  }

  /// Five rows a page, ten apart, of which fifteen or so are held.
  private func started(_ server: TokenServer, down to: Int) async throws -> Pager<Token, Row> {
    let config = try config
    let pager = Pager(config: config, source: server.source)
    await pager.settled()
    while let last = pager.snapshot.ids.last, last < to, !pager.snapshot.source.append.isAtEnd {
      try await pager.see(max(0, pager.snapshot.count - 5)..<pager.snapshot.count)
    }
    return pager
  }

  private func spaced(_ count: Int) -> ListServer { ListServer((0..<count).map { Row(id: $0 * 10) }) }

  private func isAscending(_ ids: [Int]) -> Bool { zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 } }

  /// Reads back to the start of the list, one page at a time.
  private func goUp(_ pager: Pager<Token, Row>, after each: () throws -> Void = {}) async throws {
    for _ in 0..<200 {
      try await pager.see(0..<3)
      try each()
      if pager.snapshot.source.prepend.isAtEnd { return }
      if !pager.snapshot.source.failures.isEmpty { try? await pager.retry().finished() }
    }
    Issue.record("the start of the list was never reached: \(pager.snapshot.ids)")
  }

  @Test func P14_aStillListIsReadBackWithOneLoadAPage() async throws {
    let server = TokenServer(spaced(60))
    let pager = try await started(server, down: 400)
    let shown = pager.snapshot.ids
    let first = server.nextCall
    try await goUp(pager)
    #expect(pager.snapshot.ids.first == 0)
    #expect(server.starts(since: first).count <= shown[0] / 50)
    #expect(Set(server.starts(since: first).map { $0 ?? -1 }).count == server.starts(since: first).count)
  }

  @Test func P9_rowsThatCameInBetweenAreShownAndNoneIsSkipped() async throws {
    let server = TokenServer(spaced(60))
    let pager = try await started(server, down: 400)
    let start = try #require(pager.snapshot.ids.first)
    // Seven rows in the page in front: read again by its key, it ends before the loaded rows begin.
    server.list.edit { rows in
      rows += (1...7).map { Row(id: start - 30 + $0) }
      rows.sort { $0.id < $1.id }
    }
    let first = server.nextCall
    try await pager.see(0..<3)
    #expect(server.starts(since: first) == [start - 59, start - 27, start - 22])
    let ids = pager.snapshot.ids
    #expect(isAscending(ids))
    let expected = server.list.ids.filter { $0 >= ids[0] && $0 <= ids[ids.count - 1] }
    #expect(ids == expected)
    #expect(ids[0] <= start - 20)
  }

  @Test func P17_rowsThatWentInBetweenLeadToNoRepetition() async throws {
    let server = TokenServer(spaced(60))
    let pager = try await started(server, down: 400)
    let start = try #require(pager.snapshot.ids.first)
    server.list.edit { $0.removeAll { [start - 40, start - 20, start].contains($0.id) } }
    try await pager.see(0..<3)
    // The first loaded row is gone from the server, and stays until a refresh.
    let around = pager.snapshot.ids.filter { (start - 50...start + 10).contains($0) }
    #expect(around == [start - 50, start - 30, start - 10, start, start + 10])
    #expect(isAscending(pager.snapshot.ids))
    try await goUp(pager)
    #expect(isAscending(pager.snapshot.ids))
    #expect(pager.snapshot.ids.first == 0)
  }

  /// Offsets move with every row that comes in front; the loaded rows tell where the way back meets them.
  @Test(arguments: [-7, -1, 1, 3, 12])
  func P9_offsetsThatMovedSkipNothing(by distance: Int) async throws {
    let list = ListServer(count: 200)
    let config = try config
    let pager = Pager(config: config, source: list.source(goesBack: false))
    await pager.settled()
    while pager.snapshot.ids.last.map({ $0 < 60 }) ?? false {
      try await pager.see(max(0, pager.snapshot.count - 5)..<pager.snapshot.count)
    }
    list.edit { rows in
      if distance < 0 {
        rows.removeFirst(-distance)
      } else {
        rows.insert(contentsOf: (0..<distance).map { Row(id: $0 - distance) }, at: 0)
      }
    }
    for _ in 0..<60 where !pager.snapshot.source.prepend.isAtEnd {
      try await pager.see(0..<3)
      let ids = pager.snapshot.ids
      #expect(ids == Array(ids[0]..<ids[0] + ids.count))
    }
    #expect(pager.snapshot.ids.first == -distance)
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test func P4_aLongWayBackStopsAndRetryReadsOn() async throws {
    let server = TokenServer(ListServer((0..<60).map { Row(id: $0 * 1_000) }))
    let pager = try await started(server, down: 40_000)
    let start = try #require(pager.snapshot.ids.first)
    let shown = pager.snapshot.ids
    // A hundred rows where there were none: twenty pages.
    server.list.edit { rows in
      rows += (1...100).map { Row(id: start - 4_501 + 2 * $0) }
      rows.sort { $0.id < $1.id }
    }
    let first = server.nextCall
    try await pager.see(0..<3)
    #expect(code(pager.snapshot.source.prepend) == .emptyPages)
    #expect(server.nextCall - first == 8)
    #expect(pager.snapshot.ids == shown)
    try? await pager.retry().finished()
    try? await pager.retry().finished()
    #expect(pager.snapshot.source.failures.isEmpty)
    try await goUp(pager) {
      let ids = pager.snapshot.ids
      #expect(ids == server.list.ids.filter { $0 >= ids[0] && $0 <= ids[ids.count - 1] })
    }
    #expect(pager.snapshot.ids.first == 0)
  }

  /// In a list of conversations, what is answered moves to the top.
  @Test(arguments: [[-3], [0], [1, 0], [-3, -2]])
  func P9_rowsThatMovedUpAreNotTakenForTheMeeting(_ offsets: [Int]) async throws {
    let list = ListServer(count: 100)
    let pager = Pager(config: try config, source: list.source(goesBack: false))
    await pager.settled()
    while pager.snapshot.ids.last.map({ $0 < 24 }) ?? false {
      try await pager.see(max(0, pager.snapshot.count - 5)..<pager.snapshot.count)
    }
    let shown = pager.snapshot.ids
    // From the loaded rows: counted from the first of them, or from behind the last.
    let moved = offsets.map { shown[$0 < 0 ? shown.count + $0 : $0] }
    list.edit { rows in
      rows.removeAll { moved.contains($0.id) }
      rows.insert(contentsOf: moved.map { Row(id: $0) }, at: 0)
    }
    for _ in 0..<20 where !pager.snapshot.source.prepend.isAtEnd { try await pager.see(0..<3) }
    #expect(pager.snapshot.source.prepend.isAtEnd)
    #expect(pager.snapshot.source.failures.isEmpty)
    let ids = pager.snapshot.ids
    #expect(Set(ids).count == ids.count)
    let unmoved = ids.filter { !moved.contains($0) }
    #expect(unmoved == (0...unmoved[unmoved.count - 1]).filter { !moved.contains($0) })
  }

  /// While pages are held that are not shown yet, the edge may be dropped: the way back begins anew.
  @Test func P14_aDropOnTheWayBackLosesNothing() async throws {
    let server = TokenServer(spaced(60))
    let pager = try await started(server, down: 400)
    let start = try #require(pager.snapshot.ids.first)
    server.list.edit { rows in
      rows += (1...9).map { Row(id: start - 30 + $0) }
      rows.sort { $0.id < $1.id }
    }
    let second = server.hold(server.nextCall + 1)
    pager.look(at: 0..<3)
    await second.reached()
    // The reader goes on downwards, far enough for the first loaded page to go.
    while pager.snapshot.ids.first == start {
      pager.look(at: pager.snapshot.count - 3..<pager.snapshot.count)
      let calls = server.nextCall
      try await pager.load(.append).finished()
      try #require(server.nextCall > calls)
    }
    second.open()
    await pager.settled()
    try await goUp(pager) {
      let ids = pager.snapshot.ids
      #expect(ids == server.list.ids.filter { $0 >= ids[0] && $0 <= ids[ids.count - 1] })
    }
    #expect(pager.snapshot.ids.first == 0)
  }

  @Test func P9_aListThatNoLongerLeadsToTheRowsIsReadAnew() async throws {
    let (server, log) = (TokenServer(spaced(60)), EventLog())
    let config = try config
    let pager = Pager(config: config, observer: log.observer, source: server.source)
    await pager.settled()
    while let last = pager.snapshot.ids.last, last < 400 {
      try await pager.see(max(0, pager.snapshot.count - 5)..<pager.snapshot.count)
    }
    let start = try #require(pager.snapshot.ids.first)
    // All that is loaded goes, and the last row in front of it.
    server.list.edit { $0.removeAll { $0.id >= start - 10 } }
    let command = pager.load(.prepend)
    try await command.finished()
    #expect(try await log.reasons(1) == ["invalidation"])
    #expect(pager.snapshot.source.append.isAtEnd)
    #expect(isAscending(pager.snapshot.ids))
    #expect(pager.snapshot.ids.last == start - 20)
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  // MARK: - By chance

  /// Rows whose tens are not divisible by three stay; others go, and new ones come, before each load is answered.
  @Test(arguments: UInt64(1)...60)
  func P9_nothingThatStaysIsSkippedOrRepeated(_ seed: UInt64) async throws {
    let server = TokenServer(spaced(120))
    let chance = Box(SeededGenerator(seed: seed))
    let stays: @Sendable (Int) -> Bool = { id in id % 10 == 0 && id / 10 % 3 != 0 }
    let rate = Int(seed % 4) + 1
    server.meanwhile.change {
      $0 = {
        chance.change { chance in
          server.list.edit { rows in
            for _ in 0..<Int.random(in: 0...rate, using: &chance) {
              let place = Int.random(in: 0..<1_200, using: &chance)
              let near = Int.random(in: 1...9, using: &chance)
              if Bool.random(using: &chance) {
                let new = (0..<near).map { place + $0 }.filter { id in id % 10 != 0 && !rows.contains { $0.id == id } }
                rows += new.map { Row(id: $0) }
                rows.sort { $0.id < $1.id }
              } else {
                rows.removeAll { !stays($0.id) && abs($0.id - place) < near * 5 }
              }
            }
          }
        }
      }
    }
    let pager = try await started(server, down: 600)
    func check() throws {
      let ids = pager.snapshot.ids
      try #require(Set(ids).count == ids.count, "a row is there twice: \(ids)")
      let staying = ids.filter(stays)
      guard let first = staying.first, let last = staying.last else { return }
      try #require(staying == (first...last).filter(stays), "a row is skipped: \(ids)")
    }
    try check()
    for turn in 0..<3 {
      try await goUp(pager, after: check)
      #expect(pager.snapshot.ids.first(where: stays) == 10)
      for _ in 0..<(turn + 1) * 4 {
        try await pager.see(max(0, pager.snapshot.count - 4)..<pager.snapshot.count)
        try check()
      }
    }
  }
}
