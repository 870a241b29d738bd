import Paging
import PagingTesting
import Synchronization

/// A row of a simulated list: its place in it.
struct SimulatedRow: Identifiable, Hashable, Sendable {
  let id: Int
}

/// A list by offsets, behind a server and a connection that take their time on a manual clock.
struct SimulatedSource: PageSource {
  private let list: OffsetPageSource<SimulatedRow>
  private let link: SimulatedLink

  /// A list of so many rows behind `link`.
  init(rows: Int, behind link: SimulatedLink) {
    self.link = link
    list = OffsetPageSource { range in
      PageSlice(range.clamped(to: 0..<rows).map { SimulatedRow(id: $0) }, total: rows)
    }
  }

  @concurrent func load(_ params: LoadParams<OffsetKey<Int>>) async throws -> Page<OffsetKey<Int>, SimulatedRow> {
    let page = try await list.load(params)
    let first = page.items.first?.id ?? 0
    try await link.carry(first..<first + page.items.count, for: params.type)
    return page
  }

  func refreshKey(for state: PagingState<OffsetKey<Int>, SimulatedRow>) -> OffsetKey<Int>? {
    list.refreshKey(for: state)
  }

  var keyKind: KeyKind { list.keyKind }

  func key(forIndex index: Int) -> OffsetKey<Int>? { list.key(forIndex: index) }
}

/// The way between a list and its server: each answer comes after the server's latency and the time that its bytes
/// take.
///
/// How long the first, second, … request of a direction takes depends on the seed alone, so that all settings meet the
/// same server. Requests don't take bandwidth from each other; there are at most two at a time.
final class SimulatedLink: Sendable {
  private struct State {
    var entered = 0
    var left = 0
    var delivered: [Range<Int>] = []
    var arrivals: [Int: ManualClock.Instant] = [:]
    var requests: [LoadType: UInt64] = [:]
    var total = 0
    var cancelled = 0
  }

  /// Counts up whenever something has changed.
  let bell: Tally
  private let clock: ManualClock
  private let world: SimulatedWorld
  private let trace: SimulationTrace?
  private let state = Mutex(State())

  /// A way to the server of `world`.
  init(_ world: SimulatedWorld, clock: ManualClock, bell: Tally, trace: SimulationTrace? = nil) {
    self.world = world
    self.clock = clock
    self.bell = bell
    self.trace = trace
  }

  /// Returns when an answer with those rows has come.
  func carry(_ rows: Range<Int>, for type: LoadType) async throws {
    // Before it is counted: from then on the clock may move.
    let slice = trace?.requestBegan(rows, for: type)
    let (id, arrival) = state.withLock { state in
      state.entered += 1
      state.total += 1
      let number = state.requests[type, default: 0]
      state.requests[type] = number + 1
      let arrival = self.arrival(of: rows.count, for: type, number)
      state.arrivals[state.total] = arrival
      return (state.total, arrival)
    }
    bell.add(1)
    var isCancelled = true
    defer {
      if let slice { trace?.requestEnded(slice, bytes: rows.count * world.rowBytes, isCancelled: isCancelled) }
      state.withLock { state in
        state.arrivals[id] = nil
        state.left += 1
        if isCancelled { state.cancelled += 1 } else { state.delivered.append(rows) }
      }
      bell.add(1)
    }
    try await clock.sleep(until: arrival)
    isCancelled = false
  }

  private func arrival(of rows: Int, for type: LoadType, _ number: UInt64) -> ManualClock.Instant {
    let direction: UInt64 = type == .refresh ? 0 : type == .append ? 1 : 2
    var chance = Chance(seed: world.seed &* 0x1_0000_0001 &+ number &* 3 &+ direction)
    let milliseconds = world.latency.milliseconds(by: &chance) + world.transferTime(of: rows)
    // No two arrivals fall on one instant, so what follows from them has one order in every run.
    let wholeMicroseconds = (clock.now.offset.wholeNanoseconds + Int64((milliseconds * 1e6).rounded()) + 999) / 1000
    return ManualClock.Instant(offset: .nanoseconds(wholeMicroseconds * 1000 + Int64(direction)))
  }

  /// A pager begins; what an earlier one asked for has ended.
  func startAgain() {
    state.withLock { state in
      state.entered = 0
      state.left = 0
      state.delivered = []
    }
  }

  /// How many requests there were since the last start, and how many of them are over.
  var traffic: (entered: Int, left: Int) { state.withLock { ($0.entered, $0.left) } }
  /// How many requests there were in all, and how many of them were cancelled.
  var sum: (requests: Int, cancelled: Int) { state.withLock { ($0.total, $0.cancelled) } }
  /// When the next answer comes.
  var nextArrival: ManualClock.Instant? { state.withLock { $0.arrivals.values.min() } }

  /// The rows of the answers that came since this was asked last.
  func takeDelivered() -> [Range<Int>] {
    state.withLock { state in
      defer { state.delivered = [] }
      return state.delivered
    }
  }
}
