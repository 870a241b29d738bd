import Foundation
import ImageCodecs
import Loading
import LoadingHTTP
import PagingTesting
import Synchronization

@testable import ImageLoading

/// Bytes by the ID of their source, with a record of what was asked.
final class PipelineBytes: ByteFetching {
  enum Answer {
    case bytes([UInt8], ImageResponse.Origin)
    case failure(any Error)
  }

  private struct State {
    var answers: [String: [Answer]] = [:]
    var asked: [ImageRequest] = []
    var tickets: [LoadTicket] = []
    var arrived: [@Sendable (ArrivedBytes) -> Void] = []
    var gate: Gate?
    var gates: [String: Gate] = [:]
    var forgotten: [ImageKey] = []
    var pixels: [ImageKey: DecodedImage] = [:]
  }

  private let state = Mutex(State())
  let began = Tally()
  let cancelled = Tally()
  let stored = Tally()

  func answer(_ id: String, _ answers: Answer...) { state.withLock { $0.answers[id] = answers } }
  func answer(_ id: String, with bytes: [UInt8], _ origin: ImageResponse.Origin = .network) {
    answer(id, .bytes(bytes, origin))
  }
  /// Those who ask from now on wait at the gate.
  func hold(by gate: Gate?) { state.withLock { $0.gate = gate } }

  /// Those who ask for that ID from now on do.
  func hold(_ id: String, by gate: Gate) { state.withLock { $0.gates[id] = gate } }

  var asked: [ImageRequest] { state.withLock { $0.asked } }
  var ids: [String] { asked.map(\.source.id) }
  var forgotten: [ImageKey] { state.withLock { $0.forgotten } }
  var pixels: [ImageKey: DecodedImage] { state.withLock { $0.pixels } }
  /// The ticket of the request of that number, counted from 0.
  func ticket(_ index: Int) -> LoadTicket? {
    state.withLock { $0.tickets.indices.contains(index) ? $0.tickets[index] : nil }
  }

  /// Has bytes arrive for the request of that number.
  func arrive(_ bytes: [UInt8], for index: Int = 0, of total: Int? = nil) {
    let arrived = state.withLock { $0.arrived[index] }
    arrived(.piece(bytes, total: total))
  }

  func bytes(
    for request: ImageRequest, key: ImageKey, ticket: LoadTicket, arrived: @escaping @Sendable (ArrivedBytes) -> Void
  ) async throws -> FetchedBytes {
    let (answer, gate) = state.withLock { state in
      state.asked.append(request)
      state.tickets.append(ticket)
      state.arrived.append(arrived)
      let id = request.source.id
      let answers = state.answers[id] ?? []
      if answers.count > 1 { state.answers[id] = Array(answers.dropFirst()) }
      return (answers.first, state.gates[id] ?? state.gate)
    }
    began.add(1)
    do {
      try await gate?.pass()
      try Task.checkCancellation()
    } catch {
      cancelled.add(1)
      throw error
    }
    switch answer {
    case .bytes(let bytes, let origin): return FetchedBytes(bytes: bytes, origin: origin, head: .pipelineHead)
    case .failure(let error): throw error
    case nil: throw ImageError(.status, message: "there is none of that name; give it an answer", status: 404)
    }
  }

  func forget(_ key: ImageKey) { state.withLock { $0.forgotten.append(key) } }
  func removeAll() { state.withLock { $0.forgotten.append(ImageKey("all")) } }
  var diskStatistics: CacheStatistics { CacheStatistics() }
  func forget(_ keys: ImageKeys) { forget(keys.bytes) }
  func close() {}
  func suspend(_ isSuspended: Bool) {}
  func storedPixels(for request: ImageRequest, keys: ImageKeys, ticket: LoadTicket) async throws -> DecodedImage? {
    state.withLock { $0.pixels[keys.final] }
  }
  func store(_ image: DecodedImage, for request: ImageRequest, keys: ImageKeys, from bytes: FetchedBytes) {
    state.withLock { $0.pixels[keys.final] = image }
    stored.add(1)
  }
}

extension ArrivedBytes {
  static func piece(_ bytes: [UInt8], total: Int?) -> ArrivedBytes {
    ArrivedBytes(
      progress: ImageProgress(receivedBytes: bytes.count, totalBytes: total),
      body: BodyBuffer(bytes, capacity: bytes.count))
  }
}

/// Memory without bounds.
final class PipelineMemory: PictureKeeping {
  private let state = Mutex<(pictures: [ImageKey: DecodedImage], statistics: CacheStatistics)>(([:], CacheStatistics()))

  var keys: [ImageKey] { state.withLock { Array($0.pictures.keys) } }

  func peek(_ key: ImageKey) -> DecodedImage? { state.withLock { $0.pictures[key] } }
  func image(for request: ImageRequest, keys: ImageKeys) -> DecodedImage? {
    state.withLock { state in
      let image = state.pictures[keys.final]
      if image == nil { state.statistics.misses += 1 } else { state.statistics.hits += 1 }
      return image
    }
  }
  func insert(_ image: DecodedImage, for request: ImageRequest, keys: ImageKeys) {
    state.withLock { $0.pictures[keys.final] = image }
  }
  func remove(bytes: ImageKey) {
    state.withLock { state in state.pictures = state.pictures.filter { !$0.key.text.hasPrefix(bytes.text) } }
  }
  func trim(to pressure: MemoryPressure) -> Int {
    state.withLock { state in
      defer { state.pictures = [:] }
      return state.pictures.values.reduce(0) { $0 + $1.byteCount }
    }
  }
  func removeAll() { state.withLock { $0.pictures = [:] } }
  func figures(surface: String?) -> (statistics: CacheStatistics, bytesHeld: Int, peakBytesHeld: Int) {
    state.withLock { state in
      let bytes = state.pictures.values.reduce(0) { $0 + $1.byteCount }
      return (state.statistics, bytes, bytes)
    }
  }
}

/// Decodes `I`, width, height, value: a plain picture, no larger than asked. `P`, width, then a byte a scan: a square whose value is that of the
/// last scan; a scan of 0 can't be decoded.
final class PipelineDecoder: ImageDecoder {
  private let hook: @Sendable () -> Void
  let decodes = Tally()
  /// How many decode now, and did at once at most.
  let concurrent = Mutex((now: 0, peak: 0))
  /// Decodes that saw that nobody waits.
  let cancelled = Tally()
  /// The values of what was decoded, in the order in which that began.
  let order = Mutex<[UInt8]>([])

  /// `hook` is called at the start of each decode, on its thread.
  init(hook: @escaping @Sendable () -> Void = {}) { self.hook = hook }

  static func plain(_ width: UInt8, _ height: UInt8, value: UInt8 = 7) -> [UInt8] { [73, width, height, value] }

  func canDecode(header: [UInt8]) -> Bool { header.first == 73 || header.first == 80 }

  func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize {
    guard data.count >= 3 else { throw ImageCodecError(.truncated, message: "too short") }
    return PixelSize(width: Int(data[1]), height: Int(data[1]))
  }

  func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    concurrent.withLock { $0 = ($0.now + 1, max($0.peak, $0.now + 1)) }
    defer { concurrent.withLock { $0.now -= 1 } }
    order.withLock { $0.append(data.last ?? 0) }
    decodes.add(1)
    hook()
    if Task.isCancelled {
      cancelled.add(1)
      throw ImageCodecError(.cancelled, message: "the task was cancelled")
    }
    guard data.count >= 3 else { throw ImageCodecError(.truncated, message: "too short") }
    let isPlain = data[0] == 73
    if isPlain, data.count < 4 { throw ImageCodecError(.truncated, message: "too short") }
    let value = data[data.count - 1]
    if value == 0 { throw ImageCodecError(.corrupt, message: "a scan is broken") }
    let size = PixelSize(width: Int(data[1]), height: Int(isPlain ? data[2] : data[1]))
    let output = options.target.outputSize(for: size)
    return try DecodedImage(size: output, rgba: Array(repeating: value, count: 4 * output.area))
  }

  func previewLength(of data: [UInt8], after shown: Int) -> Int? {
    data.first == 80 && data.count > 2 && data.count > shown ? data.count : nil
  }

  func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? { nil }
}

extension DecodedImage {
  var pipelineValue: UInt8 { withPixels { $0[0] } }
}

/// A loader of doubles, and what it told.
struct PipelineRig {
  let bytes = PipelineBytes()
  let memory = PipelineMemory()
  let clock = ManualClock()
  let decoder: PipelineDecoder
  let loader: ImageLoader
  let heard: PipelineHearing

  init(
    decoder: PipelineDecoder = PipelineDecoder(), interceptors: [any ImageInterceptor] = [],
    config change: (inout ImageLoaderConfig) -> Void = { _ in }
  ) {
    var config = ImageLoaderConfig()
    config.diskFolder = nil
    config.maxConcurrentDecodes = 1
    change(&config)
    self.decoder = decoder
    let heard = PipelineHearing()
    self.heard = heard
    let time = ElapsedTime(on: clock)
    loader = ImageLoader(
      config: config, fetcher: bytes, memory: memory, decoders: [decoder], interceptors: interceptors, clock: clock,
      events: ImageEvents(observer: { heard.hear($0) }, now: time.now))
  }

  static func url(_ name: String) -> URL { URL(string: "https://example.org/\(name)") ?? URL(filePath: name) }
  static func request(
    _ name: String, _ target: DecodeTarget = .original, _ transforms: [ImageTransform] = [],
    priority: LoadPriority = .medium
  ) -> ImageRequest {
    ImageRequest(url(name), target: target, transforms: transforms, priority: priority)
  }
  static func id(_ name: String) -> String { url(name).absoluteString }

  /// A request whose bytes are a plain picture.
  func plain(
    _ name: String, _ target: DecodeTarget = .original, _ transforms: [ImageTransform] = [],
    priority: LoadPriority = .medium
  ) -> ImageRequest {
    bytes.answer(Self.id(name), with: PipelineDecoder.plain(8, 8))
    return Self.request(name, target, transforms, priority: priority)
  }

  func waiters(atLeast count: Int) async {
    while loader.pipeline.guarded.withLock({ $0.waiters.count }) < count { await Task.yield() }
  }
}

/// What an observer heard.
final class PipelineHearing: Sendable {
  private let events = Mutex<[ImageLoadEvent]>([])
  func hear(_ event: ImageLoadEvent) { events.withLock { $0.append(event) } }
  var all: [ImageLoadEvent] { events.withLock { $0 } }
  /// Names and phases, such as `load(`, `decode)`, `preview`.
  var names: [String] {
    all.map { $0.name + ($0.phase == .begin ? "(" : $0.phase == .end ? ")" : "") }
  }
}

/// Counts how often transforms are applied.
final class PipelineTransforms: Sendable {
  let applied = Mutex<[String: Int]>([:])

  func make(_ name: String, adding value: UInt8 = 1) -> ImageTransform {
    ImageTransform(identifier: name) { [self] image in
      applied.withLock { $0[name, default: 0] += 1 }
      let old = image.withPixels { Array($0) }
      return try DecodedImage(size: image.size, rgba: old.map { $0 &+ value })
    }
  }

  subscript(name: String) -> Int { applied.withLock { $0[name] ?? 0 } }
}

extension StoredHead {
  /// One that says nothing.
  static var pipelineHead: StoredHead {
    StoredHead(
      status: 200, headers: [:], receivedAt: Date(timeIntervalSince1970: 0),
      requestedAt: Date(timeIntervalSince1970: 0),
      selecting: [])
  }
}
