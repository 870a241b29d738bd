// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals

public import CoreGraphics

public struct Image: StubView, Equatable, Sendable {
  public enum Orientation: UInt8, CaseIterable, Hashable, Sendable {
    case up
  }
  public enum Interpolation: Hashable, Sendable {
    case none
    case low
    case medium
    case high
  }
  public enum ResizingMode: Hashable, Sendable {
    case tile
    case stretch
  }

  public init(decorative cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up) {}
  public func resizable(capInsets: EdgeInsets = EdgeInsets(), resizingMode: Image.ResizingMode = .stretch) -> Image {
    self
  }
  public func interpolation(_ interpolation: Image.Interpolation) -> Image { self }
}

public struct EdgeInsets: Equatable, Sendable {
  public init() {}
}
