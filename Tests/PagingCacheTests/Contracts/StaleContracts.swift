import Foundation
import Loading
import PagingTesting
import Testing

@testable import PagingCache

/// C6: pages past their time, and damaged ones.
@Suite(.timeLimit(.minutes(10))) struct StaleContracts {
  @Test func C6_anExpiredPageInMemoryIsNotDeliveredAsFresh() async throws {
    let kit = Kit(expiresAfter: 10)
    let paginator = kit.paginator(stored: false)
    _ = try await paginator.fetch("5", pageSize: 3)
    kit.wall.pass(9)
    _ = try await paginator.fetch("5", pageSize: 3)
    #expect(kit.source.calls.count == 1)
    kit.wall.pass(1)
    kit.renew(5...5, for: 10, rows: "new")
    #expect(paginator.word("5") == "absent")
    #expect(try await paginator.fetch("5", pageSize: 3).items.first?.title == "new")
    #expect(paginator.statistics.evictions.expired == 1)
  }

  @Test func C6_anExpiredPageOnDiskIsNotDeliveredAsFresh() async throws {
    let kit = Kit(expiresAfter: 10)
    _ = try await kit.paginator().fetch("5", pageSize: 3)
    kit.wall.pass(10)
    kit.renew(5...5, for: 10, rows: "new")
    let paginator = kit.paginator()
    #expect(try await paginator.fetch("5", pageSize: 3).items.first?.title == "new")
    #expect(paginator.statistics.disk.misses == 1)
  }

  @Test(arguments: [PageValidity.expired, .malformed("bits flipped")])
  func C6_theValidatorsWordCountsForCachedPages(validity: PageValidity) async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    let old = try await paginator.fetch("5", pageSize: 3)
    // Only the old page is bad, not the fresh one.
    let judge = PickyValidator(bad: old, validity: validity)
    kit.source.set(SamplePage(key: "5", items: [SampleItem(id: 500)]))
    let picky = Paginator(validator: judge, store: kit.store, now: { kit.wall.now }, source: kit.source)
    #expect(try await picky.fetch("5", pageSize: 3).items.map(\.id) == [500])
    #expect(kit.store.pages[PaginatorRequest("5", pageSize: 3)]?.items.map(\.id) == [500])
    let evictions = picky.statistics.evictions
    #expect((evictions.expired, evictions.damaged) == (validity == .expired ? (1, 0) : (0, 1)))
  }

  @Test func C6_aPageOnDiskUnderAnotherKeyIsDamagedAndRemoved() async throws {
    let kit = Kit()
    let request = PaginatorRequest("5", pageSize: 3)
    kit.store.set(SamplePage(key: "6", items: []), for: request)
    kit.source.fail("5", with: Offline())
    let paginator = kit.paginator { $0.servesStaleOnFailure = true }
    #expect(await failure { try await paginator.fetch("5", pageSize: 3) }?.code == .sourceFailed)
    #expect(kit.store.pages[request] == nil, "it does not stand in either")
    #expect(paginator.statistics.evictions.damaged == 1)
  }

  // MARK: - Stale when the source fails

  @Test(arguments: [true, false]) func C6_aStalePageStandsInMarkedWhenTheSourceFails(inMemory: Bool) async throws {
    let kit = Kit(expiresAfter: 10)
    let first = kit.paginator { $0.servesStaleOnFailure = true }
    _ = try await first.fetch("5", pageSize: 3)
    kit.wall.pass(11)
    kit.source.fail("5", with: Offline())
    let paginator = inMemory ? first : kit.paginator { $0.servesStaleOnFailure = true }
    for count in 1...2 {
      let page = try await paginator.fetch("5", pageSize: 3)
      #expect(page.isStale && page.items.count == 3)
      #expect(paginator.statistics.staleServes == count)
    }
    #expect(kit.source.calls.count == 3, "each fetch tries the source first")
    kit.source.fail("5", with: nil)
    kit.renew(5...5, for: 10)
    #expect(try await !paginator.fetch("5", pageSize: 3).isStale)
    #expect(kit.store.pages.values.allSatisfy { !$0.isStale })
  }

  @Test func C6_withoutTheSettingTheFailureIsDelivered() async throws {
    let kit = Kit(expiresAfter: 10)
    let paginator = kit.paginator()
    _ = try await paginator.fetch("5", pageSize: 3)
    kit.wall.pass(11)
    kit.source.fail("5", with: Offline())
    let error = try #require(await failure { try await paginator.fetch("5", pageSize: 3) })
    #expect(error.code == .sourceFailed && error.cause is Offline)
  }

  @Test func C6_aMalformedFreshPageIsAnErrorWhateverIsStale() async throws {
    let kit = Kit(expiresAfter: 10)
    let paginator = kit.paginator { $0.servesStaleOnFailure = true }
    _ = try await paginator.fetch("5", pageSize: 3)
    kit.wall.pass(11)
    #expect(await failure { try await paginator.fetch("5", pageSize: 3) }?.code == .expiredPage)
  }

  // MARK: - Stale while revalidating

  @Test func C6_aStalePageComesAtOnceMarkedAndThenTheFreshOne() async throws {
    let kit = Kit(expiresAfter: 10)
    let paginator = kit.paginator { $0.revalidatesWhileStale = true }
    _ = try await paginator.fetch("5", pageSize: 3)
    kit.wall.pass(11)
    kit.renew(5...5, for: 10, rows: "new")
    let gate = Gate()
    kit.source.hold("5", by: gate)
    var found: [SamplePage] = []
    for await delivery in paginator.fetchAround(AroundRequest("5", pageSize: 3, depth: 0)) {
      found.append(try delivery.result.get())
      gate.open()
    }
    #expect(found.map(\.isStale) == [true, false])
    #expect(found.last?.items.first?.title == "new")
    #expect(kit.source.calls.map(\.bypassesCaches) == [false, false])
  }

  @Test func C6_aFetchReturnsTheStalePageAndTheNextOneTheFresh() async throws {
    let kit = Kit(expiresAfter: 10)
    let paginator = kit.paginator { $0.revalidatesWhileStale = true }
    _ = try await paginator.fetch("5", pageSize: 3)
    kit.wall.pass(11)
    kit.renew(5...5, for: 10, rows: "new")
    let gate = Gate()
    kit.source.hold("5", by: gate)
    for _ in 0..<3 { #expect(try await paginator.fetch("5", pageSize: 3).isStale) }
    gate.open()
    await until { paginator.word("5") == "loaded" }
    #expect(try await paginator.fetch("5", pageSize: 3).items.first?.title == "new")
    #expect(kit.source.calls.count == 2, "one load however many fetches found it stale")
    await until { paginator.statistics.staleServes == 3 }
  }

  @Test func C6_aFailedRevalidationIsDeliveredAfterTheStalePage() async throws {
    let kit = Kit(expiresAfter: 10)
    let paginator = kit.paginator { $0.revalidatesWhileStale = true }
    _ = try await paginator.fetch("5", pageSize: 3)
    kit.wall.pass(11)
    kit.source.fail("5", with: Offline())
    let request = AroundRequest("5", pageSize: 3, depth: 1, direction: .forward)
    kit.renew(6...6, for: 10)
    #expect(await words(paginator.fetchAround(request)) == ["5 stale", "5 sourceFailed", "6"])
  }

  // MARK: - Reloading

  @Test func C6_aReloadIsAnsweredByNoCacheAndKeepsWhatComes() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    _ = try await paginator.fetch("5", pageSize: 3)
    kit.source.set(SamplePage(key: "5", items: [SampleItem(id: 500)]))
    #expect(try await paginator.reload("5", pageSize: 3).items.map(\.id) == [500])
    #expect(kit.source.calls.map(\.bypassesCaches) == [false, true])
    #expect(try await paginator.fetch("5", pageSize: 3).items.map(\.id) == [500])
    #expect(kit.store.pages.keys.allSatisfy { !$0.bypassesCaches })
    #expect(kit.source.calls.count == 2)
  }

  @Test func C6_aGoodPageStandsInForAFailedReloadMarked() async throws {
    let kit = Kit()
    let paginator = kit.paginator { $0.servesStaleOnFailure = true }
    _ = try await paginator.fetch("5", pageSize: 3)
    kit.source.fail("5", with: Offline())
    #expect(try await paginator.reload("5", pageSize: 3).isStale)
    #expect(try await !paginator.fetch("5", pageSize: 3).isStale, "it is good still, and no look-up calls it stale")
  }
}

/// Finds fault with one page only.
private struct PickyValidator: PaginatorValidator {
  let bad: SamplePage
  let validity: PageValidity

  func validate(_ page: SamplePage) -> PageValidity { page == bad ? validity : .valid }
  func validate(key: String) -> PageValidity { .valid }
}
