/// Turns the bytes of a file into pixels.
///
/// The type of a file comes from its bytes, never from a name or a header. Methods work on the caller's thread and may
/// take long; each looks at `Task.isCancelled` and the limits once a band of rows, and may be called from many threads
/// at once. No input may trap or use more memory and time than the limits allow; `ImageDecoderVerifier` of
/// `ImageTesting` tries that.
public protocol ImageDecoder: Sendable {
  /// Whether a file that begins like that is for this decoder.
  ///
  /// - Parameter header: The first bytes of a file: ``ImageFormat/headerLength`` of them, or the whole file if it is
  ///   shorter.
  func canDecode(header: [UInt8]) -> Bool

  /// The size of the upright picture, read from the file's head; allocates no pixels.
  ///
  /// - Throws: ``ImageCodecError``.
  func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize

  /// The picture, upright and as large as the options say; of an animation its first frame.
  ///
  /// - Throws: ``ImageCodecError``.
  func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage

  /// The frames of an animation, one at a time; nil for a still picture, and by default.
  ///
  /// - Throws: ``ImageCodecError``.
  func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)?

  /// How much of the beginning of a file is worth showing while the rest is on its way.
  ///
  /// - Parameters:
  ///   - data: The bytes that have come so far.
  ///   - shown: What the last call returned for the same file, or 0.
  /// - Returns: A number of bytes more than `shown`, which ``decode(_:_:)`` turns into a better picture with
  ///   ``DecodeOptions/allowsPartial``; nil while there is none, for files that come in one go, and by default.
  func previewLength(of data: [UInt8], after shown: Int) -> Int?
}

extension ImageDecoder {
  /// Nil: no animation can be had, only still pictures.
  public func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? { nil }

  /// Nil: nothing is worth showing before the whole file is there.
  public func previewLength(of data: [UInt8], after shown: Int) -> Int? { nil }
}
