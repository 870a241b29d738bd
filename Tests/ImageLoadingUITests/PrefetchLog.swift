import ImageCodecs
import ImageLoading
import ImageTesting
import PagingTesting
import Synchronization

/// A loader that says what is being fetched ahead, and when that has changed.
final class PrefetchLog: ImageProviding {
  private struct State {
    var asked: [Int] = []
    var live: [Int: Int] = [:]
    var waiting: [(rows: Set<Int>, gate: Gate)] = []

    mutating func change(_ row: Int, by count: Int) {
      live[row, default: 0] += count
    }

    var rows: Set<Int> { Set(live.filter { $0.value > 0 }.keys) }

    mutating func takeReached() -> [Gate] {
      let rows = rows
      defer { waiting.removeAll { $0.rows == rows } }
      return waiting.filter { $0.rows == rows }.map(\.gate)
    }
  }

  private let base: any ImageProviding
  private let state = Mutex(State())

  init(_ base: any ImageProviding = FakeImageLoader()) { self.base = base }

  /// The rows that were to be fetched, in order.
  var asked: [Int] { state.withLock { $0.asked } }

  /// Returns when exactly these rows are being fetched ahead.
  func wants(_ rows: Set<Int>) async {
    let gate = Gate()
    let isReached = state.withLock { state in
      if state.rows == rows { return true }
      state.waiting.append((rows, gate))
      return false
    }
    if !isReached { try? await gate.pass() }
  }

  func prefetch(_ requests: [ImageRequest], to destination: PrefetchDestination) -> PrefetchHandle {
    let rows = requests.compactMap { Int($0.source.id) }
    let handle = base.prefetch(requests, to: destination)
    change { state in
      state.asked += rows
      for row in rows { state.change(row, by: 1) }
    }
    let cancel = CancelOnce { [self] in
      handle.cancel()
      change { state in for row in rows { state.change(row, by: -1) } }
    }
    return PrefetchHandle { cancel() }
  }

  private func change(_ body: (inout State) -> Void) {
    let reached = state.withLock { state in
      body(&state)
      return state.takeReached()
    }
    for gate in reached { gate.open() }
  }

  func image(for request: ImageRequest) async throws -> ImageResponse { try await base.image(for: request) }
  func cachedImage(for request: ImageRequest) -> DecodedImage? { base.cachedImage(for: request) }
  @MainActor func load(_ request: ImageRequest?, into target: any ImageTarget) -> ImageTask {
    base.load(request, into: target)
  }
}

/// A handle may be cancelled and let go, which counts once.
private final class CancelOnce: Sendable {
  private let isDone = Atomic(false)
  private let action: @Sendable () -> Void

  init(_ action: @escaping @Sendable () -> Void) { self.action = action }

  func callAsFunction() {
    if !isDone.exchange(true, ordering: .relaxed) { action() }
  }
}
