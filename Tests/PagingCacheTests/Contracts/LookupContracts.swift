import Foundation
import Loading
import PagingTesting
import Testing

@testable import PagingCache

/// C1, C2 and C12: where a page is looked for, once, and which page it is.
@Suite(.timeLimit(.minutes(10))) struct LookupContracts {
  // MARK: - C1

  @Test func C1_aMissAsksTheSourceAndIsWrittenToMemoryAndDiskBeforeItReturns() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    let page = try await paginator.fetch("5", pageSize: 3)
    #expect(page.items.count == 3)
    #expect(kit.store.pages[PaginatorRequest("5", pageSize: 3)] == page)
    #expect(paginator.word("5") == "loaded")
    #expect(kit.store.operations == [.read, .save])
  }

  @Test func C1_memoryAnswersBeforeTheDiskAndTheSource() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    let first = try await paginator.fetch("5", pageSize: 3)
    let second = try await paginator.fetch("5", pageSize: 3)
    #expect(first == second)
    #expect(kit.source.keys == ["5"])
    #expect(kit.store.operations == [.read, .save], "the second fetch did not get as far as the disk")
  }

  @Test func C1_aPageOnDiskIsPromotedAndTheSourceNotAsked() async throws {
    let kit = Kit()
    let page = SamplePage(key: "5", items: [SampleItem(id: 5)])
    kit.store.set(page, for: PaginatorRequest("5", pageSize: 3))
    let paginator = kit.paginator()
    #expect(try await paginator.fetch("5", pageSize: 3) == page)
    #expect(try await paginator.fetch("5", pageSize: 3) == page)
    #expect(kit.source.calls.isEmpty)
    #expect(kit.store.operations == [.read], "promoted: the second fetch was answered by memory, and nothing was saved")
  }

  @Test func C1_aMalformedFreshPageIsAnErrorAndCachedNowhere() async throws {
    let kit = Kit()
    kit.validator.set(.malformed("the checksum differs"), ofPage: "5")
    let paginator = kit.paginator { $0.servesStaleOnFailure = true }
    let error = try #require(await failure { try await paginator.fetch("5", pageSize: 3) })
    #expect(error.code == .malformedPage)
    #expect(error.message.contains("\"5\"") && error.message.contains("the checksum differs"))
    #expect(kit.store.pages.isEmpty)
    #expect(paginator.memory.count == 0)
  }

  @Test func C1_aFreshPageUnderAnotherKeyIsMalformed() async throws {
    let kit = Kit()
    kit.source.set(SamplePage(key: "6", items: []), asAnswerTo: "5")
    let paginator = kit.paginator()
    let error = try #require(await failure { try await paginator.fetch("5", pageSize: 3) })
    #expect(error.code == .malformedPage && error.message.contains("\"6\""))
    #expect(kit.store.pages.isEmpty && paginator.memory.count == 0)
  }

  @Test(arguments: [true, false]) func C1_aFreshPageThatHasExpiredIsAnErrorAndCachedNowhere(byDate: Bool) async throws {
    let kit = Kit(expiresAfter: byDate ? 0 : 10)
    if !byDate { kit.validator.set(.expired, ofPage: "5") }
    let paginator = kit.paginator()
    let error = try #require(await failure { try await paginator.fetch("5", pageSize: 3) })
    #expect(error.code == .expiredPage)
    #expect(error.message.contains("\"5\""))
    #expect(kit.store.pages.isEmpty && paginator.memory.count == 0)
  }

  @Test func C1_aStoreThatFailsCostsNoFetch() async throws {
    let kit = Kit()
    kit.store.fail(.read, with: Offline())
    kit.store.fail(.save, with: Offline())
    let paginator = kit.paginator()
    #expect(try await paginator.fetch("5", pageSize: 3).key == "5")
    #expect(paginator.statistics.disk.refusals == 1 && paginator.statistics.disk.misses == 1)
    #expect(kit.events.entries.filter { $0.name == "storeFailed" }.map(\.outcome) == ["read", "save"])
  }

  @Test func C1_withoutAStoreTheSourceIsAsked() async throws {
    let kit = Kit()
    let paginator = kit.paginator(stored: false)
    _ = try await paginator.fetch("5", pageSize: 3)
    #expect(kit.source.keys == ["5"] && paginator.statistics.disk == CacheStatistics())
  }

  // MARK: - C2

  @Test func C2_whoAskWhileAPageIsLoadedShareTheWork() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    let paginator = kit.paginator()
    var tasks: [Task<SamplePage, any Error>] = []
    for _ in 0..<50 { tasks.append(await paginator.fetching("5")) }
    gate.open()
    for task in tasks { #expect(try await task.value.key == "5") }
    #expect(kit.source.keys == ["5"])
    #expect(paginator.statistics.joins == 49)
  }

  @Test func C2_whoAsksWhileAPageIsBeingSavedShareTheWork() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.store.hold(.save, by: gate)
    let paginator = kit.paginator { $0.memory = .maxCount(0) }
    let first = await paginator.fetching("5")
    await gate.waiting(atLeast: 1)
    let second = await paginator.fetching("5")
    gate.open()
    #expect(try await first.value == second.value)
    #expect(kit.source.keys == ["5"])
  }

  @Test func C2_aFailureReachesAllWhoWaitAndIsNotRemembered() async throws {
    let kit = Kit()
    let gate = Gate()
    kit.source.hold("5", by: gate)
    kit.source.fail("5", with: Offline(), times: 1)
    let paginator = kit.paginator()
    let (first, second) = (await paginator.fetching("5"), await paginator.fetching("5"))
    gate.open()
    for task in [first, second] {
      let error = try #require(await failure { try await task.value })
      #expect(error.code == .sourceFailed && error.cause is Offline)
    }
    #expect(try await paginator.fetch("5", pageSize: 3).key == "5")
    #expect(kit.source.keys == ["5", "5"])
  }

  @Test func C2_workThatNobodyWaitsForWritesNothing() async throws {
    let kit = Kit()
    let gate = Gate()
    let late = LateSource(gate)
    let paginator = Paginator(store: kit.store, source: late)
    let task = await paginator.fetching("5")
    await gate.waiting(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    gate.open()
    await late.ended(atLeast: 1)
    let fresh = try await paginator.fetch("6", pageSize: 3)
    #expect(kit.store.pages == [PaginatorRequest("6", pageSize: 3): fresh])
    #expect(paginator.word("5") == "absent")
  }

  // MARK: - C12

  @Test func C12_anotherPageSizeIsAMiss() async throws {
    let kit = Kit()
    let paginator = kit.paginator()
    for size in [3, 4, 3] { _ = try await paginator.fetch("5", pageSize: size) }
    #expect(kit.source.calls.map(\.pageSize) == [3, 4])
  }

  @Test func C12_anotherCacheIdentityIsAMiss() async throws {
    let kit = Kit()
    let user = Log<String>()
    let paginator = kit.paginator { $0.cacheIdentity = { _ in user.entries.last ?? "" } }
    for name in ["ann", "bob", "ann", "bob"] {
      user.add(name)
      _ = try await paginator.fetch("5", pageSize: 3)
    }
    #expect(kit.source.calls.map(\.cacheIdentity) == ["ann", "bob"])
    #expect(Set(kit.store.pages.keys.map(\.cacheIdentity)) == ["ann", "bob"])
  }

  @Test func C12_theDiskTellsThemApartToo() async throws {
    let kit = Kit()
    _ = try await kit.paginator().fetch("5", pageSize: 3)
    _ = try await kit.paginator().fetch("5", pageSize: 3)
    #expect(kit.source.calls.count == 1, "a second paginator finds the page on disk")
    _ = try await kit.paginator().fetch("5", pageSize: 4)
    _ = try await kit.paginator { $0.cacheIdentity = { _ in "bob" } }.fetch("5", pageSize: 3)
    #expect(kit.source.calls.count == 3)
  }
}

/// A source that takes its time whatever becomes of its task, and then brings a page.
final class LateSource: PaginatorSource {
  private let gate: Gate
  private let fake = FakePaginatorSource<SampleItem>(FakePaginatorSource.numbered(pages: 10, pageSize: 3))

  init(_ gate: Gate) {
    self.gate = gate
  }

  func page(for request: PaginatorRequest) async throws -> SamplePage {
    // A task of its own, since cancellation doesn't reach it.
    try await Task { try await gate.pass() }.value
    return try await fake.page(for: request)
  }

  func ended(atLeast count: Int) async { await fake.ended(atLeast: count) }
}
