import Loading
import Synchronization

/// Counts what a paginator does, and tells its observer. Every member may be used from any thread.
final class PaginatorCounters: Sendable {
  private struct Counts {
    var memory = CacheStatistics()
    var disk = CacheStatistics()
    var expired = 0
    var damaged = 0
    var unreachable = 0
    var loads = 0
    var retries = 0
    var staleServes = 0
    var events: UInt64 = 0
  }

  private let counts = Mutex(Counts())
  private let observer: PaginatorObserver?

  init(observer: PaginatorObserver?) {
    self.observer = observer
  }

  func lookedInMemory(found: Bool) {
    counts.withLock { if found { $0.memory.hits += 1 } else { $0.memory.misses += 1 } }
  }

  func lookedOnDisk(found: Bool) {
    counts.withLock { if found { $0.disk.hits += 1 } else { $0.disk.misses += 1 } }
  }

  func discarded(_ discard: PageDiscard, fromMemory: Bool) {
    counts.withLock { counts in
      if discard == .expired { counts.expired += 1 } else { counts.damaged += 1 }
      if fromMemory { counts.memory.evictions += 1 } else { counts.disk.evictions += 1 }
    }
  }

  /// A page was to be saved in the store.
  func saved(_ isSaved: Bool) {
    counts.withLock { if isSaved { $0.disk.insertions += 1 } else { $0.disk.refusals += 1 } }
  }

  func storeFailed(_ what: String) {
    tell("storeFailed") { $0.outcome = what }
  }

  func servedStale() {
    counts.withLock { $0.staleServes += 1 }
    tell("stale")
  }

  func dropped(_ count: Int) {
    guard count > 0 else { return }
    counts.withLock { $0.unreachable += count }
    tell("pagesDropped") { $0.pageCount = count }
  }

  // MARK: - Loads

  func loadBegan(_ id: UInt64) {
    observer?(PaginatorEvent("load", .begin, id: id))
  }

  /// The source is asked now.
  func asked(attempt: Int) {
    counts.withLock { if attempt == 1 { $0.loads += 1 } else { $0.retries += 1 } }
  }

  func willRetry() { tell("retry") }

  func loadEnded(_ id: UInt64, _ outcome: String) {
    guard let observer else { return }
    var event = PaginatorEvent("load", .end, id: id)
    event.outcome = outcome
    observer(event)
  }

  func statistics(memory held: CacheStatistics, expired: Int, joins: Int) -> PaginatorStatistics {
    let counts = counts.withLock { $0 }
    // The cache itself counts what left by its policy; hits and misses are counted here, where a page's date is known.
    var memory = held
    memory.hits = counts.memory.hits
    memory.misses = counts.memory.misses
    memory.evictions += counts.memory.evictions
    let evictions = PaginatorEvictions(
      room: held.evictions - expired, expired: expired + counts.expired, damaged: counts.damaged,
      unreachable: counts.unreachable)
    return PaginatorStatistics(
      memory: memory, disk: counts.disk, evictions: evictions, loads: counts.loads, joins: joins,
      retries: counts.retries, staleServes: counts.staleServes)
  }

  private func tell(_ name: String, _ fill: (inout PaginatorEvent) -> Void = { _ in }) {
    guard let observer else { return }
    let id = counts.withLock { counts in
      counts.events += 1
      // Instants count from the other end, so that they never meet a load's.
      return UInt64.max - counts.events
    }
    var event = PaginatorEvent(name, .instant, id: id)
    fill(&event)
    observer(event)
  }
}
