#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import AppKit
  import ImageCodecs
  import ImageLoading

  /// The subview of an image view that waits for its picture; it has no picture of its own.
  final class AppKitImageTarget: NSView, LaidOutImageTarget {
    var imageBinding = ImageBinding()
    var laidOut = LaidOutImage()

    /// The one of a view, made when there is none.
    static func of(_ view: NSImageView) -> AppKitImageTarget {
      for case let target as AppKitImageTarget in view.subviews { return target }
      let target = AppKitImageTarget(frame: view.bounds)
      target.autoresizingMask = [.width, .height]
      view.addSubview(target)
      return target
    }

    /// Clicks are the image view's.
    override func hitTest(_ point: NSPoint) -> NSView? { nil }

    override func setFrameSize(_ newSize: NSSize) {
      super.setFrameSize(newSize)
      viewChanged()
    }

    override func viewDidChangeBackingProperties() {
      super.viewDidChangeBackingProperties()
      viewChanged()
    }

    override func viewDidMoveToWindow() {
      super.viewDidMoveToWindow()
      windowChanged()
    }

    func show(_ content: ImageContent) {
      guard let view else { return }
      let image = content.image.flatMap { NSImage($0, scale: scale) }
      switch content.stage {
      case .image, .preview: view.image = image
      // A picture of another size stays until this one is there.
      case .placeholder: view.image = view.image ?? image
      case .failure: tellFailure(content.error)
      default: view.image = nil
      }
    }

    private var view: NSImageView? { superview as? NSImageView }
    var isOnScreen: Bool { window != nil }
    var viewSize: (width: Double, height: Double)? { view.map { ($0.bounds.width, $0.bounds.height) } }
    var scale: Double { max(1, window?.backingScaleFactor ?? 1) }
    var fillsView: Bool { false }
    func clearView() { view?.image = nil }
  }
#endif
