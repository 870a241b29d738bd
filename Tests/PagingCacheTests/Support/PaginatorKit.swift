import Foundation
import Loading
import PagingTesting
import Synchronization
import Testing

@testable import PagingCache

typealias Source = FakePaginatorSource<SampleItem>
typealias Store = FakePaginatorStore<SampleItem>
typealias SamplePage = PaginatorPage<SampleItem>

struct Offline: Error, Hashable {}

/// The time on the wall, which a test moves.
final class Wall: Sendable {
  private let date = Mutex(Date(timeIntervalSince1970: 1_000_000))

  var now: Date { date.withLock { $0 } }

  func pass(_ seconds: TimeInterval) { date.withLock { $0 += seconds } }
}

/// Notes of what happened, in order, from any thread.
final class Log<Entry: Sendable>: Sendable {
  private let state = Mutex<[Entry]>([])

  var entries: [Entry] { state.withLock { $0 } }
  var count: Int { entries.count }

  func add(_ entry: Entry) { state.withLock { $0.append(entry) } }
}

/// Gives other tasks their turn until that holds.
func until(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

func until(_ condition: () async -> Bool) async {
  while await !condition() { await Task.yield() }
}

/// A numbered list's source, and what a paginator is made of around it.
struct Kit {
  let source: Source
  let store = Store()
  let validator = FakeValidator<SampleItem>()
  let clock = ManualClock()
  let wall = Wall()
  let events = Log<PaginatorEvent>()

  init(pages: Int = 10, expiresAfter lifetime: TimeInterval? = nil) {
    source = Source(Source.numbered(pages: pages, pageSize: 3))
    if let lifetime { renew(1...pages, for: lifetime) }
  }

  /// Has the source bring these pages with that time to live, from now.
  func renew(_ numbers: ClosedRange<Int>, for lifetime: TimeInterval, rows: String? = nil) {
    let pages = Source.numbered(pages: 10, pageSize: 3)
    for number in numbers {
      guard var page = pages[String(number)] else { continue }
      page.expiresAt = wall.now + lifetime
      if let rows { page.items = [SampleItem(id: number, title: rows)] }
      source.set(page)
    }
  }

  func paginator(
    stored: Bool = true, _ change: (inout PaginatorConfig) -> Void = { _ in }
  ) -> Paginator<SampleItem> {
    var config = PaginatorConfig()
    change(&config)
    return Paginator(
      config: config, validator: validator, store: stored ? store : nil, clock: clock, now: { wall.now },
      observer: { events.add($0) }, source: source)
  }
}

extension Paginator {
  /// A fetch in a task of its own, which has begun to wait for its page, or has it, when this returns.
  func fetching(_ key: String, priority: LoadPriority = .medium) async -> Task<PaginatorPage<Item>, any Error> {
    await fetching(key, ticket: LoadTicket(priority: priority))
  }

  /// Asks on the main actor: whom the coalescer counts there has told the load of its priority too.
  @MainActor func fetching(_ key: String, ticket: LoadTicket) async -> Task<PaginatorPage<Item>, any Error> {
    let (starts, joins) = (coalescer.statistics.starts, coalescer.statistics.joins)
    let hits = statistics.memory.hits
    let task = Task { @MainActor in try await self.fetch(key, pageSize: 3, ticket: ticket) }
    await until {
      coalescer.statistics.starts + coalescer.statistics.joins > starts + joins || statistics.memory.hits > hits
    }
    return task
  }

  /// A short word for where a page stands.
  func word(_ key: String, pageSize: Int = 3) -> String { state(of: key, pageSize: pageSize).word }
}

extension PaginatorPageState {
  var word: String {
    switch self {
    case .absent: "absent"
    case .loading: "loading"
    case .loaded(let page): page.isStale ? "stale" : "loaded"
    case .failed(let error): error.code.rawValue
    }
  }
}

extension PaginatorDelivery {
  /// The key and, where it isn't a fresh page, what it is.
  var word: String {
    switch result {
    case .success(let page): page.isStale ? "\(key) stale" : key
    case .failure(let error): "\(key) \(error.code.rawValue)"
    }
  }
}

/// What a throwing call failed with.
func failure(of body: () async throws -> some Sendable) async -> PaginatorError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? PaginatorError
  }
}

func words(_ stream: AsyncStream<PaginatorDelivery<SampleItem>>) async -> [String] {
  var words: [String] = []
  for await delivery in stream { words.append(delivery.word) }
  return words
}
