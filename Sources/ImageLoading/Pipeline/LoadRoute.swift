import ImageCodecs
import Loading
import Synchronization

/// The way of a request through the interceptors to the stages and back. Every member may be used from any thread.
final class LoadRoute: Sendable {
  private struct State {
    var run: PipelineRun?
    var task: Task<Void, Never>?
    var bytes: FetchedBytes?
  }

  private let order: LoadOrder
  private let tell: @Sendable (LoadNews) -> Void
  private let isOver = Atomic(false)
  private let state = Mutex(State())

  /// A route that has not begun. `tell` is called outside locks; `ended` once, unless it is cancelled before.
  init(_ order: LoadOrder, tell: @escaping @Sendable (LoadNews) -> Void) {
    self.order = order
    self.tell = tell
  }

  private var interceptors: [any ImageInterceptor] { order.pipeline.interceptors }

  func begin() {
    if interceptors.isEmpty {
      let run = PipelineRun(order) { [self] in tell(LoadNews($0)) }
      state.withLock { $0.run = run }
      if isOver.load(ordering: .sequentiallyConsistent) { cancel() } else { run.begin() }
    } else {
      let task = Task.detached { [self] in await intercepted() }
      state.withLock { $0.task = task }
      if isOver.load(ordering: .sequentiallyConsistent) { cancel() }
    }
  }

  /// Ends the route, at its own end too: the run and the route hold each other until then.
  func cancel() {
    isOver.store(true, ordering: .sequentiallyConsistent)
    let (run, task) = state.withLock { state in
      defer { (state.run, state.task) = (nil, nil) }
      return (state.run, state.task)
    }
    run?.cancel()
    task?.cancel()
  }

  // MARK: - Interceptors

  private func intercepted() async {
    let result: Result<LoadOutcome, any Error>
    do {
      let response = try await pass(order.request, from: 0)
      switch order.purpose {
      case .picture: result = .success(.picture(response))
      case .bytes: result = .success(.bytes(state.withLock { $0.bytes }))
      }
    } catch {
      result = .failure(Self.told(error))
    }
    if !isOver.load(ordering: .sequentiallyConsistent) { tell(.ended(result)) }
  }

  private func pass(_ request: ImageRequest, from index: Int) async throws -> ImageResponse {
    guard index < interceptors.count else { return try await load(request) }
    return try await interceptors[index].intercept(request) { [self] in try await pass($0, from: index + 1) }
  }

  private func load(_ request: ImageRequest) async throws -> ImageResponse {
    try Task.checkCancellation()
    let cell = OneResult<StageResult>()
    let run = PipelineRun(order.asking(request)) { [self] news in
      if case .ended(let result) = news { cell.finish(result) } else { tell(LoadNews(news)) }
    }
    run.begin()
    let result = try await withTaskCancellationHandler {
      try await cell.value()
    } onCancel: {
      run.cancel()
      cell.finish(.failure(CancellationError()))
    }
    switch result {
    case .picture(let picture): return ImageResponse(image: picture.image, origin: picture.origin)
    case .bytes(let bytes):
      state.withLock { $0.bytes = bytes }
      let pixel = try DecodedImage(size: PixelSize(width: 1, height: 1), rgba: [0, 0, 0, 0])
      return ImageResponse(image: pixel, origin: bytes.origin)
    }
  }

  private static func told(_ error: any Error) -> any Error {
    if error is ImageError || error is CancellationError { return error }
    return ImageError(.source, message: "an interceptor failed; see the cause", cause: error)
  }
}

/// What a load brings.
enum LoadOutcome: Sendable {
  case picture(ImageResponse)
  /// Nil where an interceptor answered itself.
  case bytes(FetchedBytes?)

  var response: ImageResponse? { if case .picture(let response) = self { response } else { nil } }

  var origin: ImageResponse.Origin? {
    switch self {
    case .picture(let response): response.origin
    case .bytes(let bytes): bytes?.origin
    }
  }
}

/// What a load tells on its way.
enum LoadNews: Sendable {
  case progress(ImageProgress)
  case preview(DecodedImage)
  case ended(Result<LoadOutcome, any Error>)

  init(_ news: StageNews) {
    switch news {
    case .progress(let progress): self = .progress(progress)
    case .preview(let image): self = .preview(image)
    case .ended(let result):
      self = .ended(
        result.map { result in
          switch result {
          case .picture(let picture): .picture(ImageResponse(image: picture.image, origin: picture.origin))
          case .bytes(let bytes): .bytes(bytes)
          }
        })
    }
  }
}
