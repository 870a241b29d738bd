import Paging
import PagingTesting
import Testing

/// P12 and P13.
@Suite(.timeLimit(.minutes(10))) struct CommandContracts {
  private let server = ListServer(count: 1_000)
  private let config = PagingConfig(pageSize: 10, prefetchDistance: 0)

  private func pager(
    _ config: PagingConfig? = nil, counts: Bool = true, _ change: (inout TraitedSource<Int>.Traits) -> Void = { _ in }
  ) async -> (Pager<Int, Row>, RowSource, EventLog) {
    let source = server.source(counts: counts)
    let log = EventLog()
    let pager = Pager(config: config ?? self.config, observer: log.observer, source: TraitedSource(source, change))
    await pager.settled()
    return (pager, source, log)
  }

  // MARK: - P12

  @Test func P12_commandsTakeEffectInTheirOrder() async throws {
    let (pager, source, _) = await pager()
    let refresh = pager.refresh(from: .start)
    let append = pager.load(.append)
    try await append.finished()
    try await refresh.finished()
    #expect(source.calls.dropFirst().map(\.type) == [.refresh, .append])
    #expect(pager.snapshot.items.count == 40)
    let (jump, more) = (pager.jump(toKey: 500), pager.load(.append))
    let prepend = pager.load(.prepend)
    try await jump.finished()
    try await more.finished()
    try await prepend.finished()
    #expect(pager.snapshot.ids == Array(490..<540))
  }

  @Test func P12_aLoadThatWasAskedForBeforeARefreshIsNotDoneAfterIt() async throws {
    let (pager, source, _) = await pager()
    let append = pager.load(.append)
    let refresh = pager.refresh(from: .start)
    try await refresh.finished()
    try? await append.finished()
    await pager.settled()
    #expect(pager.snapshot.items.count == 30)
    #expect(source.calls.count { $0.type == .append } <= 1)
  }

  /// A pager whose loads after the first wait at the gate that the box holds: no command is over before the next is given.
  private func gated() async -> (pager: Pager<Int, Row>, gate: Box<Gate>, types: Box<[LoadType]>) {
    let (server, gate, types) = (server, Box(Gate()), Box<[LoadType]>([]))
    let pager = Pager(
      config: config,
      source: TraitedSource<Int> { params in
        let isFirst = types.change { types in
          types.append(params.type)
          return types.count == 1
        }
        if !isFirst { try await gate.value.pass() }
        return server.page(at: params.key, size: params.loadSize, counts: true)
      })
    await pager.settled()
    return (pager, gate, types)
  }

  @Test func P12_differentEffectsAreNotMerged() async throws {
    let (pager, gate, types) = await gated()
    try await pager.see(15..<20)
    let fromStart = pager.refresh(from: .start)
    let fromAnchor = pager.refresh(from: .anchor)
    await #expect(throws: CancellationError.self) { try await fromStart.finished() }
    gate.value.open()
    try await fromAnchor.finished()
    #expect(pager.snapshot.anchor?.kind == .kept)
    gate.change { $0 = Gate() }
    let again = pager.refresh(from: .anchor)
    let toStart = pager.refresh(from: .start)
    await #expect(throws: CancellationError.self) { try await again.finished() }
    gate.value.open()
    try await toStart.finished()
    #expect(pager.snapshot.position.rowsBefore == 0)
    await pager.settled()
    #expect(types.value.allSatisfy { $0 == .refresh })
  }

  @Test func P12_aCommandCanBeIgnoredOrAwaitedByManyAndAfterItsEnd() async throws {
    let (pager, gate, _) = await gated()
    pager.load(.append)
    let command = pager.load(.append)
    async let first: Void = command.finished()
    async let second: Void = command.finished()
    gate.value.open()
    _ = try await (first, second)
    try await command.finished()
    #expect(pager.snapshot.items.count == 40)
  }

  @Test func P12_whoeverWaitsCanBeCancelledWhichLeavesTheCommandAlone() async throws {
    let hold = Hold()
    let server = server
    let pager = Pager(
      config: config,
      source: TraitedSource<Int> { params in
        if params.type == .append { try await hold.pass() }
        return server.page(at: params.key, size: params.loadSize)
      })
    await pager.settled()
    let command = pager.load(.append)
    await hold.reached()
    let waiting = Task { try await command.finished() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(pager.snapshot.source.append == .loading)
    hold.open()
    try await command.finished()
    #expect(pager.snapshot.items.count == 40)
  }

  @Test func P12_commandsOfAClosedPagerFail() async throws {
    let (pager, source, _) = await pager()
    pager.close()
    let commands = [
      pager.refresh(), pager.retry(), pager.load(.append), pager.jump(toIndex: 900), pager.jump(toItem: 900),
      pager.jump(toKey: 900),
    ]
    for command in commands {
      let error = await #expect(throws: PagingError.self) { try await command.finished() }
      #expect(error?.code == .closed)
    }
    #expect(source.calls.count == 1)
  }

  @Test func P12_closingEndsTheCommandsThatWait() async throws {
    let server = server
    let pager = Pager(
      config: config,
      source: TraitedSource<Int> { params in
        if params.type != .refresh || params.key == 500 { try await Gate().pass() }
        return server.page(at: params.key, size: params.loadSize)
      })
    await pager.settled()
    let commands = [pager.load(.append), pager.jump(toKey: 500), pager.load(.prepend), pager.load(.append)]
    pager.close()
    for command in commands.dropFirst() {
      let error = await #expect(throws: PagingError.self) { try await command.finished() }
      #expect(error?.code == .closed)
    }
    await #expect(throws: (any Error).self) { try await commands[0].finished() }
  }

  // MARK: - P13

  @Test func P13_aJumpShowsTheListAroundARow() async throws {
    let (pager, source, log) = await pager { $0.keyForIndex = { $0 / 10 * 10 } }
    try await pager.see(0..<10)
    try await pager.jump(toIndex: 503).finished()
    let shown = pager.snapshot
    #expect(source.calls.map(\.key) == [nil, 500])
    #expect(shown.count == 1_000)
    #expect(shown.anchor == AnchorOutcome(kind: .kept, index: 503))
    #expect(shown.slots[503..<513].map { $0 } == Array(503..<513))
    #expect(shown.position.rowsBefore == 503)
    #expect(try await log.reasons(1) == ["jump"])
    try await pager.jump(toIndex: 505).finished()
    #expect(source.calls.count == 2, "it is loaded")
  }

  @Test func P13_aTargetThatCannotBeReachedLeavesTheList() async throws {
    let (pager, source, _) = await pager()
    let before = pager.snapshot
    let error = await #expect(throws: PagingError.self) { try await pager.jump(toIndex: 503).finished() }
    #expect(error?.code == .unreachableTarget)
    #expect(pager.snapshot.ids == before.ids)
    #expect(pager.snapshot.source.failures.isEmpty)
    for index in [Int.min, -1, 5_000, Int.max] { try? await pager.jump(toIndex: index).finished() }
    #expect(pager.snapshot.ids == before.ids)
    #expect(source.calls.count == 1)
    try await pager.load(.append).finished()
    #expect(pager.snapshot.items.count == 40)
  }

  @Test func P13_absurdIndicesDoNoHarm() async throws {
    let (pager, _, _) = await pager { $0.keyForIndex = { max(0, min($0, 990)) } }
    for index in [Int.min, -1, 5_000, Int.max] {
      try await pager.see(0..<10)
      try? await pager.jump(toIndex: index).finished()
      #expect(pager.snapshot.phase == .content)
      #expect(pager.snapshot.count == 1_000)
      #expect(pager.snapshot.position.rowsBefore <= 1_000)
    }
  }

  @Test func P13_aJumpToAnItemStartsAroundIt() async throws {
    let (pager, source, _) = await pager { $0.keyAround = { $0 - 5 } }
    try await pager.jump(toItem: 700).finished()
    #expect(source.calls.map(\.key) == [nil, 695])
    let index = try #require(pager.snapshot.anchor?.index)
    #expect(pager.snapshot[index].item?.id == 700)
    #expect(pager.snapshot.index(ofItem: 700) == index)
    try await pager.jump(toItem: 700).finished()
    #expect(source.calls.count == 2)
  }

  @Test func P13_anItemThatTheSourceCannotLoadAroundIsWalkedTo() async throws {
    let (pager, source, _) = await pager()
    try await pager.jump(toItem: 75).finished()
    // 30 rows first, then five pages of ten.
    #expect(source.calls.dropFirst().map(\.key) == [nil, 30, 40, 50, 60, 70])
    let index = try #require(pager.snapshot.anchor?.index)
    #expect(pager.snapshot[index].item?.id == 75)
    #expect(pager.snapshot.items.count == 80)
  }

  @Test(arguments: [nil, 1, 3] as [Int?]) func P13_theWalkHasALimit(limit: Int?) async throws {
    var config = config
    if let limit { config.jumpWalkLimit = limit }
    let (pager, source, _) = await pager(config)
    let before = pager.snapshot
    let error = await #expect(throws: PagingError.self) { try await pager.jump(toItem: 999).finished() }
    #expect(error?.code == .itemNotFound)
    #expect(source.calls.count == 1 + (limit ?? 10))
    #expect(pager.snapshot.ids == before.ids)
    #expect(pager.snapshot.phase == .content)
    #expect(!pager.snapshot.source.refresh.isLoading)
    try await pager.load(.append).finished()
    #expect(pager.snapshot.items.count == 40)
  }

  @Test func P13_anItemThatIsNotInTheListIsNotFound() async throws {
    let small = ListServer(count: 45).source()
    let pager = Pager(config: config, source: small)
    await pager.settled()
    let error = await #expect(throws: PagingError.self) { try await pager.jump(toItem: 77).finished() }
    #expect(error?.code == .itemNotFound)
    #expect(pager.snapshot.ids == Array(0..<30))
  }

  @Test func P13_aJumpThatFailsToLoadIsARefreshThatFailed() async throws {
    let (server, isDown) = (server, Box(false))
    let pager = Pager(
      config: config,
      source: TraitedSource<Int> { params in
        if isDown.value { throw Offline() }
        return server.page(at: params.key, size: params.loadSize)
      })
    await pager.settled()
    isDown.change { $0 = true }
    await #expect(throws: Offline()) { try await pager.jump(toKey: 500).finished() }
    #expect(pager.snapshot.ids == Array(0..<30))
    #expect(pager.snapshot.source.refresh.failure?.error as? Offline == Offline())
    isDown.change { $0 = false }
    try await pager.retry().finished()
    #expect(pager.snapshot.ids == Array(500..<530))
  }

  @Test func P13_aViewportFarInsidePlaceholdersJumpsByItself() async throws {
    var config = PagingConfig(pageSize: 10)
    config.jumpThreshold = 100
    let (pager, source, log) = await pager(config) { $0.keyForIndex = { $0 } }
    #expect(pager.snapshot.count == 1_000)
    try await pager.see(120..<129)
    #expect(!source.calls.contains { $0.type == .refresh && $0.key != nil }, "99 rows of placeholders lie between")
    try await pager.see(600..<610)
    #expect(try await log.reasons(1) == ["jump"])
    let shown = pager.snapshot
    #expect(shown.count == 1_000)
    #expect(shown.slots[600..<610].map { $0 } == Array(600..<610))
    #expect(shown.position.rowsBefore == 600)
    try await pager.see(100..<110)
    #expect(pager.snapshot.slots[100..<110].map { $0 } == Array(100..<110))
    #expect(try await log.reasons(2).count == 2)
  }

  @Test func P13_withoutAThresholdItIsReadFromTheEdge() async throws {
    let (pager, source, log) = await pager(PagingConfig(pageSize: 10)) { $0.keyForIndex = { $0 } }
    try await pager.see(120..<130)
    #expect(log.named("generation").isEmpty)
    #expect(source.calls.dropFirst().allSatisfy { $0.type == .append })
    #expect(pager.snapshot.slots[120..<130].map { $0 } == Array(120..<130))
  }
}
