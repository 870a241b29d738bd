public import ImageCodecs
public import ImageLoading

/// Who gives the frames of animations: `ImageLoader` does.
public protocol ImageFrameProviding: Sendable {
  /// The frames of an animation, composed one at a time; nil for a still picture.
  ///
  /// - Throws: ``/ImageLoading/ImageError``, `CancellationError`; therefore untyped.
  func frames(for request: ImageRequest) async throws -> (any ImageFrames)?
}

extension ImageLoader: ImageFrameProviding {}
