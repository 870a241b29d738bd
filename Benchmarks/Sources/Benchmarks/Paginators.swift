import Loading
import PagingCache
import Synchronization

/// A paginator: a page that memory has, and a thousand who ask for one page at once.
enum Paginators {
  static func run() async throws -> [Measurement] { [try await hits(), try await coalesced()] }

  /// Counts how often it is asked; answers when it is let.
  private final class Source: PaginatorSource {
    private let asked = Atomic(0)
    private let isOpen: Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>

    init(isOpen: Bool) { self.isOpen = Mutex((isOpen, [])) }

    var count: Int { asked.load(ordering: .relaxed) }

    func open() {
      let waiting = isOpen.withLock { state in
        defer { state = (true, []) }
        return state.waiting
      }
      for continuation in waiting { continuation.resume() }
    }

    @concurrent func page(for request: PaginatorRequest) async throws -> PaginatorPage<Row> {
      asked.wrappingAdd(1, ordering: .relaxed)
      await withCheckedContinuation { continuation in
        let isOpen = isOpen.withLock { state in
          if !state.isOpen { state.waiting.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
      return PaginatorPage(key: request.key, items: [Row(id: 0, text: request.key)])
    }
  }

  /// Against as many look-ups in a memory cache that is asked by the same key.
  private static func hits() async throws -> Measurement {
    let paginator = Paginator(source: Source(isOpen: true))
    let cache = MemoryCache<PaginatorRequest, PaginatorPage<Row>>(policy: .lru + .maxCount(500))
    let keys = (0..<100).map { "page \($0)" }
    for key in keys {
      cache.insert(try await paginator.fetch(key, pageSize: 20), forKey: PaginatorRequest(key, pageSize: 20))
    }
    var times: (ours: [Double], baseline: [Double]) = ([], [])
    for _ in 0..<31 {
      let start = Measure.processorTime
      for _ in 0..<100 { for key in keys { consume(try await paginator.fetch(key, pageSize: 20)) } }
      times.ours.append((Measure.processorTime - start) / 10_000)
      times.baseline.append(
        Measure.time {
          for _ in 0..<100 { for key in keys { consume(cache.value(forKey: PaginatorRequest(key, pageSize: 20))) } }
        } / 10_000)
    }
    precondition(paginator.statistics.loads == 100)
    return Measurement(
      workload: "paginator: a page from memory; baseline: the memory cache alone",
      ours: Measure.median(times.ours), baseline: Measure.median(times.baseline), asked: 10)
  }

  /// Nanoseconds a waiter, from the first who asks to the last who is served, of processor time of all threads. One load each
  /// time, or it traps.
  private static func coalesced() async throws -> Measurement {
    let waiters = 1_000
    var times: [Double] = []
    for _ in 0..<31 {
      let source = Source(isOpen: false)
      let paginator = Paginator(source: source)
      let start = Measure.processorTime
      let served = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<waiters {
          group.addTask { try await paginator.fetch("7", pageSize: 20).items.count }
        }
        // Seldom, since counting them takes turns with those who join.
        while paginator.statistics.joins < waiters - 1 { try await Task.sleep(for: .milliseconds(1)) }
        source.open()
        return try await group.reduce(0, +)
      }
      times.append((Measure.processorTime - start) / Double(waiters))
      precondition(served == waiters && source.count == 1 && paginator.statistics.loads == 1)
    }
    return Measurement(
      workload: "paginator: 1,000 who wait for one page, each, processor time; one load, all served",
      ours: Measure.median(times), asked: 20_000)
  }
}
