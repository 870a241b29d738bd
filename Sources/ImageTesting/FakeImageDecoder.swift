public import ImageCodecs
import Synchronization

/// A decoder of plain pictures in a format of its own, for tests that need files that decode and no codecs.
///
/// ```swift
/// let file = FakeImageDecoder.file(PixelSize(width: 640, height: 480), color: [200, 0, 0, 255])
/// let image = try FakeImageDecoder().decode(file, DecodeOptions(target: .fit(PixelSize(width: 64, height: 64))))
/// ```
///
/// It does all that a decoder has to: limits, targets, cancellation, animations, errors for files that are cut or
/// damaged. May be used from any thread. What was decoded is kept, so memory grows with it.
public final class FakeImageDecoder: ImageDecoder {
  private let decodes = Mutex<[DecodeOptions]>([])

  /// A decoder.
  public init() {}

  /// A file of one colour.
  ///
  /// - Parameters:
  ///   - size: The size of the picture.
  ///   - color: Red, green, blue and alpha, colours multiplied by alpha; what is missing counts as 255.
  public static func file(_ size: PixelSize, color: [UInt8] = [90, 120, 150, 255]) -> [UInt8] {
    FakeImageFile(size: size, colors: [color]).bytes
  }

  /// A file of an animation whose frames each have one colour.
  ///
  /// - Parameters:
  ///   - size: The size of the picture.
  ///   - colors: A colour for each frame; at least one.
  ///   - duration: How long each is shown.
  public static func file(_ size: PixelSize, frames colors: [[UInt8]], each duration: Duration) -> [UInt8] {
    let milliseconds = duration / .milliseconds(1)
    return FakeImageFile(
      size: size, colors: colors.isEmpty ? [[]] : colors, milliseconds: UInt16(min(max(20, milliseconds), 60_000))
    ).bytes
  }

  /// What ``decode(_:_:)`` was asked for so far, in order.
  public var decoded: [DecodeOptions] { decodes.withLock { $0 } }

  /// Whether the file is one of this format.
  public func canDecode(header: [UInt8]) -> Bool { header.starts(with: FakeImageFile.signature) }

  /// The size in the file's head.
  public func size(of data: [UInt8]) throws(ImageCodecError) -> PixelSize { try FakeImageFile(head: data).size }

  /// The first frame's colour.
  public func decode(_ data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    decodes.withLock { $0.append(options) }
    return try FakeImageFile(data, isPartial: options.allowsPartial).image(0, options)
  }

  /// The frames; nil for a file of one.
  public func frames(of data: [UInt8], _ options: DecodeOptions) throws(ImageCodecError) -> (any ImageFrames)? {
    let file = try FakeImageFile(data, isPartial: options.allowsPartial)
    return file.colors.count > 1 ? try FakeImageFrames(file, options) : nil
  }
}
