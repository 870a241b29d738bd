import Loading
import PagingTesting
import Synchronization
import Testing

@testable import PagingCache

/// Eight tasks, 100,000 fetches over 10,000 keys that some ask for far more than others, with failures and cancellations.
@Suite(.timeLimit(.minutes(10))) struct LoadRunTests {
  private static let tasks = 8
  private static let fetchesPerTask = 12_500
  private static let keys = 10_000

  /// A row that is counted while it lives.
  final class Row: Sendable {
    let lives: Lives

    init(_ lives: Lives) {
      self.lives = lives
      lives.count.add(1, ordering: .relaxed)
    }

    deinit { lives.count.subtract(1, ordering: .relaxed) }
  }

  final class Lives: Sendable {
    let count = Atomic(0)
  }

  /// Brings a page after giving others their turn; every 16th load fails.
  final class BusySource: PaginatorSource {
    let lives: Lives
    let begun = Atomic(0)

    init(_ lives: Lives) { self.lives = lives }

    func page(for request: PaginatorRequest) async throws -> PaginatorPage<Row> {
      let number = begun.add(1, ordering: .relaxed).newValue
      for _ in 0..<number % 4 { await Task.yield() }
      try Task.checkCancellation()
      if number % 16 == 0 { throw Offline() }
      return PaginatorPage(key: request.key, items: [Row(lives)])
    }
  }

  /// What became of the fetches.
  final class Ledger: Sendable {
    let pages = Atomic(0)
    let failures = Atomic(0)
    let cancellations = Atomic(0)
    let wrong = Atomic(0)
    /// How often each callback came.
    let callbacks = Mutex<[Int: Int]>([:])
    /// Those that have to come, and those of them that came.
    let expected = Atomic(0)
    let heard = Atomic(0)

    func note(_ result: Result<PaginatorPage<Row>, any Error>, of key: String) {
      switch result {
      case .success(let page):
        pages.add(1, ordering: .relaxed)
        if page.key != key { wrong.add(1, ordering: .relaxed) }
      case .failure(is CancellationError): cancellations.add(1, ordering: .relaxed)
      case .failure: failures.add(1, ordering: .relaxed)
      }
    }

    /// How many fetches are accounted for.
    var told: Int {
      pages.load(ordering: .relaxed) + failures.load(ordering: .relaxed) + cancellations.load(ordering: .relaxed)
    }

    func called(_ id: Int, isExpected: Bool) {
      callbacks.withLock { $0[id, default: 0] += 1 }
      if isExpected { heard.add(1, ordering: .relaxed) }
    }

    var isComplete: Bool { heard.load(ordering: .relaxed) >= expected.load(ordering: .relaxed) }
  }

  /// Keys by Zipf's law: the n-th is asked for 1/n as often as the first.
  private static let cumulative: [Double] = {
    var sum = 0.0
    return (1...keys).map { number in
      sum += 1 / Double(number)
      return sum
    }
  }()

  private static func key(_ generator: inout SeededGenerator) -> String {
    let chance = Double.random(in: 0..<(cumulative.last ?? 1), using: &generator)
    var (low, high) = (0, cumulative.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] > chance { high = middle } else { low = middle + 1 }
    }
    return String(low)
  }

  private static func run(_ task: Int, _ paginator: Paginator<Row>, _ ledger: Ledger) async {
    var generator = SeededGenerator(seed: UInt64(task))
    for number in 0..<fetchesPerTask {
      let key = key(&generator)
      let priority = LoadPriority(rawValue: Int.random(in: -1...1, using: &generator))
      switch Int.random(in: 0..<100, using: &generator) {
      case ..<70:
        do {
          ledger.note(.success(try await paginator.fetch(key, pageSize: 20, priority: priority)), of: key)
        } catch {
          ledger.note(.failure(error), of: key)
        }
      case ..<80:
        let fetch = Task { try await paginator.fetch(key, pageSize: 20, priority: priority) }
        await Task.yield()
        fetch.cancel()
        ledger.note(await fetch.result, of: key)
      case let chance:
        let id = task * fetchesPerTask + number
        let execution = paginator.fetch(key, pageSize: 20, priority: priority) { result in
          ledger.called(id, isExpected: chance < 95)
          ledger.note(result.mapError { $0 }, of: key)
        }
        if chance < 95 { ledger.expected.add(1, ordering: .relaxed) } else { execution.cancel() }
      }
      if number % 1_000 == 999 { paginator.clear(key) }
    }
  }

  @Test func aHundredThousandFetchesLoseNothing() async throws {
    let (lives, ledger) = (Lives(), Ledger())
    weak var released: Paginator<Row>?
    do {
      let source = BusySource(lives)
      var config = PaginatorConfig()
      config.memory = .lru + .maxCount(1_000)
      let paginator = Paginator(config: config, source: source)
      released = paginator
      await withTaskGroup { group in
        for task in 0..<Self.tasks { group.addTask { await Self.run(task, paginator, ledger) } }
      }
      await until { ledger.isComplete }
      await until { paginator.scheduler.load == (0, 0) }

      let found = paginator.statistics
      let starts = paginator.coalescer.statistics.starts
      let called = ledger.callbacks.withLock { $0 }
      #expect(called.values.allSatisfy { $0 == 1 }, "no callback came twice")
      #expect(ledger.wrong.load(ordering: .relaxed) == 0)
      // Every fetch is told of, but for callbacks that were cancelled.
      let all = Self.tasks * Self.fetchesPerTask
      let silent = all - ledger.told
      #expect(silent >= 0 && silent < all / 10)
      // What a fetch is counted as; one that was cancelled in time is not.
      let looks = found.memory.hits + found.memory.misses
      #expect(looks <= all && looks > all * 8 / 10)
      #expect(starts + found.joins <= found.memory.misses && starts + found.joins > found.memory.misses * 8 / 10)
      #expect(found.loads == source.begun.load(ordering: .relaxed) && found.loads <= starts)
      #expect(found.memory.insertions <= found.loads)
      #expect(found.evictions.room == found.memory.evictions && found.evictions.room > 0)
      #expect(paginator.memory.count <= 1_000)
      #expect(paginator.book.withLock { $0.keyCount } < 5_000)
      #expect(found.memory.hits > all / 3, "\(found)")
      // Only pages in memory are held, when the tasks have ended too whose callbacks came last.
      await until { lives.count.load(ordering: .relaxed) <= 1_000 }
    }
    await until { released == nil }
    await until { lives.count.load(ordering: .relaxed) == 0 }
  }
}
