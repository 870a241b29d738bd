#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import ImageCodecs
  import ImageLoading

  /// What an image view waits for. It is a subview that draws nothing, so that it lives as long as the view and hears when that
  /// is laid out and when it comes into a window and leaves it.
  final class AppKitImageTarget: NSView, ImageTarget {
    var imageBinding = ImageBinding()
    private var request: ImageRequest?
    private var loader: (any ImageProviding)?
    private var sizing = RemoteImageSizing.asLaidOut
    private var failed: (@MainActor (ImageError, @escaping @MainActor () -> Void) -> Void)?
    /// What is bound, with its size.
    private var bound: ImageRequest?
    private var task: ImageTask?

    /// The one of a view, made when there is none.
    static func of(_ view: NSImageView) -> AppKitImageTarget {
      for case let target as AppKitImageTarget in view.subviews { return target }
      let target = AppKitImageTarget(frame: view.bounds)
      target.autoresizingMask = [.width, .height]
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

    /// Clicks are the image view's.
    override func hitTest(_ point: NSPoint) -> NSView? { nil }

    override func setFrameSize(_ newSize: NSSize) {
      super.setFrameSize(newSize)
      update()
    }

    override func viewDidChangeBackingProperties() {
      super.viewDidChangeBackingProperties()
      update()
    }

    override func viewDidMoveToWindow() {
      super.viewDidMoveToWindow()
      // What is shown stays; the same request begins its load anew.
      if window == nil { task?.cancel() } else { update() }
    }

    func show(_ content: ImageContent) {
      guard let view = superview as? NSImageView else { return }
      let image = content.image.flatMap { NSImage($0, scale: scale) }
      switch content.stage {
      case .image, .preview: view.image = image
      // A picture of another size stays until this one is there.
      case .placeholder: view.image = view.image ?? image
      case .failure: if let error = content.error { failed?(error) { [weak self] in self?.begin() } }
      default: view.image = nil
      }
    }

    private var scale: CGFloat { max(1, window?.backingScaleFactor ?? 1) }

    private func clear() {
      bound = nil
      loader?.load(nil, into: self)
      (superview as? NSImageView)?.image = nil
    }

    /// Binds what there is to bind, once it can be.
    private func update() {
      guard let request, window != nil, let view = superview as? NSImageView else { return }
      bound = request.sized(
        sizing, width: view.bounds.width, height: view.bounds.height, scale: scale, fills: false)
      begin()
    }

    /// Binding what is bound already changes nothing, unless its load was ended.
    private func begin() {
      guard let bound, let loader else { return }
      task = loader.load(bound, into: self)
    }
  }
#endif
