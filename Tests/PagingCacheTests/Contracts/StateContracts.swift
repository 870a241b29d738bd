import Foundation
import Loading
import PagingTesting
import Testing

@testable import PagingCache

/// C8, C9 and C11: states, clearing, statistics, and that instances share nothing.
@Suite(.timeLimit(.minutes(10))) struct PageStateContracts {
  // MARK: - C11

  @Test func C11_aPageMovesFromAbsentOverLoadingToLoaded() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    let paginator = kit.paginator()
    var states = paginator.states(of: "5", pageSize: 3).makeAsyncIterator()
    #expect(await states.next()?.word == "absent")
    let task = await paginator.fetching("5")
    #expect(await states.next()?.word == "loading")
    #expect(paginator.word("5") == "loading")
    gate.open()
    _ = try await task.value
    #expect(await states.next()?.word == "loaded")
    paginator.clear("5")
    #expect(await states.next()?.word == "absent")
  }

  @Test func C11_aFailureStaysUntilTheNextFetch() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.source.fail("5", with: Offline(), times: 1)
    let paginator = kit.paginator()
    var states = paginator.states(of: "5", pageSize: 3).makeAsyncIterator()
    _ = await states.next()
    _ = await failure { try await paginator.fetch("5", pageSize: 3) }
    #expect(await states.next()?.word == "sourceFailed")
    _ = try await paginator.fetch("6", pageSize: 3)
    #expect(paginator.word("5") == "sourceFailed")
    kit.source.hold("5", by: gate)
    let task = await paginator.fetching("5")
    #expect(await states.next()?.word == "loading")
    gate.open()
    _ = try await task.value
    #expect(await states.next()?.word == "loaded")
  }

  @Test(arguments: [true, false]) func C11_aFailureStaysUntilItIsCleared(all: Bool) async {
    let kit = Kit()
    kit.source.fail("5", with: Offline())
    let paginator = kit.paginator()
    _ = await failure { try await paginator.fetch("5", pageSize: 3) }
    if all { paginator.clearAll() } else { paginator.clear("5") }
    #expect(paginator.word("5") == "absent")
  }

  @Test func C11_aFailedReloadIsForgottenWhenThePageIsFetched() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    _ = try await paginator.fetch("5", pageSize: 3)
    kit.source.fail("5", with: Offline())
    _ = await failure { try await paginator.reload("5", pageSize: 3) }
    #expect(paginator.word("5") == "sourceFailed")
    _ = try await paginator.fetch("5", pageSize: 3)
    #expect(paginator.word("5") == "loaded")
  }

  @Test func C11_evictionReturnsAPageToAbsent() async throws {
    let kit = Kit()
    let paginator = kit.paginator { $0.memory = .lru + .maxCount(2) }
    var states = paginator.states(of: "1", pageSize: 3).makeAsyncIterator()
    _ = await states.next()
    for key in ["1", "2"] { _ = try await paginator.fetch(key, pageSize: 3) }
    #expect(await states.next()?.word == "loaded")
    _ = try await paginator.fetch("3", pageSize: 3)
    #expect(await states.next()?.word == "absent")
    #expect(paginator.word("1") == "absent" && paginator.word("2") == "loaded")
  }

  @Test func C11_aCancelledFetchLeavesThePageAbsent() async {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    let paginator = kit.paginator()
    let task = await paginator.fetching("5")
    task.cancel()
    _ = await task.result
    #expect(paginator.word("5") == "absent")
  }

  @Test func C11_theStreamEndsWithThePaginator() async {
    let kit = Kit()
    var paginator: Paginator? = kit.paginator()
    let states = paginator?.states(of: "5", pageSize: 3)
    paginator = nil
    var seen: [String] = []
    if let states { for await state in states { seen.append(state.word) } }
    #expect(seen == ["absent"])
  }

  // MARK: - Clearing

  @Test func clearForgetsAKeysPagesOfEverySizeInAllCaches() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    for size in [3, 4] { _ = try await paginator.fetch("5", pageSize: size) }
    _ = try await paginator.fetch("6", pageSize: 3)
    paginator.clear("5")
    _ = try await paginator.fetch("5", pageSize: 4)
    #expect(kit.source.keys == ["5", "5", "6", "5"], "neither memory nor the disk had it, in the instant after")
    #expect(kit.store.pages.keys.map(\.key).sorted() == ["5", "6"])
  }

  @Test func clearAllForgetsEverything() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    for key in ["5", "6"] { _ = try await paginator.fetch(key, pageSize: 3) }
    paginator.clearAll()
    for key in ["5", "6"] { _ = try await paginator.fetch(key, pageSize: 3) }
    #expect(kit.source.keys == ["5", "6", "5", "6"])
  }

  @Test func whatWasClearedWhileItLoadedIsDeliveredAndKeptNowhere() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    let paginator = kit.paginator()
    let before = await paginator.fetching("5")
    await gate.waiting(atLeast: 1)
    paginator.clear("5")
    kit.source.hold("5", by: nil)
    let after = try await paginator.fetch("5", pageSize: 3)
    #expect(kit.source.keys == ["5", "5"], "who asks after the clearing gets work of their own")
    paginator.clear("5")
    await paginator.store?.cleared()
    gate.open()
    #expect(try await before.value == after)
    #expect(kit.store.pages.isEmpty && paginator.memory.count == 0)
  }

  @Test func whatWasClearedWhileItWasSavedIsKeptNowhere() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.store.hold(.save, by: gate)
    let paginator = kit.paginator()
    let task = await paginator.fetching("5")
    await gate.waiting(atLeast: 1)
    paginator.clear("5")
    await paginator.store?.cleared()
    gate.open()
    _ = try await task.value
    #expect(kit.store.pages.isEmpty && paginator.memory.count == 0)
  }

  // MARK: - C8

  @Test func C8_instancesShareNeitherCachesNorQueueNorConfiguration() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("1", by: gate)
    let one = kit.paginator(stored: false) { $0.maxConcurrent = 1 }
    let other = kit.paginator(stored: false) { $0.maxConcurrent = 1 }
    let held = await one.fetching("1")
    await gate.waiting(atLeast: 1)
    _ = try await other.fetch("2", pageSize: 3)
    let waiting = await one.fetching("2")
    #expect(other.word("2") == "loaded" && one.word("2") == "loading")
    #expect(one.statistics.memory.hits == 0 && other.statistics.memory.insertions == 1)
    gate.open()
    _ = try await (held.value, waiting.value)
    other.clearAll()
    #expect(one.word("2") == "loaded")
  }

  // MARK: - C9

  @Test func C9_theStatisticsCountHitsMissesLoadsJoinsAndEvictions() async throws {
    let kit = Kit()
    let paginator = kit.paginator { $0.memory = .lru + .maxCount(2) }
    for key in ["1", "1", "2", "3", "1"] { _ = try await paginator.fetch(key, pageSize: 3) }
    let gate = Gate()
    kit.source.hold("4", by: gate)
    let waiting = [await paginator.fetching("4"), await paginator.fetching("4")]
    gate.open()
    for task in waiting { _ = try await task.value }
    let found = paginator.statistics
    #expect(found.memory == CacheStatistics(hits: 1, misses: 6, insertions: 5, evictions: 3))
    #expect(found.disk == CacheStatistics(hits: 1, misses: 4, insertions: 4))
    #expect(found.loads == 4 && found.joins == 1 && found.retries == 0 && found.staleServes == 0)
    #expect(found.evictions == PaginatorEvictions(room: 3, expired: 0, damaged: 0, unreachable: 0))
  }

  @Test func C9_pagesThatLeaveMemoryForItsTimeToLiveAreCountedApart() async throws {
    let kit = Kit()
    let paginator = kit.paginator(stored: false) { $0.memory = .ttl(.seconds(5)) }
    _ = try await paginator.fetch("1", pageSize: 3)
    await kit.clock.advance(by: .seconds(5))
    _ = try await paginator.fetch("1", pageSize: 3)
    #expect(paginator.statistics.evictions == PaginatorEvictions(room: 0, expired: 1, damaged: 0, unreachable: 0))
    #expect(kit.source.calls.count == 2)
  }

  @Test func C9_theObserverHearsOfLoadsWithoutKeys() async throws {
    let kit = Kit()
    kit.source.fail("6", with: Offline())
    let paginator = kit.paginator()
    _ = try await paginator.fetch("5", pageSize: 3)
    _ = await failure { try await paginator.fetch("6", pageSize: 3) }
    let events = kit.events.entries
    #expect(events.map(\.name) == ["load", "load", "load", "load"])
    #expect(events.map(\.phase) == [.begin, .end, .begin, .end])
    #expect(events.map(\.outcome) == [nil, "ok", nil, "sourceFailed"])
    #expect(events[0].id == events[1].id && events[1].id != events[2].id)
  }

  @Test func C9_aPageCostsItsRows() async throws {
    let kit = Kit()
    let paginator = kit.paginator(stored: false) { $0.memory = .maxCost(7) }
    for key in ["1", "2", "3"] { _ = try await paginator.fetch(key, pageSize: 3) }
    #expect(paginator.memory.count == 2 && paginator.memory.cost == 6)
  }
}
