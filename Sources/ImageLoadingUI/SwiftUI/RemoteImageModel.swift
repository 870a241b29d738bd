#if canImport(SwiftUI)
  import CoreGraphics
  import ImageCodecs
  import ImageLoading
  import Observation

  /// The target behind a ``RemoteImage``.
  @MainActor @Observable final class RemoteImageModel: ImageTarget {
    @ObservationIgnored var imageBinding = ImageBinding()
    @ObservationIgnored private var task: ImageTask?
    @ObservationIgnored private var loader: (any ImageProviding)?
    /// What is bound.
    private var request: ImageRequest?
    private var picture: CGImage?
    private var failure: ImageError?
    /// Counts pictures that came late, so that they are faded in.
    private(set) var fades = 0

    func show(_ content: ImageContent) {
      failure = content.error
      switch content.stage {
      case .image, .preview:
        picture = content.image?.cgImage
        if content.stage == .image, content.origin != .memory { fades += 1 }
      // The picture of another size stays until this one is there.
      case .placeholder: if let image = content.image { picture = picture ?? image.cgImage }
      case .failure: break
      default: picture = nil
      }
    }

    /// Binds a request, or the same one again where its load was cancelled.
    func bind(_ request: ImageRequest?, _ loader: any ImageProviding) {
      if let request, let bound = self.request, !request.isSamePicture(as: bound) { picture = nil }
      if self.request != request { failure = nil }
      self.request = request
      self.loader = loader
      task = loader.load(request, into: self)
    }

    /// Ends what is under way; what is shown stays.
    func leave() { task?.cancel() }

    func retry() {
      guard let loader, let request else { return }
      failure = nil
      task = loader.load(request, into: self)
    }

    /// The picture, if it is of that request: a view is drawn with a new one before it is bound.
    func picture(for request: ImageRequest?) -> CGImage? { isBound(to: request) ? picture : nil }

    func failure(for request: ImageRequest?) -> ImageError? { isBound(to: request) ? failure : nil }

    private func isBound(to request: ImageRequest?) -> Bool {
      guard let request, let bound = self.request else { return false }
      return request.isSamePicture(as: bound)
    }
  }
#endif
