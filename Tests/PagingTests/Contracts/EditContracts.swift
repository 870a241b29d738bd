import Loading
import Paging
import PagingTesting
import Testing

/// P27: how an edit shows and ends.
@Suite(.timeLimit(.minutes(10))) struct EditContracts {
  private let config = PagingConfig(pageSize: 10, initialLoadSize: 10)

  private func loaded(_ count: Int = 30) async -> (ListServer, Pager<Int, Row>) {
    let server = ListServer(count: count)
    let pager = Pager(config: config, source: server.source())
    await pager.settled()
    return (server, pager)
  }

  private func title<Key>(_ pager: Pager<Key, Row>, of id: Int) -> String? {
    pager.snapshot.items.first { $0.id == id }?.title
  }

  @Test func P27_anEditShowsAtOnceAndEndsWithTheFirstLoadAfterItsConfirmation() async throws {
    let (server, pager) = await loaded()
    let edit = pager.edit(3) { $0.title = "mine" }
    #expect(!edit.isRefused)
    #expect(title(pager, of: 3) == "mine")
    try await pager.refresh().finished()
    #expect(title(pager, of: 3) == "mine", "it survives a refresh while it is open")
    edit.confirm()
    #expect(title(pager, of: 3) == "mine", "nothing was loaded since")
    server.edit { $0[3].title = "theirs" }
    try await pager.refresh().finished()
    #expect(title(pager, of: 3) == "theirs")
    edit.rollback()
    edit.confirm()
    #expect(title(pager, of: 3) == "theirs", "it has ended")
  }

  @Test func P27_aRollbackShowsWhatTheSourceSaid() async throws {
    let (_, pager) = await loaded()
    let before = pager.snapshot
    let edit = pager.edit(3) { $0.title = "mine" }
    #expect(pager.snapshot.changes(from: before) == ListChanges(updates: [3]))
    edit.rollback()
    #expect(pager.snapshot.changes(from: before).isEmpty)
    edit.confirm()
    edit.rollback()
    #expect(pager.snapshot.changes(from: before).isEmpty)
  }

  @Test func P27_editsOfOneItemApplyInOrderAndAConfirmedOneWaitsForThoseBefore() async throws {
    let (server, pager) = await loaded()
    let first = pager.edit(3) { $0.title += "a" }
    let second = pager.edit(3) { $0.title += "b" }
    let third = pager.edit(3) { $0.title += "c" }
    #expect(title(pager, of: 3) == "abc")
    second.confirm()
    server.edit { $0[3].title = "0" }
    try await pager.refresh().finished()
    #expect(title(pager, of: 3) == "0abc", "the first is open still")
    first.rollback()
    #expect(title(pager, of: 3) == "0c", "a load after its confirmation has brought the item")
    third.confirm()
    try await pager.refresh().finished()
    #expect(title(pager, of: 3) == "0")
  }

  @Test func P27_aLoadThatWasUnderWayAtTheConfirmationDoesNotEndIt() async throws {
    let source = GatedSource<Int, Row>()
    let pager = Pager(config: config, source: source)
    let stream = pager.snapshots()
    var iterator = stream.makeAsyncIterator()
    _ = await iterator.next()
    await source.begun(1)
    source.succeed(0, with: Page([Row(id: 1, title: "old"), Row(id: 2)]))
    try await pager.first { $0.count == 2 }
    let edit = pager.edit(1) { $0.title = "mine" }
    let refresh = pager.refresh()
    await source.begun(2)
    edit.confirm()
    source.succeed(1, with: Page([Row(id: 1, title: "old"), Row(id: 2)]))
    try await refresh.finished()
    #expect(title(pager, of: 1) == "mine", "that load may have read before the server was told")
    let another = pager.refresh()
    await source.begun(3)
    source.succeed(2, with: Page([Row(id: 1, title: "new"), Row(id: 2)]))
    try await another.finished()
    #expect(title(pager, of: 1) == "new")
  }

  @Test func P27_anEditSurvivesThatItsPageIsDroppedAndReadAgain() async throws {
    let server = ListServer(count: 200)
    let config = try PagingConfig(pageSize: 10, prefetchDistance: 5, initialLoadSize: 10, maxSize: 30)
    let pager = Pager(config: config, source: server.source(counts: true))
    await pager.settled()
    pager.edit(3) { $0.title = "mine" }
    pager.remove(4)
    #expect(pager.snapshot.count == 199)
    for row in stride(from: 5, through: 95, by: 5) { try await pager.see(row..<row + 5) }
    #expect(!pager.snapshot.ids.contains(3))
    for row in stride(from: 90, through: 0, by: -5) { try await pager.see(row..<row + 5) }
    #expect(pager.snapshot.ids.prefix(5) == [0, 1, 2, 3, 5])
    #expect(title(pager, of: 3) == "mine")
  }

  @Test func P27_anEditOfAnItemThatIsNotLoadedShowsWhenItComes() async throws {
    let server = ListServer(count: 30)
    let pager = Pager(config: config, source: server.source())
    let edit = pager.edit(3) { $0.title = "mine" }
    pager.edit(15) { $0.title = "later" }
    #expect(!edit.isRefused)
    #expect(pager.snapshot.isEmpty)
    await pager.settled()
    #expect(title(pager, of: 3) == "mine")
    let version = pager.snapshot.version
    pager.edit(1_000) { $0.title = "nowhere" }
    #expect(pager.snapshot.version == version, "nothing is shown of it")
    try await pager.see(0..<10)
    #expect(title(pager, of: 15) == "later")
  }

  @Test func P27_aSourcesFresherCopiesAreNoLoads() async throws {
    let (feed, changes) = AsyncStream<SourceChange<Row>>.makeStream()
    let server = ListServer(count: 5)
    let source = TraitedSource(server.source()) { $0.changes = { feed } }
    let pager = Pager(config: config, source: source)
    await pager.settled()
    pager.edit(3) { $0.title += "!" }.confirm()
    changes.yield(.items([Row(id: 3, title: "fresh")]))
    try await pager.first { $0.items[3].title == "fresh!" }
  }

  @Test func P27_aFresherCopyThatIsDroppedAsADuplicateEndsNothingAndOneThatReplacesDoes() async throws {
    for (policy, shown) in [(DuplicatePolicy.dropLater, "mine"), (.replaceEarlier, "fresh")] {
      var config = PagingConfig(pageSize: 10, prefetchDistance: 0, initialLoadSize: 10)
      config.duplicates = policy
      let source = TraitedSource<Int> { params in
        params.key == nil
          ? Page([Row(id: 0), Row(id: 1)], nextKey: 1) : Page([Row(id: 1, title: "fresh"), Row(id: 2)])
      }
      let pager = Pager(config: config, source: source)
      await pager.settled()
      pager.edit(1) { $0.title = "mine" }.confirm()
      try await pager.load(.append).finished()
      #expect(pager.snapshot.ids == [0, 1, 2])
      #expect(title(pager, of: 1) == shown)
    }
  }

  @Test func P27_aChangeThatMakesAnotherItemOfItHasNoEffect() async throws {
    let (_, pager) = await loaded()
    pager.edit(3) { $0 = Row(id: 4, title: "twice") }
    #expect(pager.snapshot.ids == Array(0..<10))
    #expect(title(pager, of: 3) == "")
  }

  // MARK: - How many

  @Test func P27_oneMoreThanAThousandOpenEditsIsRefused() async throws {
    let (_, pager) = await loaded()
    let edits = (0..<1_000).map { number in pager.edit(100 + number) { $0.title = "mine" } }
    #expect(edits.allSatisfy { !$0.isRefused })
    for refused in [pager.edit(3) { $0.title = "mine" }, pager.remove(4), pager.insert(Row(id: -1), at: .start)] {
      #expect(refused.isRefused)
      refused.confirm()
      refused.confirm(as: Row(id: -2))
      refused.rollback()
    }
    #expect(pager.snapshot.ids == Array(0..<10))
    #expect(title(pager, of: 3) == "")
    edits[0].confirm()
    #expect(!pager.remove(4).isRefused, "a confirmed one is not open")
    #expect(pager.remove(5).isRefused)
    edits[1].rollback()
    #expect(!pager.remove(5).isRefused)
    #expect(pager.snapshot.ids == [0, 1, 2, 3, 6, 7, 8, 9])
  }

  @Test func P27_aClosedPagerKeepsWhatItShowsAndRefuses() async throws {
    let (_, pager) = await loaded()
    let edit = pager.edit(3) { $0.title = "mine" }
    pager.close()
    #expect(pager.edit(4) { $0.title = "mine" }.isRefused)
    #expect(pager.remove(4).isRefused)
    edit.rollback()
    edit.confirm()
    #expect(title(pager, of: 3) == "mine")
    #expect(pager.snapshot.ids == Array(0..<10))
  }

  @Test func P27_anEditDoesNotKeepItsPager() async throws {
    var held: Pager<Int, Row>? = Pager(config: config, source: ListServer(count: 5).source())
    weak let pager = held
    let edit = held?.edit(3) { $0.title = "mine" }
    held = nil
    #expect(pager == nil)
    edit?.confirm()
    edit?.rollback()
    #expect(edit?.isRefused == false)
  }

  @Test func P27_lettingGoOfAnEditEndsNothing() async throws {
    let (_, pager) = await loaded()
    do { _ = pager.edit(3) { $0.title = "mine" } }
    try await pager.refresh().finished()
    #expect(title(pager, of: 3) == "mine")
  }

  // MARK: - In one call

  @Test func P27_editAndCommitConfirmsWhenItReturns() async throws {
    let (server, pager) = await loaded()
    let shown = Box<String?>(nil)
    let answer = await pager.edit(3) {
      $0.title = "mine"
    } commit: {
      shown.change { $0 = title(pager, of: 3) }
      return 42
    }
    #expect(answer == 42)
    #expect(shown.value == "mine", "it shows before it is committed")
    #expect(title(pager, of: 3) == "mine")
    server.edit { $0[3].title = "theirs" }
    try await pager.refresh().finished()
    #expect(title(pager, of: 3) == "theirs")
  }

  @MainActor @Test func P27_theCommitRunsWhereItWasCalledFrom() async throws {
    let (_, pager) = await loaded()
    var count = 0
    await pager.edit(3) {
      $0.title = "mine"
    } commit: {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
      count += 1
    }
    #expect(count == 1)
    #expect(title(pager, of: 3) == "mine")
  }

  @Test func P27_editAndCommitRollsBackWhenItThrows() async throws {
    let (_, pager) = await loaded()
    await #expect(throws: Offline(number: 7)) {
      try await pager.edit(3) {
        $0.title = "mine"
      } commit: {
        throw Offline(number: 7)
      }
    }
    #expect(title(pager, of: 3) == "")
  }

  @Test func P27_editAndCommitRollsBackWhenItIsCancelled() async throws {
    let (_, pager) = await loaded()
    let hold = Hold()
    let task = Task {
      try await pager.edit(3) {
        $0.title = "mine"
      } commit: {
        try await hold.pass()
      }
    }
    await hold.reached()
    #expect(title(pager, of: 3) == "mine")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(title(pager, of: 3) == "")
  }

  @Test func P27_aRefusedEditIsCommittedOnceAllTheSame() async throws {
    let (_, pager) = await loaded()
    for number in 0..<1_000 { pager.remove(1_000 + number) }
    let calls = Box(0)
    let answer = await pager.edit(3) {
      $0.title = "mine"
    } commit: {
      calls.change {
        $0 += 1
        return $0
      }
    }
    #expect(answer == 1)
    #expect(calls.value == 1)
    #expect(title(pager, of: 3) == "")
  }
}
