import ImageCodecs
import Loading
import Synchronization

/// One load from its start to its one end: the picture, the thumbnail before it, the events and figures of both.
///
/// Every member may be used from any thread.
final class PipelineLoad: Sendable {
  private let order: LoadOrder
  private let outlet: NewsOutlet
  private let span: ImageEvents.Span
  private let number: UInt64
  private let isOver = Atomic(false)
  private let hasPixels = Atomic(false)
  private let routes = Mutex<[LoadRoute]>([])

  init(_ order: LoadOrder, deliver: @escaping @Sendable (LoadNews) -> Void) {
    self.order = order
    outlet = NewsOutlet(deliver)
    span = order.pipeline.events.loadBegan(order.request.surface)
    number = order.pipeline.newID()
  }

  private var pipeline: ImagePipeline { order.pipeline }

  func begin() {
    // Interceptors may hold a load outside the stages, where closing doesn't find it.
    if !pipeline.interceptors.isEmpty, !pipeline.register(number, { [self] in finish(.failure($0)) }) {
      return finish(.failure(ImagePipeline.closedError))
    }
    var asked = order.request
    asked.thumbnail = nil
    if let source = order.request.thumbnail, order.purpose == .picture {
      var smaller = asked
      smaller.source = source
      smaller.identity = nil
      smaller.alternatives = []
      smaller.showsPreviews = false
      start(smaller.stamped) { [self] news in
        // Its failure is nobody's: the picture itself is on its way.
        if case .ended(.success(.picture(let response))) = news { preview(response.image) }
      }
    }
    start(asked) { [self] news in
      switch news {
      case .progress(let progress): outlet.tell(.progress(progress))
      case .preview(let image): preview(image)
      case .ended(let result): finish(result)
      }
    }
  }

  /// Ends the load without a word.
  func cancel() {
    outlet.silence()
    guard end() else { return }
    pipeline.events.loadFailed(span, CancellationError())
  }

  private func start(_ request: ImageRequest, _ tell: @escaping @Sendable (LoadNews) -> Void) {
    let route = LoadRoute(order.asking(request), tell: tell)
    routes.withLock { $0.append(route) }
    guard !isOver.load(ordering: .sequentiallyConsistent) else { return endRoutes() }
    route.begin()
  }

  private func preview(_ image: DecodedImage) {
    guard !isOver.load(ordering: .sequentiallyConsistent) else { return }
    showPixels()
    pipeline.events.previewed(order.request.surface)
    outlet.tell(.preview(image))
  }

  private func finish(_ result: Result<LoadOutcome, any Error>) {
    guard end() else { return }
    switch result {
    case .success(let outcome):
      if outcome.response != nil { showPixels() }
      pipeline.events.loadEnded(span, origin: outcome.origin)
    case .failure(let error): pipeline.events.loadFailed(span, error)
    }
    outlet.tell(.ended(result))
  }

  private func showPixels() {
    if !hasPixels.exchange(true, ordering: .sequentiallyConsistent) { pipeline.events.firstPixel(span) }
  }

  /// - Returns: Whether it was not over before.
  private func end() -> Bool {
    guard !isOver.exchange(true, ordering: .sequentiallyConsistent) else { return false }
    pipeline.unregister(number)
    endRoutes()
    return true
  }

  /// Ends the routes and lets go of them, since they hold this load.
  private func endRoutes() {
    let routes = routes.withLock { routes in
      defer { routes = [] }
      return routes
    }
    for route in routes { route.cancel() }
  }
}

extension ImagePipeline {
  /// Has closing end a load; false where it is closed already.
  func register(_ number: UInt64, _ fail: @escaping @Sendable (any Error) -> Void) -> Bool {
    guarded.withLock { guarded in
      if !guarded.isClosed { guarded.loads[number] = fail }
      return !guarded.isClosed
    }
  }

  func unregister(_ number: UInt64) {
    // Handed out, so that what it holds goes after the lock.
    _ = guarded.withLock { $0.loads.removeValue(forKey: number) }
  }
}
