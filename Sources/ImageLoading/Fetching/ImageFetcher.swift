import Foundation
import Loading
import LoadingHTTP
import Synchronization

/// Brings the bytes of pictures: from the request itself, from files, from the disk cache, from servers.
///
/// Decides nothing by itself: ``FetchPlan`` says what to do, the lanes when. Two calls for one key do the work twice;
/// sharing is their caller's. Every member may be used from any thread.
final class ImageFetcher: Sendable {
  struct State {
    var parts: ResumableBodies
    var failures = FailureMemory(maxCount: 1_000)
    /// What is under way, to be told when its key is forgotten.
    var flights: [UInt64: Flight] = [:]
    /// Questions about what was served already, one for a key.
    var behind: [ImageKey: Task<Void, Never>] = [:]
    var isClosed = false
    var nextID: UInt64 = 1
    var chance: SeededGenerator
  }

  let config: ImageLoaderConfig
  let transport: any HTTPTransport
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  let tell: @Sendable (FetchNews) -> Void
  /// Nil where nothing is kept.
  let disk: ImageDisk?
  let network: LoadScheduler
  let retries: RetryPolicy
  let state: Mutex<State>
  let elapsed: @Sendable () -> Duration
  private let diskLane: LoadScheduler
  private let threads = DiskThreads("swift-paging.images.files")

  /// - Parameters:
  ///   - config: One without a `problem`.
  ///   - transport: Who asks servers.
  ///   - clock: What delays, paces and remembered failures are measured on.
  ///   - now: What the age of answers is measured by.
  ///   - tell: Hears what is done, outside locks.
  ///   - seed: Makes the chance in delays repeatable, for tests.
  init(
    config: ImageLoaderConfig, transport: any HTTPTransport, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Date, tell: @escaping @Sendable (FetchNews) -> Void,
    seed: UInt64 = .random(in: 0 ... .max)
  ) {
    self.config = config
    self.transport = transport
    self.clock = clock
    self.now = now
    self.tell = tell
    elapsed = ElapsedTime(on: clock).now
    network = LoadScheduler(config: Self.networkLane(config), clock: clock)
    diskLane = LoadScheduler(
      config: LoadSchedulerConfig(
        maxConcurrent: config.maxConcurrentDiskReads, maxConcurrentPerGroup: config.maxConcurrentDiskReads),
      clock: clock)
    disk = config.diskFolder.flatMap { [diskLane] folder in
      guard config.maxDiskBytes > 0, folder.isFileURL else { return nil }
      return ImageDisk(folder: ImageFolder(in: folder), maxBytes: config.maxDiskBytes, lane: diskLane) { _ in
        tell(.diskFailed)
      }
    }
    retries = .exponential(maxAttempts: config.maxAttempts) { ($0 as? FetchFailure)?.decision ?? .permanent }
    state = Mutex(
      State(
        parts: ResumableBodies(maxBytes: min(config.maxResponseBytes, 64 << 20), maxCount: 32),
        chance: SeededGenerator(seed: seed)))
  }

  deinit { close() }

  private static func networkLane(_ config: ImageLoaderConfig) -> LoadSchedulerConfig {
    var lane = LoadSchedulerConfig(
      maxConcurrent: config.maxConcurrentFetches, maxConcurrentPerGroup: config.maxConcurrentFetchesPerHost)
    lane.reserved = config.reservedFetches
    lane.reservedForIdleGroups = min(1, config.reservedFetches)
    lane.pace = config.maxFetchesPerSecond.map { TokenBucket(perSecond: $0, burst: config.fetchBurst) }
    return lane
  }

  // MARK: - Bytes

  /// The bytes of a request's source.
  ///
  /// - Parameters:
  ///   - request: Its source, method, headers, policy and scope count.
  ///   - key: That of its bytes.
  ///   - ticket: How soon.
  ///   - arrived: Told of each piece that comes over the network, in order, outside locks.
  /// - Throws: `ImageError`; `CancellationError` when the task is cancelled, which takes effect at the next piece at
  ///   the latest.
  func bytes(
    for request: ImageRequest, key: ImageKey, ticket: LoadTicket,
    arrived: @escaping @Sendable (ArrivedBytes) -> Void = { _ in }
  ) async throws -> FetchedBytes {
    try Task.checkCancellation()
    switch request.source.kind {
    case .data(let data): return FetchedBytes(bytes: [UInt8](data), origin: .data)
    case .file(let url): return try await fileBytes(url, ticket)
    case .custom: return try await customBytes(request.source.id, ticket)
    case .remote(let url):
      switch url.scheme?.lowercased() {
      case "http", "https": return try await remoteBytes(url, request, key, ticket, arrived)
      case "file": return try await fileBytes(url, ticket)
      case "data": return try dataBytes(request.source.id)
      case let scheme:
        throw ImageError(
          .invalidRequest,
          message:
            "nothing loads \(scheme.map { "the scheme '\($0)'" } ?? "a URL without a scheme"); "
            + "use http, https, file or data, or ImageSource.custom with ImageLoaderConfig.customLoader")
      }
    }
  }

  private func fileBytes(_ url: URL, _ ticket: LoadTicket) async throws -> FetchedBytes {
    let limit = config.maxResponseBytes
    let bytes = try await diskLane.run(ticket) { [threads] in
      try await threads.run { isCancelled in FileReading.bytes(of: url, limit: limit, isCancelled: isCancelled) }.get()
    }
    return FetchedBytes(bytes: bytes, origin: .disk)
  }

  private func dataBytes(_ text: String) throws -> FetchedBytes {
    do {
      return FetchedBytes(bytes: try DataURL.bytes(text, limit: config.maxResponseBytes), origin: .data)
    } catch .tooLong {
      throw ImageError(
        .limit,
        message: "the data URL holds more than \(config.maxResponseBytes) bytes; make the picture smaller, or raise "
          + "ImageLoaderConfig.maxResponseBytes")
    } catch {
      throw ImageError(
        .invalidRequest, message: "the data URL can't be read (\(error)); write it as data:image/png;base64,…",
        cause: error)
    }
  }

  private func customBytes(_ id: String, _ ticket: LoadTicket) async throws -> FetchedBytes {
    guard let load = config.customLoader else {
      throw ImageError(
        .invalidRequest, message: "a custom source needs ImageLoaderConfig.customLoader, and there is none; set it")
    }
    do {
      let data = try await network.run(ticket, group: "custom") { try await load(id) }
      guard data.count <= config.maxResponseBytes else {
        throw ImageError(
          .limit,
          message: "the custom loader gave \(data.count) bytes, more than ImageLoaderConfig.maxResponseBytes, which is "
            + "\(config.maxResponseBytes)")
      }
      return FetchedBytes(bytes: [UInt8](data), origin: .data)
    } catch let error as ImageError {
      throw error
    } catch {
      try Task.checkCancellation()
      throw ImageError(.source, message: "the custom loader failed; see the cause, it is its error", cause: error)
    }
  }

  // MARK: - Forgetting

  /// Forgets what is kept of a key: bytes, parts of them, a failure. What is under way for it is handed out, and not
  /// kept.
  func forget(_ key: ImageKey) {
    state.withLock { state in
      for flight in state.flights.values where flight.key == key { flight.forget() }
      _ = state.parts.take(key)
      state.failures.forget(key)
      disk?.remove(ImageDisk.name(key, kind: Self.originals))
    }
  }

  /// Forgets everything.
  func removeAll() {
    let behind = state.withLock { state in
      for flight in state.flights.values { flight.forget() }
      state.parts.removeAll()
      state.failures.removeAll()
      disk?.removeAll()
      defer { state.behind = [:] }
      return state.behind
    }
    for task in behind.values { task.cancel() }
  }

  /// Ends what goes on behind loads that have ended, and begins nothing of that kind any more. Loads are their caller's
  /// to cancel.
  func close() {
    let behind = state.withLock { state in
      state.isClosed = true
      defer { state.behind = [:] }
      return state.behind
    }
    for task in behind.values { task.cancel() }
  }

  var diskStatistics: CacheStatistics { disk?.statistics ?? CacheStatistics() }

  /// The kind of blobs that hold answers as they came.
  static let originals = "original"

  func newID() -> UInt64 {
    state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
  }
}

/// One call's work on a key, which may be forgotten meanwhile.
final class Flight: Sendable {
  let key: ImageKey
  private let forgotten = Atomic<Bool>(false)

  init(key: ImageKey) { self.key = key }

  func forget() { forgotten.store(true, ordering: .releasing) }

  /// Whether what it brings may be kept.
  var mayKeep: Bool { !forgotten.load(ordering: .acquiring) }
}
