/// The frames of an animation, composed one after another; never all of them are held at once.
///
/// May be used from any thread; calls wait for one another.
public protocol ImageFrames: AnyObject, Sendable {
  /// How many frames the file has, at least 1.
  var count: Int { get }
  /// How often the animation plays; 0: for ever.
  var loopCount: Int { get }
  /// The size of each frame as it comes out.
  var size: PixelSize { get }

  /// The next frame, or nil after the last one.
  ///
  /// - Throws: ``ImageCodecError``; the frames before stay good.
  func next() throws(ImageCodecError) -> ImageFrame?

  /// Makes the frame of that index, counted from 0, the next one; composing up to it may take as long as all frames
  /// before it.
  ///
  /// An index past the last frame makes ``next()`` return nil; a negative one counts as 0.
  func seek(to index: Int) throws(ImageCodecError)
}

/// One frame of an animation, whole.
public struct ImageFrame: Sendable {
  /// The picture as it is to be shown: composed with the frames before it.
  public var image: DecodedImage
  /// How long it is shown; at least 20 milliseconds, since shorter ones in files mean 100 milliseconds to browsers too.
  public var duration: Duration

  /// A frame of a picture and a time.
  public init(image: DecodedImage, duration: Duration) {
    self.image = image
    self.duration = duration
  }
}
