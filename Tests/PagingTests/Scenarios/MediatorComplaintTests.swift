import Loading
import Testing

@testable import Paging

/// What users of Paging 3 complain of where a mediator fills the list, and its defect of that kind.
@Suite struct MediatorComplaintTests {
  /// A list of `count` rows by offset, whose mediator has answered.
  private func list(
    _ action: InitializeAction = .skip, count: Int, at key: Int? = nil, _ config: PagingConfig? = nil
  ) -> EngineHarness {
    let standard = PagingConfig(pageSize: 5, prefetchDistance: 2, initialLoadSize: 5)
    var list = EngineHarness(
      config: config ?? standard, server: StillServer(count: count), initialKey: key, hasMediator: true)
    list.observe()
    list.answer(action)
    return list
  }

  @Test func DEF_06_aJumpIsNoRemoteRefresh() {
    var config = PagingConfig(pageSize: 3, prefetchDistance: 1, initialLoadSize: 3)
    config.jumpThreshold = 5
    var list = list(count: 100, at: 50, config)
    list.drain()
    list.look(at: 7..<8)
    #expect(list.pending.map(\.params.type) == [.refresh])
    list.drain()
    _ = list.command { $0.jumpAsked(.index(80), $1, now: $2) }
    list.drain()
    #expect(list.rows.contains(80))
    #expect(list.remote.isEmpty)
  }

  /// In place of FET-21.
  @Test func P28_aSecondRefreshIsToldOfWhatIsShown() {
    var list = list(count: 100, at: 50)
    list.drain()
    list.look(at: 51..<52)
    list.drain()
    for _ in 0..<2 {
      _ = list.command { $0.refreshAsked(.anchor, $1, now: $2) }
      #expect(list.remote.map(\.type) == [.refresh])
      let loaded = list.remote[0].loaded
      #expect(loaded.pages.rowCount == list.rows.count)
      let anchor = loaded.anchorIndex.map { $0 + loaded.placeholders.before }
      #expect(anchor == 51)
      list.mediate()
      list.drain()
    }
    #expect(list.rows.contains(51))
  }

  @Test func CMP_06_noRemoteLoadBeginsWhereNobodyIs() {
    // The store's end is reached by the first page: nothing is asked for until somebody looks there.
    var list = list(count: 5)
    list.drain()
    #expect(list.rows == [0, 1, 2, 3, 4])
    #expect(list.remote.isEmpty)
    list.look(at: 0..<2)
    #expect(list.remote.map(\.type) == [.prepend], "the start is in sight, the end is not")
    list.mediate(endReached: true)
    list.drain()
    #expect(list.remote.isEmpty)
    list.look(at: 2..<4)
    #expect(list.remote.map(\.type) == [.append])
    // What it brings is enough for the viewport: no second one follows by itself.
    list.mediate(rows: 10)
    list.drain()
    #expect(list.remote.isEmpty)
    list.look(at: 3..<5)
    list.drain()
    #expect(list.remote.isEmpty)
    #expect(list.rows.count > 5)
  }

  @Test func CMP_07_aMediatorIsAskedWithTheRowsThatItsKeysAreIn() {
    // Neither end is asked for before the refresh has brought rows.
    var list = list(.refresh, count: 0)
    list.drain()
    #expect(list.remote.map(\.type) == [.refresh])
    list.mediate(rows: 5)
    list.drain()
    #expect(list.rows == [0, 1, 2, 3, 4])
    #expect(list.remote.isEmpty)
    list.look(at: 2..<5)
    #expect(list.remote.map(\.type) == [.append])
    #expect(list.remote.first?.loaded.pages.rowCount == 5)
  }

  @Test func CMP_08_whatIsAskedForAfterARefreshKnowsOfIt() {
    var list = list(count: 5)
    list.drain()
    list.look(at: 2..<5)
    #expect(list.remote.map(\.type) == [.append])
    _ = list.command { $0.refreshAsked(.anchor, $1, now: $2) }
    #expect(list.remote.map(\.type) == [.refresh], "and the append is cancelled")
    list.mediate(rows: 3)
    list.drain()
    list.look(at: list.list.count - 1..<list.list.count)
    list.drain()
    #expect(list.remote.map(\.type) == [.append])
    #expect(list.remote.first?.loaded.pages.rowCount == list.rows.count)
    #expect(list.rows.last == 7)
  }

  @Test func CMP_17_aFailedRemoteRefreshIsOneStateAndLeavesTheRows() {
    var list = list(count: 5)
    list.drain()
    _ = list.command { $0.refreshAsked(.anchor, $1, now: $2) }
    let snapshot = { (list: EngineHarness) in PagingSnapshot<Row>(showing: list.state, origin: SnapshotOrigin()) }
    #expect(snapshot(list).states.refresh == .loading)
    #expect(snapshot(list).phase == .content)
    list.failRemote(Offline(number: 1))
    list.drain()
    #expect(snapshot(list).states.refresh.failure?.error as? Offline == Offline(number: 1))
    #expect(snapshot(list).phase == .content)
    #expect(list.rows == [0, 1, 2, 3, 4])
  }
}
