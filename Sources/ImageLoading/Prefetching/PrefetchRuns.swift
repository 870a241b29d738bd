import ImageCodecs
import Loading
import Synchronization

/// All that a loader fetches ahead, so that the host's word can end it and have it begin again.
///
/// May be used from any thread; loads are begun and ended outside the lock.
final class PrefetchRuns: Sendable {
  /// Begins one load; `finished` is called when it has ended, however, unless it was ended before.
  ///
  /// Returns what ends it.
  typealias Start =
    @Sendable (
      _ request: ImageRequest, _ ticket: LoadTicket, _ destination: PrefetchDestination,
      _ finished: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void

  private struct State {
    var isPaused = false
    var nextID: UInt64 = 0
    var runs: [UInt64: PrefetchRun] = [:]
  }

  private let state = Mutex(State())
  private let isInMemory: @Sendable (ImageRequest, ImageKeys) -> Bool
  private let start: Start

  /// - Parameters:
  ///   - isInMemory: Whether there is nothing to do for the memory; counts as no look-up.
  ///   - start: Begins a load at low priority.
  init(isInMemory: @escaping @Sendable (ImageRequest, ImageKeys) -> Bool, start: @escaping Start) {
    self.isInMemory = isInMemory
    self.start = start
  }

  /// Begins to fetch ahead; requests for the same are one.
  ///
  /// - Returns: What ends it; so does letting go of it.
  func prefetch(_ requests: [ImageRequest], to destination: PrefetchDestination) -> PrefetchHandle {
    var items: [PrefetchRun.Item] = []
    var known: Set<ImageKey> = []
    for request in requests {
      let keys = ImageKeys(request)
      let key = destination == .disk ? keys.bytes : keys.final
      guard known.insert(key).inserted, destination == .disk || !isInMemory(request, keys) else { continue }
      items.append(PrefetchRun.Item(key: key, request: request))
    }
    guard !items.isEmpty else { return PrefetchHandle() }
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let run = PrefetchRun(items, destination, start) { [weak self] in self?.forget(id) }
    state.withLock { $0.runs[id] = run }
    settle(run)
    return PrefetchHandle { run.cancel() }
  }

  /// Whether nothing is fetched ahead for now: what runs is ended, and begins again, unless it was done, when that is
  /// over.
  var isPaused: Bool {
    get { state.withLock { $0.isPaused } }
    set {
      let runs = state.withLock { state in
        state.isPaused = newValue
        return state.runs.sorted { $0.key < $1.key }.map(\.value)
      }
      for run in runs { settle(run) }
    }
  }

  /// How many runs have something to do.
  var count: Int { state.withLock { $0.runs.count } }

  private func settle(_ run: PrefetchRun) {
    // Read anew, until nothing has changed meanwhile: of two changes at the same time the last one holds.
    var wasPaused: Bool
    repeat {
      wasPaused = isPaused
      if wasPaused { run.pause() } else { run.resume() }
    } while wasPaused != isPaused
  }

  private func forget(_ id: UInt64) {
    // Handed out, so that it goes outside the lock.
    _ = state.withLock { $0.runs.removeValue(forKey: id) }
  }
}
