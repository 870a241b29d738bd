import Foundation
import Loading
import PagingCache
import PagingTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct PaginatorDoublesTests {
  private struct Lost: Error {}

  // MARK: - The verifier

  /// A store with one thing wrong.
  struct PlantedStore: PaginatorStore {
    enum Fault: String, CaseIterable {
      case none, throwsForAbsent, losesKeys, dropsExpired, keepsFirst, ignoresSize, ignoresIdentity, foldsCase,
        removesKeyOnly
      case removesTooLittle, removesPrefixes, removesAllButOne, losesSome, throwsAfterRemovingAll, neverOpens
    }

    let fault: Fault
    let base = FakePaginatorStore<SampleItem>()
    let saves = Counter()

    private func named(_ request: PaginatorRequest) -> PaginatorRequest {
      var request = request
      if fault == .ignoresSize { request.pageSize = 1 }
      if fault == .ignoresIdentity { request.cacheIdentity = "" }
      if fault == .foldsCase { request.key = request.key.lowercased() }
      return request
    }

    func page(for request: PaginatorRequest) async throws -> PaginatorPage<SampleItem>? {
      var page = try await base.page(for: named(request))
      if page == nil, fault == .throwsForAbsent { throw Lost() }
      if fault == .losesKeys { page?.previousKey = nil }
      if fault == .dropsExpired, let date = page?.expiresAt, date.timeIntervalSince1970 < 1_000 { return nil }
      return page
    }

    func save(_ page: PaginatorPage<SampleItem>, for request: PaginatorRequest) async throws {
      if fault == .keepsFirst, base.pages[request] != nil { return }
      if fault == .losesSome, request.key.hasPrefix("side"), saves.next() % 4 == 0 { return }
      if fault == .throwsAfterRemovingAll, base.operations.filter({ $0 == .removeAll }).count > 1 { throw Lost() }
      try await base.save(page, for: named(request))
    }

    func remove(_ request: PaginatorRequest) async throws {
      if fault == .removesKeyOnly { return try await base.removePages(ofKey: request.key) }
      try await base.remove(named(request))
    }

    func removePages(ofKey key: String) async throws {
      switch fault {
      case .removesTooLittle: try await base.remove(PaginatorRequest(key, pageSize: 20))
      case .removesPrefixes:
        for request in base.pages.keys where request.key.hasPrefix(key) { try await base.remove(request) }
      default: try await base.removePages(ofKey: key)
      }
    }

    func removeAll() async throws {
      let kept = fault == .removesAllButOne ? base.pages.first { $0.key.key == "full" } : nil
      try await base.removeAll()
      if let kept { try await base.save(kept.value, for: kept.key) }
    }
  }

  final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  private static let checks: [PlantedStore.Fault: VerifierCheck] = [
    .throwsForAbsent: .storeAbsence, .losesKeys: .storeRoundTrip, .dropsExpired: .storeExpired,
    .keepsFirst: .storeReplaces, .ignoresSize: .storeIdentity, .ignoresIdentity: .storeIdentity,
    .foldsCase: .storeIdentity, .removesKeyOnly: .storeRemoves, .removesTooLittle: .storeRemovesKey,
    .removesPrefixes: .storeRemovesKey, .removesAllButOne: .storeRemovesAll, .losesSome: .storeConcurrency,
    .throwsAfterRemovingAll: .storeRemovesAll, .neverOpens: .storeOpens,
  ]

  private func report(_ fault: PlantedStore.Fault) async -> VerifierReport {
    await PaginatorStoreVerifier(makeItem: { SampleItem(id: $0) }) {
      if fault == .neverOpens { throw Lost() }
      return PlantedStore(fault: fault)
    }.verify()
  }

  @Test func anHonestStoreIsAccepted() async {
    let report = await report(.none)
    #expect(report.isClean, "\(report)")
    #expect(report.skipped == [.storePersists])
  }

  @Test(arguments: PlantedStore.Fault.allCases.dropFirst())
  func aFaultOfAStoreIsFoundByItsCheck(fault: PlantedStore.Fault) async throws {
    let report = await report(fault)
    let check = try #require(Self.checks[fault])
    #expect(report.failures.contains { $0.check == check && $0.message.hasSuffix(".") }, "\(fault): \(report)")
  }

  @Test func aStoreThatForgetsIsFoundWhereItShouldPersist() async {
    let report = await PaginatorStoreVerifier(isPersistent: true, makeItem: { SampleItem(id: $0) }) {
      FakePaginatorStore<SampleItem>()
    }.verify()
    #expect(report.failures.map(\.check) == [.storePersists], "\(report)")
  }

  @Test func aStoreThatHangsCostsPatienceOnly() async {
    let (clock, gate) = (ManualClock(), Gate())
    async let report = PaginatorStoreVerifier(clock: clock, makeItem: { SampleItem(id: $0) }) {
      let store = FakePaginatorStore<SampleItem>()
      store.hold(.read, by: gate)
      return store
    }.verify()
    await gate.waiting(atLeast: 1)
    // An earlier call's patience may sleep still for a moment, so the time goes on until the verifier has lost its own.
    let time = Task { while !Task.isCancelled { await clock.advance(by: .seconds(10)) } }
    defer { time.cancel() }
    #expect(await report.failures.map(\.check) == [.returns])
  }

  // MARK: - The fakes

  @Test func aFakePaginatorAnswersAndRemembersItsCalls() async throws {
    let fake = FakePaginator(FakePaginatorSource.numbered(pages: 3, pageSize: 2))
    #expect(try await fake.fetch("2", pageSize: 2).items.count == 2)
    guard case .loaded = fake.state(of: "2", pageSize: 2) else { return #expect(Bool(false), "it is loaded") }
    await #expect(throws: PaginatorError.self) { try await fake.fetch("9", pageSize: 2) }
    guard case .failed(let error) = fake.state(of: "9", pageSize: 2) else { return #expect(Bool(false), "it failed") }
    #expect(error.code == .sourceFailed && (error.cause as? UnknownPage)?.key == "9")
    var keys: [String] = []
    for await delivery in fake.fetchAround(AroundRequest("2", pageSize: 2, depth: 1)) { keys.append(delivery.key) }
    #expect(keys == ["2", "3", "1"])
    #expect(fake.calls.map(\.key) == ["2", "9", "2", "3", "1"])
    fake.clear("2")
    guard case .absent = fake.state(of: "2", pageSize: 2) else { return #expect(Bool(false), "it is absent") }
  }

  @Test func aFakeSourceFailsAsOftenAsItIsTold() async throws {
    let source = FakePaginatorSource(FakePaginatorSource.numbered(pages: 2))
    source.fail("1", with: Lost(), times: 2)
    for _ in 0..<2 {
      await #expect(throws: Lost.self) { try await source.page(for: PaginatorRequest("1", pageSize: 20)) }
    }
    #expect(try await source.page(for: PaginatorRequest("1", pageSize: 20)).nextKey == "2")
    source.fail("1", with: Lost())
    source.fail("1", with: nil)
    #expect(try await source.page(for: PaginatorRequest("1", pageSize: 20)).key == "1")
    source.remove("1")
    await #expect(throws: UnknownPage.self) { try await source.page(for: PaginatorRequest("1", pageSize: 20)) }
    #expect(source.keys.count == 5 && source.mostRunning == 1)
  }
}
