import Loading
import Synchronization

/// Counts what a loader does, by surface and in all, and tells its observer. Every member may be used from any thread.
final class ImageEvents: Sendable {
  /// Something that has begun and will end.
  struct Span: Sendable {
    let id: UInt64
    let surface: String?
    let began: Duration
  }

  private struct Counts {
    var all = ImageStatistics()
    var surfaces: [String: ImageStatistics] = [:]
    var nextID: UInt64 = 1
    /// For whom bytes are fetched, and by which stage: one that ends late mustn't take away what a newer one set.
    var fetching: [ImageKey: (surface: String?, stage: UInt64)] = [:]
    /// What the fetcher began, by its own numbers.
    var spans: [UInt64: Span] = [:]

    mutating func change(_ surface: String?, _ change: (inout ImageStatistics) -> Void) {
      change(&all)
      // As in memory: names that are made up at run time must not grow without end.
      guard let surface, surfaces[surface] != nil || surfaces.count < ImageSurfaces.maxCount else { return }
      change(&surfaces[surface, default: ImageStatistics()])
    }
  }

  private let counts = Mutex(Counts())
  private let observer: ImageObserver?
  private let now: @Sendable () -> Duration

  init(observer: ImageObserver?, now: @escaping @Sendable () -> Duration) {
    self.observer = observer
    self.now = now
  }

  /// The figures of a surface, or of all; without those of memory and disk.
  func statistics(of surface: String?) -> ImageStatistics {
    counts.withLock { counts in surface.map { counts.surfaces[$0] ?? ImageStatistics() } ?? counts.all }
  }

  // MARK: - Loads

  func loadBegan(_ surface: String?) -> Span { begin("load", surface) { $0.loads += 1 } }

  /// There is something to show that is no placeholder.
  func firstPixel(_ load: Span) {
    let time = now() - load.began
    counts.withLock { $0.change(load.surface) { $0.timeToFirstPixel += time } }
  }

  func loadEnded(_ load: Span, origin: ImageResponse.Origin?) { end("load", load, "ok") { $0.origin = origin } }

  func loadFailed(_ load: Span, _ error: any Error) {
    let outcome = Self.outcome(of: error)
    counts.withLock { counts in
      counts.change(load.surface) { if outcome == "cancelled" { $0.cancelled += 1 } else { $0.failed += 1 } }
    }
    end("load", load, outcome)
  }

  // MARK: - Work

  func decodeBegan(_ surface: String?) -> Span { begin("decode", surface) }

  func decodeEnded(_ decode: Span, _ error: (any Error)?) {
    let time = now() - decode.began
    counts.withLock { counts in
      counts.change(decode.surface) {
        if error == nil { $0.decodes += 1 }
        $0.decodeTime += time
      }
    }
    end("decode", decode, Self.outcome(of: error))
  }

  func transformBegan(_ surface: String?) -> Span { begin("transform", surface) }
  func transformEnded(_ transform: Span, _ error: (any Error)?) { end("transform", transform, Self.outcome(of: error)) }

  func previewed(_ surface: String?) { tell("preview", surface) }
  func trimmed(_ byteCount: Int) { tell("trim", nil) { $0.byteCount = byteCount } }

  // MARK: - Telling

  func begin(_ name: String, _ surface: String?, _ count: (inout ImageStatistics) -> Void = { _ in }) -> Span {
    let began = now()
    let id = counts.withLock { counts in
      counts.change(surface, count)
      defer { counts.nextID += 1 }
      return counts.nextID
    }
    if let observer {
      var event = ImageLoadEvent(name, .begin, id: id)
      event.surface = surface
      observer(event)
    }
    return Span(id: id, surface: surface, began: began)
  }

  func end(_ name: String, _ span: Span, _ outcome: String?, _ fill: (inout ImageLoadEvent) -> Void = { _ in }) {
    guard let observer else { return }
    var event = ImageLoadEvent(name, .end, id: span.id)
    event.surface = span.surface
    event.outcome = outcome
    fill(&event)
    observer(event)
  }

  func tell(_ name: String, _ surface: String?, _ fill: (inout ImageLoadEvent) -> Void = { _ in }) {
    guard let observer else { return }
    let id = counts.withLock { counts in
      defer { counts.nextID += 1 }
      return counts.nextID
    }
    var event = ImageLoadEvent(name, .instant, id: id)
    event.surface = surface
    fill(&event)
    observer(event)
  }

  func count(_ surface: String?, _ change: (inout ImageStatistics) -> Void) {
    counts.withLock { $0.change(surface, change) }
  }

  // MARK: - Fetches

  /// What the fetcher does for a key from now on is a surface's, and a stage's.
  func fetching(_ key: ImageKey, for surface: String?, by stage: UInt64) {
    counts.withLock { $0.fetching[key] = (surface, stage) }
  }

  /// And no more, unless another stage has begun since.
  func fetched(_ key: ImageKey, by stage: UInt64) {
    counts.withLock { if $0.fetching[key]?.stage == stage { $0.fetching[key] = nil } }
  }

  func surface(of key: ImageKey) -> String? { counts.withLock { $0.fetching[key]?.surface } }
  func remember(_ span: Span, as id: UInt64) { counts.withLock { $0.spans[id] = span } }
  func take(_ id: UInt64) -> Span? { counts.withLock { $0.spans.removeValue(forKey: id) } }

  static func outcome(of error: (any Error)?) -> String {
    switch error {
    case nil: "ok"
    case let error as ImageError: error.code.rawValue
    case is CancellationError: "cancelled"
    default: "failed"
    }
  }
}
