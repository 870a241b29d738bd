// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import ObjectiveC

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var flexibleWidth: AutoresizingMask { AutoresizingMask(rawValue: 2) }
    public static var flexibleHeight: AutoresizingMask { AutoresizingMask(rawValue: 16) }
  }
  public struct AnimationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var transitionCrossDissolve: AnimationOptions { AnimationOptions(rawValue: 5 << 20) }
    public static var allowUserInteraction: AnimationOptions { AnimationOptions(rawValue: 1 << 1) }
  }
  public enum ContentMode: Int, Sendable {
    case scaleToFill
    case scaleAspectFit
    case scaleAspectFill
  }

  public init(frame: CGRect) {}
  public required init?(coder: NSCoder) {}
  open var bounds: CGRect = .zero
  open var frame: CGRect = .zero
  open var isHidden = false
  open var isUserInteractionEnabled = true
  open var contentMode: UIView.ContentMode = .scaleToFill
  open var autoresizingMask: UIView.AutoresizingMask = []
  open var window: UIWindow? { nil }
  open var traitCollection: UITraitCollection { UITraitCollection() }
  open var subviews: [UIView] { [] }
  open var superview: UIView? { nil }
  open func addSubview(_ view: UIView) {}
  open func layoutSubviews() {}
  open func layoutIfNeeded() {}
  open func didMoveToWindow() {}
  open func removeFromSuperview() {}
  open class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {}
  open class func transition(
    with view: UIView, duration: TimeInterval, options: UIView.AnimationOptions = [], animations: (() -> Void)?,
    completion: ((Bool) -> Void)? = nil
  ) {}
}

@MainActor open class UIWindow: UIView {}

@MainActor open class UITraitCollection: NSObject {
  open var displayScale: CGFloat { 1 }
}

public struct UIEdgeInsets: Equatable, Sendable {}

extension CGRect {
  public func inset(by insets: UIEdgeInsets) -> CGRect { self }
}

@MainActor open class UIScrollView: UIView {
  open var contentOffset: CGPoint = .zero
  open var adjustedContentInset: UIEdgeInsets { UIEdgeInsets() }
}

@MainActor open class UIImageView: UIView {
  open var image: UIImage?
}

open class UIImage: NSObject, @unchecked Sendable {
  public enum Orientation: Int, Sendable {
    case up
  }
  public init(cgImage: CGImage, scale: CGFloat, orientation: UIImage.Orientation) {}
}

@MainActor open class UIApplication: UIResponder {
  nonisolated public class var didReceiveMemoryWarningNotification: NSNotification.Name { NSNotification.Name("") }
  nonisolated public class var didEnterBackgroundNotification: NSNotification.Name { NSNotification.Name("") }
}
