#if canImport(UIKit) && !os(watchOS)
  import ImageCodecs
  import ImageLoading
  import UIKit

  /// The subview of an image view that waits for its picture; it has no picture of its own.
  final class UIKitImageTarget: UIView, LaidOutImageTarget {
    var imageBinding = ImageBinding()
    var laidOut = LaidOutImage()

    /// The one of a view, made when there is none.
    static func of(_ view: UIImageView) -> UIKitImageTarget {
      for case let target as UIKitImageTarget in view.subviews { return target }
      let target = UIKitImageTarget(frame: view.bounds)
      target.autoresizingMask = [.flexibleWidth, .flexibleHeight]
      target.isUserInteractionEnabled = false
      view.addSubview(target)
      return target
    }

    override func layoutSubviews() {
      super.layoutSubviews()
      viewChanged()
    }

    override func didMoveToWindow() {
      super.didMoveToWindow()
      windowChanged()
    }

    func show(_ content: ImageContent) {
      guard let view else { return }
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
      case .failure: tellFailure(content.error)
      default: view.image = nil
      }
    }

    private var view: UIImageView? { superview as? UIImageView }
    var isOnScreen: Bool { window != nil }
    var viewSize: (width: Double, height: Double)? { view.map { ($0.bounds.width, $0.bounds.height) } }
    var scale: Double { max(1, traitCollection.displayScale) }
    var fillsView: Bool { view?.contentMode == .scaleAspectFill }
    func clearView() { view?.image = nil }
  }
#endif
