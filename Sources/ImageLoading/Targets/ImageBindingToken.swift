import ImageCodecs

/// One bind of a target. It is held by the target's ``ImageBinding`` alone, so that it goes when the target goes or is
/// bound anew, and the load with it.
@MainActor final class ImageBindingToken {
  private weak var target: (any ImageTarget)?
  /// What was asked for, as it was given.
  let request: ImageRequest
  nonisolated let task: ImageTask
  /// What was shown at the end; not held here.
  private weak var image: DecodedImage?
  private let placeholder: DecodedImage?

  init(target: any ImageTarget, request: ImageRequest, task: ImageTask, placeholder: DecodedImage?) {
    self.target = target
    self.request = request
    self.task = task
    self.placeholder = placeholder
  }

  deinit { task.cancel() }

  /// Whether the target waits for this bind, or has been given what it waited for.
  var isCurrent: Bool { target?.imageBinding.token === self }

  func isFor(_ target: any ImageTarget) -> Bool { self.target === target }

  /// The picture that the load ended with, as long as anybody has it.
  var finishedImage: DecodedImage? { image }

  /// Shows what a load has delivered, in order, until something that is shown binds the target anew.
  func take(_ deliveries: [Result<ImageUpdate, any Error>]) {
    for delivery in deliveries {
      guard isCurrent, !task.isOver else { return }
      switch delivery {
      case .success(.progress): break
      case .success(.preview(let image)): show(ImageContent(stage: .preview, image: image))
      case .success(.image(let response)): end(with: response)
      case .failure(let error): fail(with: error)
      }
    }
  }

  func showPlaceholder() { show(ImageContent(stage: .placeholder, image: placeholder)) }

  /// Shows the picture; the load is over.
  func end(with response: ImageResponse) {
    // Nil where another thread has cancelled meanwhile: then nothing is shown.
    guard task.finish() != nil else { return }
    image = response.image
    show(ImageContent(stage: .image, image: response.image, origin: response.origin))
  }

  private func fail(with error: any Error) {
    guard task.finish() != nil, !(error is CancellationError) else { return }
    let failure =
      error as? ImageError
      ?? ImageError(.source, message: "the load failed with an error of another kind; see `cause`", cause: error)
    show(ImageContent(stage: .failure, image: placeholder, error: failure))
  }

  private func show(_ content: ImageContent) { target?.show(content) }
}
