import PagingCache

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of a store verifier.
struct StoreTrial<Store: PaginatorStore>: Sendable where Store.Item: Equatable {
  typealias StoredPage = PaginatorPage<Store.Item>

  let store: Store
  let makeItem: @Sendable (Int) -> Store.Item
  let patience: Patience
  var findings = Findings()

  init(store: Store, makeItem: @escaping @Sendable (Int) -> Store.Item, patience: Patience) {
    self.store = store
    self.makeItem = makeItem
    self.patience = patience
  }

  mutating func run() async {
    findings.begin(.storeOpens)
    guard await removeAll(in: .storeRemovesAll) else { return }
    await checkAbsence()
    await checkRoundTrip()
    await checkExpired()
    await checkReplacing()
    await checkIdentity()
    await checkRemoving()
    await checkRemovingKeys()
    await checkConcurrency()
    await checkRemovingAll()
  }

  // MARK: - Checks

  private mutating func checkAbsence() async {
    let request = PaginatorRequest("nothing", pageSize: 20)
    await expect(nil, for: request, in: .storeAbsence, "was never saved")
    await remove(request, in: .storeAbsence)
    await call("removePages(ofKey: \"nothing\")", in: .storeAbsence) { try await $0.removePages(ofKey: "nothing") }
  }

  private mutating func checkRoundTrip() async {
    let full = PaginatorPage(
      key: "full", items: (1...3).map(makeItem), previousKey: "before", nextKey: "äfter/👍 \"\\",
      expiresAt: Date(timeIntervalSince1970: 4_000_000_000.5), checksum: "c0ffee")
    for page in [full, PaginatorPage(key: "empty", items: [])] {
      let request = PaginatorRequest(page.key, pageSize: 20)
      await save(page, for: request, in: .storeRoundTrip)
      await expect(page, for: request, in: .storeRoundTrip, "was saved")
    }
  }

  private mutating func checkExpired() async {
    let request = PaginatorRequest("old", pageSize: 20)
    let page = PaginatorPage(key: "old", items: [makeItem(1)], expiresAt: Date(timeIntervalSince1970: 1))
    await save(page, for: request, in: .storeExpired)
    await expect(page, for: request, in: .storeExpired, "was saved and is past its time; a stale page may be wanted")
  }

  private mutating func checkReplacing() async {
    let request = PaginatorRequest("again", pageSize: 20)
    await save(PaginatorPage(key: "again", items: [makeItem(1)], nextKey: "x"), for: request, in: .storeReplaces)
    let later = PaginatorPage(key: "again", items: [makeItem(2)])
    await save(later, for: request, in: .storeReplaces)
    await expect(later, for: request, in: .storeReplaces, "was saved last")
  }

  private mutating func checkIdentity() async {
    let long = String(repeating: "k", count: 5_000)
    var requests = ["1", "10", "a", "A", "a/b", "a b", "../a", "%61", "ä", "👍", "a\0b", long, long + "k"]
      .map { PaginatorRequest($0, pageSize: 20) }
    requests += [
      PaginatorRequest("1", pageSize: 21), PaginatorRequest("1", pageSize: 2),
      PaginatorRequest("1", pageSize: 20, cacheIdentity: "ann"),
      PaginatorRequest("1", pageSize: 20, cacheIdentity: "bob"),
    ]
    for (number, request) in requests.enumerated() {
      await save(page(request, number), for: request, in: .storeIdentity)
    }
    for (number, request) in requests.enumerated() {
      await expect(page(request, number), for: request, in: .storeIdentity, "was saved, and others beside it")
    }
  }

  private mutating func checkRemoving() async {
    let requests = [20, 21].map { PaginatorRequest("gone", pageSize: $0) } + [PaginatorRequest("stays", pageSize: 20)]
    for (number, request) in requests.enumerated() {
      await save(page(request, number), for: request, in: .storeRemoves)
    }
    await remove(requests[0], in: .storeRemoves)
    await expect(nil, for: requests[0], in: .storeRemoves, "was removed")
    for number in 1...2 {
      await expect(page(requests[number], number), for: requests[number], in: .storeRemoves, "was not removed")
    }
  }

  private mutating func checkRemovingKeys() async {
    let gone = [
      PaginatorRequest("7", pageSize: 20), PaginatorRequest("7", pageSize: 50),
      PaginatorRequest("7", pageSize: 20, cacheIdentity: "ann"),
    ]
    let kept = ["70", "77", "07", ""].map { PaginatorRequest("7" + $0 + "x", pageSize: 20) }
    for (number, request) in (gone + kept).enumerated() {
      await save(page(request, number), for: request, in: .storeRemovesKey)
    }
    await call("removePages(ofKey: \"7\")", in: .storeRemovesKey) { try await $0.removePages(ofKey: "7") }
    for request in gone { await expect(nil, for: request, in: .storeRemovesKey, "was removed with its key") }
    for (number, request) in kept.enumerated() {
      await expect(page(request, gone.count + number), for: request, in: .storeRemovesKey, "has another key")
    }
  }

  private mutating func checkConcurrency() async {
    guard !findings.isOver else { return }
    let (store, makeItem, patience) = (store, makeItem, patience)
    let found = await withTaskGroup(of: String?.self, returning: [String].self) { group in
      for number in 0..<64 {
        // Two sizes of each of 32 keys, so that those of one key meet.
        let request = PaginatorRequest("side \(number / 2)", pageSize: 20 + number % 2)
        group.addTask {
          do {
            let page = PaginatorPage(key: request.key, items: [makeItem(number)], nextKey: "\(number)")
            try await patience.wait { try await store.save(page, for: request) }
            let read = try await patience.wait { try await store.page(for: request) }
            return read == page
              ? nil : "\(Self.text(request)) was saved beside others, and \(Self.text(read)) was read."
          } catch {
            return "Saving and reading \(Self.text(request)) beside others threw \(error)."
          }
        }
      }
      var found: [String] = []
      for await problem in group { if let problem { found.append(problem) } }
      return found
    }
    findings.begin(.storeConcurrency)
    for problem in found.sorted() { findings.fail(.storeConcurrency, problem) }
  }

  private mutating func checkRemovingAll() async {
    let request = PaginatorRequest("last", pageSize: 20)
    await save(page(request, 1), for: request, in: .storeRemovesAll)
    guard await removeAll(in: .storeRemovesAll) else { return }
    for request in [request, PaginatorRequest("full", pageSize: 20), PaginatorRequest("stays", pageSize: 20)] {
      await expect(nil, for: request, in: .storeRemovesAll, "was removed with all")
    }
    await save(page(request, 2), for: request, in: .storeRemovesAll)
    await expect(page(request, 2), for: request, in: .storeRemovesAll, "was saved after all had been removed")
  }

  mutating func checkPersistence(_ makeStore: @escaping @Sendable () async throws -> Store) async {
    let request = PaginatorRequest("kept", pageSize: 20)
    await save(page(request, 1), for: request, in: .storePersists)
    guard !findings.isOver else { return }
    do {
      let later = try await patience.wait(for: makeStore)
      let read = try await patience.wait { try await later.page(for: request) }
      if read != page(request, 1) {
        let found = Self.text(read)
        findings.fail(.storePersists, "\(Self.text(request)) was saved, and a store made later reads \(found).")
      }
    } catch {
      findings.threw(error, "Making a store again and reading from it", in: .storePersists)
    }
    _ = await removeAll(in: .storePersists)
  }

  // MARK: - Calls

  private func page(_ request: PaginatorRequest, _ number: Int) -> StoredPage {
    PaginatorPage(key: request.key, items: [makeItem(number)], nextKey: "after \(number)")
  }

  @discardableResult
  private mutating func call(
    _ text: String, in check: VerifierCheck, _ body: @escaping @Sendable (Store) async throws -> Void
  ) async -> Bool {
    guard !findings.isOver else { return false }
    findings.begin(check)
    do {
      try await patience.wait { [store] in try await body(store) }
      return true
    } catch {
      findings.threw(error, text, in: check)
      return false
    }
  }

  private mutating func save(_ page: StoredPage, for request: PaginatorRequest, in check: VerifierCheck) async {
    await call("save(_:for: \(Self.text(request)))", in: check) { try await $0.save(page, for: request) }
  }

  private mutating func remove(_ request: PaginatorRequest, in check: VerifierCheck) async {
    await call("remove(\(Self.text(request)))", in: check) { try await $0.remove(request) }
  }

  private mutating func removeAll(in check: VerifierCheck) async -> Bool {
    await call("removeAll()", in: check) { try await $0.removeAll() }
  }

  private mutating func expect(
    _ page: StoredPage?, for request: PaginatorRequest, in check: VerifierCheck, _ why: String
  ) async {
    guard !findings.isOver else { return }
    findings.begin(check)
    do {
      let read = try await patience.wait { [store] in try await store.page(for: request) }
      if read != page { findings.fail(check, "\(Self.text(request)) \(why), and \(Self.text(read)) was read.") }
    } catch {
      findings.threw(error, "page(for: \(Self.text(request)))", in: check)
    }
  }

  private static func text(_ request: PaginatorRequest) -> String {
    let key = request.key.count > 40 ? "\(request.key.prefix(40))…" : request.key
    let identity = request.cacheIdentity.isEmpty ? "" : " of \(request.cacheIdentity)"
    return "page \"\(key)\" in size \(request.pageSize)\(identity)"
  }

  private static func text(_ page: StoredPage?) -> String {
    guard let page else { return "nothing" }
    return "a page with key \"\(page.key.prefix(40))\", \(page.items.count) rows and next key \(page.nextKey ?? "none")"
  }
}
