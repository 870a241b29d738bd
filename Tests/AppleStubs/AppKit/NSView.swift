// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import ObjectiveC

@MainActor open class NSResponder: NSObject {}

@MainActor open class NSView: NSResponder {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var width: AutoresizingMask { AutoresizingMask(rawValue: 2) }
    public static var height: AutoresizingMask { AutoresizingMask(rawValue: 16) }
  }

  public init(frame frameRect: NSRect) {}
  public required init?(coder: NSCoder) {}
  open var bounds: NSRect = .zero
  open var frame: NSRect = .zero
  open var visibleRect: NSRect { .zero }
  open var window: NSWindow? { nil }
  open var superview: NSView? { nil }
  open var enclosingScrollView: NSScrollView? { nil }
  open var autoresizingMask: NSView.AutoresizingMask = []
  open var postsBoundsChangedNotifications = false
  nonisolated public class var boundsDidChangeNotification: NSNotification.Name { NSNotification.Name("") }
  open var subviews: [NSView] { [] }
  open func addSubview(_ view: NSView) {}
  open func layout() {}
  open func layoutSubtreeIfNeeded() {}
  open func viewDidMoveToWindow() {}
  open func viewDidChangeBackingProperties() {}
  open func setFrameSize(_ newSize: NSSize) {}
  open func hitTest(_ point: NSPoint) -> NSView? { nil }
  @discardableResult open func scrollToVisible(_ rect: NSRect) -> Bool { false }
}

@MainActor open class NSWindow: NSResponder {
  open var backingScaleFactor: CGFloat { 1 }
}

@MainActor open class NSControl: NSView {}

@MainActor open class NSClipView: NSView {
  open func scroll(to newOrigin: NSPoint) {}
}

@MainActor open class NSScrollView: NSView {
  open var contentView: NSClipView { NSClipView(frame: .zero) }
  open func reflectScrolledClipView(_ cView: NSClipView) {}
}

@MainActor open class NSAnimationContext: NSObject {
  open var duration: TimeInterval = 0
  open var allowsImplicitAnimation = false
  open class func runAnimationGroup(_ changes: (NSAnimationContext) -> Void) {}
}

public enum NSImageScaling: UInt, Sendable {
  case scaleProportionallyDown
  case scaleAxesIndependently
  case scaleNone
  case scaleProportionallyUpOrDown
}

@MainActor open class NSImageView: NSControl {
  open var image: NSImage?
  open var imageScaling: NSImageScaling = .scaleProportionallyDown
}

open class NSImage: NSObject, @unchecked Sendable {
  public init(cgImage: CGImage, size: NSSize) {}
}
