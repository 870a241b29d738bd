// Unchecked for the pointer: what it points to is written before anybody has the object, and only read from then on.
/// The pixels of a picture: upright, sRGB, eight bits a channel, red, green, blue and alpha, colours multiplied by
/// alpha.
///
/// Rows follow one another from top to bottom without padding, so a row is `4 * size.width` bytes. The memory is given
/// back with the last reference to it. May be used from any thread: pixels are written before an image is there, and
/// only read after that.
public final class DecodedImage: @unchecked Sendable {
  /// The width and height of the picture.
  public let size: PixelSize
  private let memory: PixelMemory

  /// An image of the bytes that `write` puts into its memory, which holds zeros before (transparent black).
  ///
  /// Linear in the number of pixels.
  ///
  /// - Parameters:
  ///   - size: Both sides at least 1.
  ///   - write: Fills `4 * size.width * size.height` bytes; the pointer must not be kept.
  /// - Throws: What `write` throws; ``ImageCodecError/Code/limit`` where a side is not positive or there is no memory
  ///   for that many pixels, with the error type `ImageCodecError`.
  public init(
    size: PixelSize, writing write: (UnsafeMutableRawBufferPointer) throws(ImageCodecError) -> Void
  ) throws(ImageCodecError) {
    let memory = try PixelMemory(size)
    try write(UnsafeMutableRawBufferPointer(start: memory.start, count: memory.byteCount))
    self.size = size
    self.memory = memory
  }

  /// An image of pixels that a decoder has written.
  init(size: PixelSize, memory: consuming PixelMemory) {
    self.size = size
    self.memory = memory
  }

  /// An image of bytes that are there.
  ///
  /// - Parameters:
  ///   - size: Both sides at least 1.
  ///   - rgba: `4 * size.width * size.height` bytes, colours multiplied by alpha.
  /// - Throws: ``ImageCodecError/Code/limit`` for a size that makes no sense, ``ImageCodecError/Code/corrupt`` where
  ///   the number of bytes is another.
  public convenience init(size: PixelSize, rgba: [UInt8]) throws(ImageCodecError) {
    let byteCount = try PixelMemory.byteCount(of: size)
    guard rgba.count == byteCount else {
      throw ImageCodecError(
        .corrupt, message: "\(size) pixels are \(byteCount) bytes, and \(rgba.count) were given; give 4 bytes a pixel")
    }
    try self.init(size: size) { (pixels: UnsafeMutableRawBufferPointer) throws(ImageCodecError) in
      pixels.copyBytes(from: rgba)
    }
  }

  /// The memory that the pixels take, in bytes.
  public var byteCount: Int { memory.byteCount }

  /// Calls `body` with the pixels, row by row from the top left; the pointer must not be kept.
  public func withPixels<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: memory.start, count: memory.byteCount))
  }

  /// The pixels, which stay where they are and as they are as long as the image is held.
  package var heldPixels: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory.start, count: memory.byteCount)
  }
}
