import Loading
import Paging
import Synchronization

// Asking the source, and what follows from keys that have expired.
extension Paginator {
  /// Asks the source, with what the plan makes of its answer.
  ///
  /// - Throws: `CancellationError`, when nobody waits any more.
  func askSource(
    _ plan: FetchPlan<Item>, _ request: PaginatorRequest, _ mode: FetchMode, _ ticket: LoadTicket
  ) async throws -> FetchPlan<Item>.Step {
    let id = book.withLock { $0.number() }
    counters.loadBegan(id)
    var outcome = "cancelled"
    defer { counters.loadEnded(id, outcome) }
    let step: FetchPlan<Item>.Step
    do {
      let page = try await load(request, mode, ticket, id)
      step = plan.sourceAnswered(page, judge.judge(page, for: request))
    } catch {
      if Task.isCancelled { throw CancellationError() }
      if let expiry = expiry(error) {
        step = .fail(await expired(request, cause: expiry))
      } else {
        step = plan.sourceFailed(error)
      }
    }
    outcome = if case .fail(let error) = step { error.code.rawValue } else { "ok" }
    return step
  }

  /// The source's page, after as many attempts as the retry policy allows. Waiting between them holds no slot.
  private func load(
    _ request: PaginatorRequest, _ mode: FetchMode, _ ticket: LoadTicket, _ id: UInt64
  ) async throws -> PaginatorPage<Item> {
    let throttle = config.throttle.map { LoadPacing.throttle(paceKey(request), every: $0) }
    var asked = request
    asked.bypassesCaches = mode == .reload
    var attempt = 1
    while true {
      do {
        return try await scheduler.run(ticket, pacing: attempt == 1 ? debounced(throttle, id) : throttle) {
          [asked, attempt] in
          self.counters.asked(attempt: attempt)
          return try await self.source.page(for: asked)
        }
      } catch {
        // The classifier is not ours: it isn't called under the lock.
        var chance = SeededGenerator(seed: dice.withLock { $0.next() })
        let wait = config.retry.delay(afterAttempt: attempt, error: error, using: &chance)
        guard !Task.isCancelled, let wait else { throw error }
        counters.willRetry()
        try await sleep(wait)
        attempt += 1
      }
    }
  }

  /// Has a load wait until its page has been wanted for long enough; each for itself, so that none takes the place of
  /// another one that somebody waits for.
  private func debounced(_ pacing: LoadPacing?, _ id: UInt64) -> LoadPacing? {
    guard let interval = config.debounce else { return pacing }
    let debounce = LoadPacing.debounce("\(id)", for: interval)
    return pacing.map { debounce + $0 } ?? debounce
  }

  /// What loads of one page are kept apart by; another page has another.
  private func paceKey(_ request: PaginatorRequest) -> String {
    "\(request.pageSize) \(request.key.utf8.count) \(request.key) \(request.cacheIdentity)"
  }

  /// Whether an error of the source says that the key has expired.
  private func expiry(_ error: any Error) -> (any Error)? {
    if let error = error as? PaginatorError, error.code == .expiredKey { return error }
    if let error = error as? PagingError, error.code == .cursorExpired { return error }
    return nil
  }

  /// A key has expired: drops the pages that were reached through it, and the one that names it.
  ///
  /// - Returns: The error, with the nearest key that is still good.
  func expired(_ request: PaginatorRequest, cause: (any Error)?) async -> PaginatorError {
    let way = links.wayBack(from: request)
    let link = links.link(to: request)
    await drop(reachedFrom: request, link?.direction ?? .forward, sparing: Set(way))
    // It would lead here again.
    if let origin = link?.from { await drop(only: origin) }
    let nearest = (cause as? PaginatorError)?.nearestKey ?? way.first { judge.isGood($0.key) }?.key
    let advice = nearest.map { "go on from \(PaginatorError.quoted($0))." } ?? "start at the list's beginning."
    var error = PaginatorError(
      .expiredKey, message: "The key \(PaginatorError.quoted(request.key)) has expired; \(advice)", cause: cause)
    error.nearestKey = nearest
    return error
  }

  /// Drops a page and those behind it, as far as their keys are known.
  func drop(
    reachedFrom first: PaginatorRequest, _ direction: PageFetchDirection, sparing spared: Set<PaginatorRequest>
  ) async {
    var seen = spared
    var count = 0
    var next: PaginatorRequest? = first
    while let request = next, seen.insert(request).inserted {
      var page = memory.peek(forKey: request)?.page
      if page == nil { page = await store?.page(for: request) }
      let beside = page.map { neighbours(of: $0, request) } ?? links.neighbours(of: request)
      if page != nil {
        count += 1
        memory.removeValue(forKey: request)
        await store?.remove(request)
      }
      next = beside?.one(direction)
    }
    counters.dropped(count)
    if count > 0 { publish() }
  }

  private func drop(only request: PaginatorRequest) async {
    let isHeld = memory.contains(request)
    memory.removeValue(forKey: request)
    await store?.remove(request)
    counters.dropped(isHeld ? 1 : 0)
    publish()
  }
}
