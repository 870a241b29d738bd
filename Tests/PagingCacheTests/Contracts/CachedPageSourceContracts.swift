import Loading
import Paging
import PagingTesting
import Testing

@testable import PagingCache

/// C10: a paginator as a pager's source.
@Suite(.timeLimit(.minutes(10))) struct CachedPageSourceContracts {
  private func load(
    _ source: CachedPageSource<SampleItem>, _ type: LoadType, _ key: String?, size: Int = 3
  ) async throws -> Page<String, SampleItem> {
    try await source.load(LoadParams(type, key: key, loadSize: size))
  }

  @Test func C10_aPagerGetsDroppedPagesBackWithoutTheNetwork() async throws {
    let kit = Kit()
    let pages = CachedPageSource(kit.paginator(), firstKey: "1")
    let config = try PagingConfig(pageSize: 3, prefetchDistance: 1, initialLoadSize: 6, maxSize: 9)
    let pager = Pager(config: config, source: pages)
    let rows = try await pager.collectRows { scroller in
      try await scroller.scroll(to: 14)
      try await scroller.scroll(to: 0)
    }
    #expect(rows.first?.id == 0, "the first page was dropped and has come back")
    #expect(Set(kit.source.keys).count == kit.source.keys.count, "no page was asked for twice: \(kit.source.keys)")
    #expect(kit.source.keys.count >= 5)
  }

  @Test func C10_aRefreshPassesAllCachesBy() async throws {
    let kit = Kit()
    let source = CachedPageSource(kit.paginator(), firstKey: "1")
    _ = try await load(source, .refresh, nil)
    kit.source.set(SamplePage(key: "1", items: [SampleItem(id: 100)], nextKey: "2"))
    #expect(try await load(source, .refresh, nil).items.map(\.id) == [100])
    #expect(kit.source.calls.map(\.bypassesCaches) == [true, true])
    #expect(try await load(source, .prepend, "1").items.map(\.id) == [100])
    #expect(kit.source.calls.count == 2)
  }

  @Test func C10_aPageWhoseNextKeyChangedDropsTheCachedPagesBehindIt() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    let source = CachedPageSource(paginator, firstKey: "1")
    _ = try await load(source, .refresh, nil)
    for key in ["2", "3", "4"] { _ = try await load(source, .append, key) }
    kit.source.set(SamplePage(key: "1", items: [SampleItem(id: 100)], nextKey: "2b"))
    #expect(try await load(source, .refresh, nil).nextKey == "2b")
    #expect(["2", "3", "4"].allSatisfy { paginator.word($0) == "absent" })
    #expect(kit.store.pages.keys.map(\.key) == ["1"])
    #expect(paginator.statistics.evictions.unreachable == 3)
    #expect(kit.events.entries.filter { $0.name == "pagesDropped" }.map(\.pageCount) == [3])
  }

  @Test func C10_aPageWithTheSameNextKeyDropsNothing() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    let source = CachedPageSource(paginator, firstKey: "1")
    _ = try await load(source, .refresh, nil)
    _ = try await load(source, .append, "2")
    _ = try await load(source, .refresh, nil)
    #expect(paginator.word("2") == "loaded")
  }

  @Test func C10_aPageOfAnotherLengthIsFoundAgainByItsKey() async throws {
    let kit = Kit()
    let source = CachedPageSource(kit.paginator(), firstKey: "1")
    _ = try await load(source, .refresh, nil, size: 9)
    _ = try await load(source, .append, "2", size: 3)
    _ = try await load(source, .prepend, "1", size: 3)
    #expect(kit.source.calls.map(\.pageSize) == [9, 3])
  }

  @Test func C10_aStalePageStandsInForARefreshWhileOffline() async throws {
    let kit = Kit(expiresAfter: 10)
    let paginator = kit.paginator { $0.servesStaleOnFailure = true }
    let source = CachedPageSource(paginator, firstKey: "1")
    _ = try await load(source, .refresh, nil)
    kit.wall.pass(11)
    kit.source.fail("1", with: Offline())
    #expect(try await load(source, .refresh, nil).items.count == 3)
  }

  @Test func C10_anExpiredKeyIsAnExpiredCursorWithTheNearestGoodKeyToRecoverFrom() async throws {
    let kit = Kit()
    let source = CachedPageSource(kit.paginator(), firstKey: "1")
    _ = try await load(source, .refresh, nil)
    _ = try await load(source, .append, "2")
    #expect(source.recoveryKey == nil)
    kit.validator.set(.expired, ofKey: "3")
    await #expect {
      try await load(source, .append, "3")
    } throws: { error in
      (error as? PagingError)?.code == .cursorExpired
    }
    #expect(source.recoveryKey == "2")
  }

  @Test func C10_aRefusedKeyIsAnInvalidKeyAndOtherFailuresPass() async throws {
    let kit = Kit()
    let source = CachedPageSource(kit.paginator(), firstKey: "1")
    await #expect {
      try await load(source, .append, "")
    } throws: { error in
      (error as? PagingError)?.code == .invalidKey
    }
    kit.source.fail("1", with: Offline())
    await #expect {
      try await load(source, .refresh, nil)
    } throws: { error in
      (error as? PaginatorError)?.code == .sourceFailed
    }
  }

  @Test func C10_theSourceKeepsWhatAPagerReliesOn() async {
    let report = await PageSourceVerifier(pageSize: 3, invalidKey: "99", patience: .seconds(300)) {
      let source = Source(Source.numbered(pages: 10, pageSize: 3))
      return CachedPageSource(Paginator(source: source), firstKey: "1")
    }.verify()
    #expect(report.isClean, "\(report)")
  }
}
