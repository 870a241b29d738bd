import Foundation
import ImageCodecs
import Loading
import PagingTesting
import Synchronization
import Testing

@testable import ImageLoading

/// Nothing is left of a load that is over, however it ended, while its loader lives on.
///
/// A request's transform holds something whose end opens a gate; the doubles here keep no request.
@Suite(.timeLimit(.minutes(5))) struct LoadLifetimeTests {
  private final class Held: Sendable {
    private let gone: Gate
    init(_ gone: Gate) { self.gone = gone }
    deinit { gone.open() }
  }

  private let bytes = LifetimeBytes()
  private let gone = Gate()
  private let loader: ImageLoader

  init() { loader = Self.loader(bytes) }

  private static func loader(_ bytes: LifetimeBytes, _ interceptors: [any ImageInterceptor] = []) -> ImageLoader {
    var config = ImageLoaderConfig()
    config.diskFolder = nil
    let clock = ManualClock()
    return ImageLoader(
      config: config, fetcher: bytes, memory: ImageMemory(config: config, clock: clock),
      decoders: [PipelineDecoder()], interceptors: interceptors, clock: clock,
      events: ImageEvents(observer: nil, now: ElapsedTime(on: clock).now))
  }

  /// A request that is held by whoever holds its load.
  private func request(_ name: String = "x", thumbnail: Bool = false) -> ImageRequest {
    let held = Held(gone)
    var request = PipelineRig.request(name)
    request.transforms = [ImageTransform(identifier: "held") { image in withExtendedLifetime(held) { image } }]
    if thumbnail { request.thumbnail = .url(PipelineRig.url("small")) }
    return request
  }

  @Test(arguments: [false, true]) func aLoadThatSucceededIsLetGoOf(withThumbnail: Bool) async throws {
    _ = try await loader.image(for: request(thumbnail: withThumbnail))
    try await gone.pass()
  }

  @Test func aLoadThatWentThroughInterceptorsIsLetGoOf() async throws {
    let loader = Self.loader(bytes, [LifetimeInterceptor()])
    _ = try await loader.image(for: request())
    try await gone.pass()
    withExtendedLifetime(loader) {}
  }

  @Test func aLoadThatFailedIsLetGoOf() async throws {
    do {
      _ = try await loader.image(for: request("none"))
      Issue.record("There is no such picture.")
    } catch { #expect(error is ImageError) }
    try await gone.pass()
  }

  @Test func aLoadThatWasCancelledIsLetGoOf() async throws {
    let gate = Gate()
    bytes.gate.withLock { $0 = gate }
    loader.pipeline.start(request(), ticket: LoadTicket()) { _ in }()
    gate.open()
    try await gone.pass()
  }

  @Test func aLoadWhoseUpdatesWereReadIsLetGoOfThoughTheStreamIsHeld() async throws {
    let updates = loader.updates(for: request())
    var reader = updates.makeAsyncIterator()
    while let update = try await reader.next() { if case .image = update { break } }
    try await gone.pass()
    withExtendedLifetime((updates, reader)) {}
  }

  @Test @MainActor func aLoadThatATargetShowsIsLetGoOf() async throws {
    let target = LifetimeTarget()
    loader.load(request(), into: target)
    await target.ended.reached(1)
    // The binding keeps what was asked for, to know it again.
    target.imageBinding = ImageBinding()
    try await gone.pass()
  }

  @Test @MainActor func aLoadWhoseTargetWasBoundAnewIsLetGoOf() async throws {
    let gate = Gate()
    bytes.gate.withLock { $0 = gate }
    let target = LifetimeTarget()
    loader.load(request(), into: target)
    await bytes.began.reached(1)
    loader.load(nil, into: target)
    gate.open()
    try await gone.pass()
  }

  @Test func aPrefetchThatIsDoneIsLetGoOfThoughItsHandleIsHeld() async throws {
    let handle = loader.prefetch([request()], to: .memory)
    try await gone.pass()
    withExtendedLifetime(handle) {}
  }
}

/// Bytes of a plain picture for all but `none`; keeps nothing that it is given.
private final class LifetimeBytes: ByteFetching {
  let gate = Mutex<Gate?>(nil)
  let began = Tally()

  func bytes(
    for request: ImageRequest, key: ImageKey, ticket: LoadTicket, arrived: @escaping @Sendable (ArrivedBytes) -> Void
  ) async throws -> FetchedBytes {
    began.add(1)
    try await gate.withLock { $0 }?.pass()
    guard request.source.id != PipelineRig.id("none") else {
      throw ImageError(.status, message: "there is none of that name", status: 404)
    }
    return FetchedBytes(bytes: PipelineDecoder.plain(8, 8), origin: .network)
  }

  func forget(_ key: ImageKey) {}
  func forget(_ keys: ImageKeys) {}
  func removeAll() {}
  var diskStatistics: CacheStatistics { CacheStatistics() }
  func close() {}
  func suspend(_ isSuspended: Bool) {}
  func storedPixels(for request: ImageRequest, keys: ImageKeys, ticket: LoadTicket) async throws -> DecodedImage? {
    nil
  }
  func store(_ image: DecodedImage, for request: ImageRequest, keys: ImageKeys, from bytes: FetchedBytes) {}
}

private struct LifetimeInterceptor: ImageInterceptor {}

@MainActor private final class LifetimeTarget: ImageTarget {
  var imageBinding = ImageBinding()
  let ended = Tally()
  func show(_ content: ImageContent) { if content.stage == .image { ended.add(1) } }
}
