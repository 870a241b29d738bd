public import ImageCodecs
import Loading

public import struct Foundation.URL

/// Pictures by request: from memory, from work that is under way, from disk or from the network, decoded at the size in
/// which they are shown.
///
/// Equal work is done once however many ask for it, at each of its stages: bytes, decoded picture, each transform. Work
/// goes on as long as one of those who asked still waits, and is as urgent as the most urgent of them. Each instance
/// has a memory, lanes and configuration of its own; several, and several processes, may keep their files in one
/// folder, where each holds the bound for the files that it knows of. Every member may be used from any thread.
public final class ImageLoader: Sendable {
  let config: ImageLoaderConfig
  let pipeline: ImagePipeline
  let memory: any PictureKeeping
  let fetcher: any ByteFetching
  let events: ImageEvents
  let prefetches: PrefetchRuns

  /// A loader of parts that are there.
  init(
    config: ImageLoaderConfig, fetcher: any ByteFetching, memory: any PictureKeeping, decoders: [any ImageDecoder],
    interceptors: [any ImageInterceptor], clock: any Clock<Duration>, events: ImageEvents
  ) {
    self.config = config
    self.memory = memory
    self.fetcher = fetcher
    self.events = events
    pipeline = ImagePipeline(
      config: config, fetcher: fetcher, memory: memory, decoders: decoders, interceptors: interceptors, clock: clock,
      events: events)
    prefetches = PrefetchRuns(pipeline: pipeline, memory: memory)
  }

  // MARK: - Pictures

  /// The picture of a request.
  ///
  /// O(1) where memory has it. Cancelling the task ends the wait at once, and the work where nobody else waits for it.
  ///
  /// - Throws: ``ImageError``; `CancellationError` when the task was cancelled, and when the load died while
  ///   ``conditions`` were suspended. Therefore untyped.
  public func image(for request: ImageRequest) async throws -> ImageResponse {
    try Task.checkCancellation()
    let request = prepared(request)
    if let image = remembered(request) { return ImageResponse(image: image, origin: .memory) }
    let cell = OneResult<ImageResponse?>()
    let cancel = pipeline.start(request, ticket: LoadTicket(priority: request.priority)) { step in
      if case .finished(let result) = step { cell.finish(result) }
    }
    let response = try await withTaskCancellationHandler {
      try await cell.value()
    } onCancel: {
      cancel()
      cell.finish(.failure(CancellationError()))
    }
    // Only what goes onto the disk alone has none.
    guard let response else { throw CancellationError() }
    return response
  }

  /// The picture of a URL, at a size.
  ///
  /// - Throws: ``ImageError``, `CancellationError`; see ``image(for:)``.
  public func image(from url: URL, target: DecodeTarget = .original) async throws -> DecodedImage {
    try await image(for: ImageRequest(url, target: target)).image
  }

  /// The picture if it is in memory: one look, no work.
  public func cachedImage(for request: ImageRequest) -> DecodedImage? {
    let request = prepared(request)
    guard request.cachePolicy.readsMemory else { return nil }
    return memory.image(for: request, keys: ImageKeys(request))
  }

  /// The request as interceptors leave it, a file with its date: before any key is made.
  func prepared(_ request: ImageRequest) -> ImageRequest {
    pipeline.interceptors.reduce(request) { $1.prepare($0) }.stamped
  }

  /// What memory has for a prepared request; if it has it, that was a load.
  func remembered(_ request: ImageRequest) -> DecodedImage? {
    guard request.cachePolicy.readsMemory, !pipeline.isClosed,
      let image = memory.image(for: request, keys: ImageKeys(request))
    else { return nil }
    pipeline.answeredFromMemory(request)
    return image
  }
}
