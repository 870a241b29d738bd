public import ImageCodecs
public import ImageLoading
import PagingTesting
import Synchronization

public import struct Foundation.URL

/// A loader without network, disk and decoders, for tests of what depends on `ImageProviding`: it does what a script
/// says and keeps a record of what was asked.
///
/// ```swift
/// let gate = Gate()
/// let loader = FakeImageLoader()
/// loader.answer(avatar, with: .held(by: gate, .image(picture)))
/// screen.show(avatar, from: loader)  // shows the placeholder
/// gate.open()  // and now the picture
/// ```
///
/// Answers go by source, whatever size, transforms and headers a request has. Targets are bound as `ImageLoader` binds
/// them, and what has come is kept in memory, by the request's key and policy. A prefetch is noted and nothing else.
/// Every member may be used from any thread. All that was asked is kept, so memory grows with it.
public final class FakeImageLoader: ImageProviding {
  /// A bind of a target.
  public struct Bind: Sendable {
    /// What it was to show; nil cleared it.
    public let request: ImageRequest?
    /// Which target.
    public let target: ObjectIdentifier
    /// Whether memory had the picture.
    public let isFromMemory: Bool
  }

  /// A prefetch.
  public struct Prefetch: Sendable {
    /// What was to be fetched.
    public let requests: [ImageRequest]
    /// How far.
    public let destination: PrefetchDestination
    /// Whether it was cancelled, or let go of.
    public internal(set) var isCancelled = false
  }

  private struct State {
    var answers: [ImageSource: [FakeImageAnswer]] = [:]
    var memory: [String: DecodedImage] = [:]
    var requests: [ImageRequest] = []
    var loads: [ImageRequest] = []
    var cancelled: [ImageRequest] = []
    var binds: [Bind] = []
    var prefetches: [Prefetch] = []
  }

  private let state = Mutex(State())
  private let begun = Tally()
  private let isRemembering: Bool

  /// A loader that knows no picture.
  ///
  /// - Parameter isRemembering: Whether what has come is found in memory from then on; default true.
  public init(isRemembering: Bool = true) { self.isRemembering = isRemembering }

  // MARK: - Script

  /// Has loads of that source do this from now on; takes the place of earlier answers.
  public func answer(_ source: ImageSource, with answer: FakeImageAnswer) { self.answer(source, inTurn: [answer]) }

  /// Has loads of that URL do this from now on; takes the place of earlier answers.
  public func answer(_ url: URL, with answer: FakeImageAnswer) { self.answer(.url(url), inTurn: [answer]) }

  /// Has loads of that source do these in turn, and from then on the last.
  ///
  /// - Parameters:
  ///   - source: The source.
  ///   - answers: At least one; none takes the earlier ones away.
  public func answer(_ source: ImageSource, inTurn answers: [FakeImageAnswer]) {
    state.withLock { $0.answers[source] = answers.isEmpty ? nil : answers }
  }

  /// Puts a picture into memory, so that a request for it is answered in the same turn; nil takes it out.
  public func remember(_ image: DecodedImage?, for request: ImageRequest) {
    // Handed out, so that it goes outside the lock.
    _ = state.withLock { state in
      let earlier = state.memory[request.pictureKey]
      state.memory[request.pictureKey] = image
      return earlier
    }
  }

  // MARK: - Record

  /// What ``image(for:)`` was asked for so far, in order, memory hits included.
  public var requests: [ImageRequest] { state.withLock { $0.requests } }
  /// The binds so far, in order, those that cleared included.
  public var binds: [Bind] { state.withLock { $0.binds } }
  /// The prefetches so far, in order.
  public var prefetches: [Prefetch] { state.withLock { $0.prefetches } }
  /// The loads that began so far, of ``image(for:)`` and of targets, in order; what memory had is none.
  public var loads: [ImageRequest] { state.withLock { $0.loads } }
  /// The loads that were cancelled before they ended, in the order in which that was seen.
  public var cancelled: [ImageRequest] { state.withLock { $0.cancelled } }

  /// Returns when at least `count` loads have begun, or when the task that waits is cancelled.
  public func loads(atLeast count: Int) async { await begun.reached(count) }

  // MARK: - Loading

  /// What the script says, or the picture in memory.
  ///
  /// - Throws: The script's `ImageError`; one of the code `source` where there is no answer for the source;
  ///   `CancellationError`.
  public func image(for request: ImageRequest) async throws -> ImageResponse {
    state.withLock { $0.requests.append(request) }
    try Task.checkCancellation()
    if let image = cachedImage(for: request) { return ImageResponse(image: image, origin: .memory) }
    let answer = begin(request)
    do { return try await play(answer, for: request) { _ in } } catch {
      if error is CancellationError { noteCancelled(request) }
      throw error
    }
  }

  /// The picture that was put into memory or has come, unless the request's policy doesn't read memory.
  public func cachedImage(for request: ImageRequest) -> DecodedImage? {
    guard request.cachePolicy.readsMemory else { return nil }
    return state.withLock { $0.memory[request.pictureKey] }
  }

  /// Binds a target as `ImageLoader` does, and does what the script says.
  @MainActor @discardableResult
  public func load(_ request: ImageRequest?, into target: any ImageTarget) -> ImageTask {
    let isFromMemory = request.flatMap { cachedImage(for: $0) } != nil
    let bind = Bind(request: request, target: ObjectIdentifier(target), isFromMemory: isFromMemory)
    state.withLock { $0.binds.append(bind) }
    return ImageBinder.bind(request, to: target, cached: { cachedImage(for: $0) }) { request, _, deliver in
      let answer = begin(request)
      let work = Task.detached {
        do {
          let response = try await self.play(answer, for: request) { deliver(.success($0)) }
          deliver(.success(.image(response)))
        } catch { deliver(.failure(error)) }
      }
      return {
        self.noteCancelled(request)
        work.cancel()
      }
    }
  }

  /// Notes it; nothing is loaded.
  public func prefetch(_ requests: [ImageRequest], to destination: PrefetchDestination) -> PrefetchHandle {
    let index = state.withLock { state in
      state.prefetches.append(Prefetch(requests: requests, destination: destination))
      return state.prefetches.count - 1
    }
    return PrefetchHandle { self.state.withLock { $0.prefetches[index].isCancelled = true } }
  }

  private func begin(_ request: ImageRequest) -> FakeImageAnswer {
    let answer = state.withLock { state in
      state.loads.append(request)
      guard let answers = state.answers[request.source], let first = answers.first else {
        return FakeImageAnswer.failure(
          ImageError(.source, message: "the fake loader has no answer for \(request.source.id); give it one"))
      }
      if answers.count > 1 { state.answers[request.source]?.removeFirst() }
      return first
    }
    begun.add(1)
    return answer
  }

  private func play(
    _ answer: FakeImageAnswer, for request: ImageRequest, tell: (ImageUpdate) -> Void
  ) async throws -> ImageResponse {
    for step in answer.steps {
      switch step {
      case .wait(let gate): try await gate.pass()
      case .tell(let update): tell(update)
      case .end(let result):
        let response = try result.get()
        try Task.checkCancellation()
        if isRemembering, request.cachePolicy.writesMemory { remember(response.image, for: request) }
        return response
      }
    }
    throw CancellationError()
  }

  private func noteCancelled(_ request: ImageRequest) { state.withLock { $0.cancelled.append(request) } }
}
