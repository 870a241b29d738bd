import ImageCodecs
import Synchronization

@testable import ImageLoading

/// A target that keeps what it was told to show.
@MainActor final class RestTarget: ImageTarget {
  var imageBinding = ImageBinding()
  private(set) var shown: [ImageContent] = []
  /// Called after each content was noted.
  var onShow: (@MainActor (ImageContent) -> Void)?

  func show(_ content: ImageContent) {
    shown.append(content)
    onShow?(content)
  }

  func clear() { shown = [] }

  var stages: [String] { shown.map(\.stage.description) }
  var image: DecodedImage? { shown.last?.image }

  /// Returns when all that was delivered before has landed: what hops later lands later.
  static func settle() async {
    for _ in 0..<4 { await Task { @MainActor in }.value }
  }
}

/// Loads that a test delivers to by hand, and a memory that it fills by hand.
@MainActor final class RestLoads {
  struct Load: Sendable {
    let request: ImageRequest
    let task: ImageTask
    let deliver: @Sendable (Result<ImageUpdate, any Error>) -> Void
    let cancels: Counted

    func finish(_ image: DecodedImage) {
      deliver(.success(.image(ImageResponse(image: image, origin: .network))))
    }
  }

  /// A number that any thread may count up.
  final class Counted: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  private(set) var loads: [Load] = []
  var memory: [ImageRequest: DecodedImage] = [:]
  /// What happened, in order.
  private(set) var log: [String] = []
  /// Delivered before a load's start returns.
  var atOnce: Result<ImageUpdate, any Error>?

  @discardableResult func bind(_ request: ImageRequest?, to target: RestTarget) -> ImageTask {
    ImageBinder.bind(request, to: target, cached: { memory[$0] }) { request, task, deliver in
      let load = Load(request: request, task: task, deliver: deliver, cancels: Counted())
      loads.append(load)
      log.append("start \(request.source.id.suffix(1))")
      if let atOnce { deliver(atOnce) }
      return { load.cancels.add() }
    }
  }
}
