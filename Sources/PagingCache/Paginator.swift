public import Loading
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Pages by key, from memory, from disk or from a source, each loaded once however many ask for it.
///
/// A fetch looks in memory, then in the store, then asks the source; a fresh page is checked and kept before it is
/// returned. Loads wait in a queue by priority. Each instance has caches, queue and configuration of its own. Every
/// member may be used from any thread. Memory: what the config's policy lets stay, one entry for each page that failed
/// and was neither fetched again nor cleared, and the links between the last 10,000 keys.
public final class Paginator<Item: Sendable>: Paginating {
  /// A page in memory.
  struct Held: Sendable {
    let page: PaginatorPage<Item>
    /// Tells one page from the next, for those who watch.
    let number: UInt64
  }

  let config: PaginatorConfig
  let source: any PaginatorSource<Item>
  let judge: PageJudge<Item>
  let memory: MemoryCache<PaginatorRequest, Held>
  let store: StoreLine<Item>?
  let scheduler: LoadScheduler
  let coalescer = Coalescer<FlightKey, FetchedPage<Item>>()
  let book = Mutex(PageBook())
  let links = KeyLinks()
  let watchers = StateWatchers<Item>()
  let counters: PaginatorCounters
  let dice: Mutex<SeededGenerator>
  let sleep: @Sendable (Duration) async throws -> Void

  /// A paginator with empty caches.
  ///
  /// - Parameters:
  ///   - config: How much at once, what memory keeps, what is done when pages are old or loads fail.
  ///   - validator: Says whether keys and pages are good, beyond what the paginator sees itself.
  ///   - store: Keeps pages beyond the process; nil: nothing does. One store belongs to one paginator.
  ///   - clock: What delays and times to live in memory pass on.
  ///   - now: The time that a page's `expiresAt` is compared with.
  ///   - observer: Hears what happens.
  ///   - source: Where pages come from.
  public init(
    config: PaginatorConfig = PaginatorConfig(), validator: (any PaginatorValidator<Item>)? = nil,
    store: (any PaginatorStore<Item>)? = nil, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }, observer: PaginatorObserver? = nil,
    source: some PaginatorSource<Item>
  ) {
    self.config = config
    self.source = source
    judge = PageJudge(validator: validator, maxKeyLength: config.maxKeyLength, now: now)
    memory = MemoryCache(policy: config.memory, clock: clock)
    let counters = PaginatorCounters(observer: observer)
    self.counters = counters
    self.store = store.map { StoreLine($0) { counters.storeFailed($0) } }
    scheduler = LoadScheduler(
      config: LoadSchedulerConfig(maxConcurrent: config.maxConcurrent, maxConcurrentPerGroup: config.maxConcurrent),
      clock: clock)
    dice = Mutex(SeededGenerator(seed: config.retry.seed ?? .random(in: .min ... .max)))
    sleep = { try await clock.sleep(for: $0) }
  }

  deinit {
    watchers.finish()
  }

  // MARK: - Fetching

  /// A page by its key: from memory, from the store, or from the source.
  ///
  /// Who asks while the page is on its way waits for the same work. Where ``PaginatorConfig/revalidatesWhileStale`` is
  /// set, a page past its time is returned at once, marked, and the fresh one is loaded: a later fetch gets it, and so
  /// does who watches ``states(of:pageSize:)``; ``fetchAround(_:ticket:)`` delivers both. O(1) where memory has it.
  ///
  /// - Parameters:
  ///   - key: The page's name.
  ///   - pageSize: How many rows a page has; another size is another page.
  ///   - ticket: How urgently it is wanted; the load is as urgent as the most urgent who wait for it.
  /// - Throws: ``PaginatorError``; `CancellationError` when the task was cancelled. Therefore untyped.
  public func fetch(_ key: String, pageSize: Int, ticket: LoadTicket) async throws -> PaginatorPage<Item> {
    let fetched = try await obtain(key, pageSize, ticket)
    if fetched.origin == .revalidating { revalidate(key, pageSize) }
    return fetched.page
  }

  /// A page by its key, from the source: no cache answers, HTTP's included. What comes is kept as ever.
  ///
  /// Where the page after it has another key than before, the cached pages behind it are dropped. A page that caches
  /// have stands in when the source fails and ``PaginatorConfig/servesStaleOnFailure`` is set.
  ///
  /// - Parameters:
  ///   - key: The page's name.
  ///   - pageSize: How many rows a page has; another size is another page.
  ///   - ticket: How urgently it is wanted.
  /// - Throws: ``PaginatorError``; `CancellationError` when the task was cancelled. Therefore untyped.
  public func reload(
    _ key: String, pageSize: Int, ticket: LoadTicket = LoadTicket()
  ) async throws -> PaginatorPage<Item> {
    try await obtain(key, pageSize, ticket, .reload).page
  }

  // MARK: - States

  /// Where a page stands now. A key that can't be asked for is absent.
  public func state(of key: String, pageSize: Int) -> PaginatorPageState<Item> {
    current(named(key, pageSize)).state
  }

  /// Where a page stands, now and after each change, until the stream is let go or the paginator is.
  ///
  /// Only the newest state waits for a reader. That a page's time is over is seen at the next change only.
  public func states(of key: String, pageSize: Int) -> AsyncStream<PaginatorPageState<Item>> {
    let stream = watchers.watch(named(key, pageSize))
    publish()
    return stream
  }

  // MARK: - Clearing

  /// Forgets the pages of `key` of every size, in memory and in the store.
  ///
  /// A fetch that comes after this finds none of them. Who waits for one is served still, and what comes is kept
  /// nowhere.
  public func clear(_ key: String) {
    let cleared = book.withLock { $0.clear(key) }
    for request in cleared { memory.removeValue(forKey: request) }
    store?.clear(key)
    publish()
  }

  /// Forgets all pages, in memory and in the store.
  ///
  /// A fetch that comes after this finds none of them. Who waits for one is served still, and what comes is kept
  /// nowhere.
  public func clearAll() {
    book.withLock { $0.clearAll() }
    memory.removeAll()
    links.removeAll()
    store?.clearAll()
    publish()
  }

  /// What this paginator has done so far.
  public var statistics: PaginatorStatistics {
    let (held, expired) = memory.figures
    return counters.statistics(memory: held, expired: expired, joins: coalescer.statistics.joins)
  }

  /// The page of a key and size.
  func named(_ key: String, _ pageSize: Int) -> PaginatorRequest {
    var request = PaginatorRequest(key, pageSize: pageSize)
    request.cacheIdentity = config.cacheIdentity(request)
    return request
  }
}

/// A piece of work that several may wait for.
struct FlightKey: Hashable, Sendable {
  let request: PaginatorRequest
  let mode: FetchMode
  /// Who asks after the page was cleared gets work of their own.
  let token: UInt64
}

/// Which caches may answer.
enum FetchMode: Hashable, Sendable {
  /// All of them.
  case lookUp
  /// The source's own, as HTTP's: a page past its time is replaced.
  case revalidate
  /// None.
  case reload
}
