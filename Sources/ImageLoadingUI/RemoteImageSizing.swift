import ImageCodecs
import ImageLoading

/// How large a picture is asked for by a view; more ways may come.
public struct RemoteImageSizing: Hashable, Sendable {
  private let rawValue: Int

  /// As large as the view is laid out, in the screen's pixels; nothing is asked for until that is known. The default.
  public static let asLaidOut = RemoteImageSizing(rawValue: 0)
  /// As the request says, which is the file's own size unless it says otherwise.
  public static let asRequested = RemoteImageSizing(rawValue: 1)
}

extension ImageRequest {
  /// This request as a view of that size makes it; nil as long as the view has no size and it matters.
  ///
  /// Sides are rounded up to whole pixels.
  ///
  /// - Parameters:
  ///   - width: In points.
  ///   - height: In points.
  ///   - scale: Pixels a point.
  ///   - fills: Whether the picture is to cover the view, or else to fit into it.
  func sized(
    _ sizing: RemoteImageSizing, width: Double, height: Double, scale: Double, fills: Bool
  ) -> ImageRequest? {
    if sizing == .asRequested { return self }
    guard let width = Self.pixels(width * scale), let height = Self.pixels(height * scale) else { return nil }
    var request = self
    let size = PixelSize(width: width, height: height)
    request.target = fills ? .fill(size) : .fit(size)
    return request
  }

  private static func pixels(_ side: Double) -> Int? {
    guard side.isFinite, side > 0 else { return nil }
    return Int(min(side.rounded(.up), 1e6))
  }

  /// Whether both are asked for by one view that was laid out anew: all but the size is the same.
  func isSamePicture(as other: ImageRequest) -> Bool {
    var other = other
    other.target = target
    return self == other
  }
}
