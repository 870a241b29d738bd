#if canImport(UIKit) && !os(watchOS)
  import ImageCodecs
  import ImageLoading
  import UIKit

  /// What an image view waits for. It is a subview without a size of its own or a picture, so that it lives as long as the view
  /// and hears when that is laid out and when it comes on screen and leaves.
  final class UIKitImageTarget: UIView, ImageTarget {
    var imageBinding = ImageBinding()
    private var request: ImageRequest?
    private var loader: (any ImageProviding)?
    private var sizing = RemoteImageSizing.asLaidOut
    private var failed: (@MainActor (ImageError, @escaping @MainActor () -> Void) -> Void)?
    /// What is bound, with its size.
    private var bound: ImageRequest?
    private var task: ImageTask?

    /// The one of a view, made when there is none.
    static func of(_ view: UIImageView) -> UIKitImageTarget {
      for case let target as UIKitImageTarget in view.subviews { return target }
      let target = UIKitImageTarget(frame: view.bounds)
      target.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      target.isUserInteractionEnabled = false
      view.addSubview(target)
      return target
    }

    func bind(
      _ request: ImageRequest?, _ loader: any ImageProviding, _ sizing: RemoteImageSizing,
      _ failed: (@MainActor (ImageError, @escaping @MainActor () -> Void) -> Void)?
    ) {
      if let bound, let request, request.isSamePicture(as: bound) {} else { clear() }
      self.request = request
      self.loader = loader
      self.sizing = sizing
      self.failed = failed
      update()
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      update()
    }

    override func didMoveToWindow() {
      super.didMoveToWindow()
      // What is shown stays; the same request begins its load anew.
      if window == nil { task?.cancel() } else { update() }
    }

    func show(_ content: ImageContent) {
      guard let view = superview as? UIImageView else { return }
      switch content.stage {
      case .image:
        let image = content.image.flatMap { UIImage($0, scale: scale) }
        guard content.origin != .memory else { return view.image = image }
        UIView.transition(
          with: view, duration: 0.2, options: [.transitionCrossDissolve, .allowUserInteraction],
          animations: { view.image = image })
      case .preview: view.image = content.image.flatMap { UIImage($0, scale: scale) }
      // A picture of another size stays until this one is there.
      case .placeholder: if view.image == nil { view.image = content.image.flatMap { UIImage($0, scale: scale) } }
      case .failure: if let error = content.error { failed?(error) { [weak self] in self?.begin() } }
      default: view.image = nil
      }
    }

    private var scale: CGFloat { max(1, traitCollection.displayScale) }

    private func clear() {
      bound = nil
      loader?.load(nil, into: self)
      (superview as? UIImageView)?.image = nil
    }

    /// Binds what there is to bind, once it can be.
    private func update() {
      guard let request, window != nil, let view = superview as? UIImageView else { return }
      let fills = view.contentMode == .scaleAspectFill
      bound = request.sized(
        sizing, width: view.bounds.width, height: view.bounds.height, scale: scale, fills: fills)
      begin()
    }

    /// Binding what is bound already changes nothing, unless its load was ended.
    private func begin() {
      guard let bound, let loader else { return }
      task = loader.load(bound, into: self)
    }
  }
#endif
