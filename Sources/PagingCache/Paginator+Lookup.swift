import Loading
import Synchronization

// What one fetch does, as its plan says.
extension Paginator {
  /// A page from wherever the mode allows.
  func obtain(
    _ key: String, _ pageSize: Int, _ ticket: LoadTicket, _ mode: FetchMode = .lookUp
  ) async throws -> FetchedPage<Item> {
    try Task.checkCancellation()
    let isGood = try judge.admits(key, pageSize: pageSize)
    let request = named(key, pageSize)
    guard isGood else { throw await expired(request, cause: nil) }
    if mode == .lookUp, let held = lookInMemory(request) {
      if book.withLock({ $0.forgetFailure(of: request) }) { publish() }
      return held
    }
    let fetched = try await join(request, ticket, mode)
    if fetched.page.isStale { counters.servedStale() }
    return fetched
  }

  /// Loads the fresh page behind one that was delivered stale, unless that is under way.
  func revalidate(_ key: String, _ pageSize: Int) {
    let request = named(key, pageSize)
    guard book.withLock({ $0.beganRevalidating(request) }) else { return }
    Task.detached {
      // A failure is the page's state, and whoever fetches it next tries again.
      _ = try? await self.obtain(key, pageSize, LoadTicket(priority: .low), .revalidate)
      self.book.withLock { $0.endedRevalidating(request) }
    }
  }

  private func rules(_ mode: FetchMode) -> FetchPlan<Item>.Rules {
    FetchPlan.Rules(
      servesStaleOnFailure: config.servesStaleOnFailure, revalidatesWhileStale: config.revalidatesWhileStale,
      passesCaches: mode != .lookUp)
  }

  private func lookInMemory(_ request: PaginatorRequest) -> FetchedPage<Item>? {
    var plan = FetchPlan<Item>(request, rules: rules(.lookUp))
    let held = memory.value(forKey: request)
    let step = plan.memoryAnswered(held.map { ($0.page, judge.judge($0.page, for: request)) })
    discard(plan.memoryDiscard, held, request)
    guard case .deliver(let fetched) = step else {
      counters.lookedInMemory(found: false)
      return nil
    }
    counters.lookedInMemory(found: true)
    return fetched
  }

  /// Waits for the work on a page, after starting it if need be.
  private func join(
    _ request: PaginatorRequest, _ ticket: LoadTicket, _ mode: FetchMode
  ) async throws -> FetchedPage<Item> {
    let token = book.withLock { $0.began(request) { memory.contains($0) } }
    publish()
    let outcome: PageBook.Outcome
    let result: Result<FetchedPage<Item>, any Error>
    do {
      let flight = flight(request, mode, token)
      let fetched = try await coalescer.value(for: flight, ticket: ticket) { ticket in
        try await self.lookUp(request, flight.mode, ticket)
      } keep: { fetched in
        await self.keep(fetched, request, token)
      }
      (outcome, result) = (.came, .success(fetched))
    } catch let error as PaginatorError {
      (outcome, result) = (.failed(error), .failure(error))
    } catch {
      (outcome, result) = (.cancelled, .failure(error))
    }
    book.withLock { $0.ended(request, token: token, outcome) }
    publish()
    return try result.get()
  }

  /// The work to wait for: one's own, or one that brings a fresh page anyway.
  private func flight(_ request: PaginatorRequest, _ mode: FetchMode, _ token: UInt64) -> FlightKey {
    let own = FlightKey(request: request, mode: mode, token: token)
    // Where a stale page is delivered at once, a look-up doesn't wait for the fresh one.
    guard mode != .reload, mode != .lookUp || !config.revalidatesWhileStale, !coalescer.isLoading(own) else {
      return own
    }
    return [.reload, .revalidate].map { FlightKey(request: request, mode: $0, token: token) }
      .first { coalescer.isLoading($0) } ?? own
  }

  /// The work on a page.
  @concurrent private func lookUp(
    _ request: PaginatorRequest, _ mode: FetchMode, _ ticket: LoadTicket
  ) async throws -> FetchedPage<Item> {
    var plan = FetchPlan<Item>(request, rules: rules(mode))
    // It may have come since it was looked for: by work that ended in that moment.
    let held = memory.peek(forKey: request)
    var step = plan.memoryAnswered(held.map { ($0.page, judge.judge($0.page, for: request)) })
    discard(plan.memoryDiscard, held, request)
    while true {
      switch step {
      case .deliver(let fetched): return fetched
      case .fail(let error): throw error
      case .readDisk: step = await readDisk(&plan, request, mode)
      case .askSource: step = try await askSource(plan, request, mode, ticket)
      }
    }
  }

  private func readDisk(
    _ plan: inout FetchPlan<Item>, _ request: PaginatorRequest, _ mode: FetchMode
  ) async -> FetchPlan<Item>.Step {
    guard let store else { return plan.diskAnswered(nil) }
    let found = await store.page(for: request).map { ($0, judge.judge($0, for: request)) }
    let step = plan.diskAnswered(found)
    if mode == .lookUp { counters.lookedOnDisk(found: found?.1 == .good) }
    if let discard = plan.diskDiscard {
      counters.discarded(discard, fromMemory: false)
      await store.remove(request)
    }
    return step
  }

  /// Lets a page go that was found in memory, where it is still that one: a fresh one may have come meanwhile.
  private func discard(_ discard: PageDiscard?, _ held: Held?, _ request: PaginatorRequest) {
    guard let discard, let held, memory.removeValue(forKey: request, where: { $0.number == held.number }) else {
      return
    }
    counters.discarded(discard, fromMemory: true)
  }

  /// Keeps what came, unless it was cleared meanwhile.
  @concurrent private func keep(_ fetched: FetchedPage<Item>, _ request: PaginatorRequest, _ token: UInt64) async {
    let isCurrent: @Sendable () -> Bool = { self.book.withLock { $0.isCurrent(token, of: request) } }
    guard fetched.origin == .disk || fetched.origin == .source, isCurrent() else { return }
    let page = fetched.page
    links.note(request, neighbours(of: page, request))
    let held = Held(page: page, number: book.withLock { $0.number() })
    memory.insert(held, forKey: request, cost: max(1, page.items.count))
    // Cleared in between: the clearing may have come before the page.
    if !isCurrent() { memory.removeValue(forKey: request) }
    guard fetched.origin == .source else { return }
    if let store { counters.saved(await store.save(page, for: request, while: isCurrent)) }
    if let behind = fetched.previous?.nextKey, behind != page.nextKey {
      await drop(reachedFrom: named(behind, request.pageSize), .forward, sparing: [request])
    }
  }

  func neighbours(of page: PaginatorPage<Item>, _ request: PaginatorRequest) -> KeyLinks.Neighbours {
    KeyLinks.Neighbours(
      previous: page.previousKey.map { named($0, request.pageSize) },
      next: page.nextKey.map { named($0, request.pageSize) })
  }
}

// States, for those who watch.
extension Paginator {
  func publish() {
    watchers.publish { current($0) }
  }

  func current(
    _ request: PaginatorRequest
  ) -> (state: PaginatorPageState<Item>, stamp: StateWatchers<Item>.Stamp) {
    let (isFetching, failure) = book.withLock { ($0.isFetching(request), $0.failure(of: request)) }
    if isFetching { return (.loading, .loading) }
    if let failure { return (.failed(failure.error), .failed(failure.number)) }
    guard let held = memory.peek(forKey: request) else { return (.absent, .absent) }
    switch judge.judge(held.page, for: request) {
    case .good:
      return (.loaded(held.page), .loaded(held.number, isStale: false))
    case .expired where rules(.lookUp).needsStale:
      return (.loaded(FetchedPage(held.page, from: .stale).page), .loaded(held.number, isStale: true))
    case .expired, .malformed:
      return (.absent, .absent)
    }
  }
}
