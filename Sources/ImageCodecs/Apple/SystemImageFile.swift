#if canImport(ImageIO)
  import CoreGraphics
  import Foundation
  import ImageIO

  /// A file that ImageIO has open.
  final class SystemImageFile {
    private let source: CGImageSource
    /// At least 1.
    let frameCount: Int

    /// - Throws: ``ImageCodecError``.
    init(_ data: [UInt8]) throws(ImageCodecError) {
      guard let source = CGImageSourceCreateWithData(Data(data) as CFData, nil) else { throw Self.isUnsupported }
      self.source = source
      frameCount = CGImageSourceGetCount(source)
      guard frameCount > 0 else { throw Self.error(CGImageSourceGetStatus(source)) }
    }

    /// The first picture's size as it lies in the file, and how it is turned upright.
    func header() throws(ImageCodecError) -> (stored: PixelSize, orientation: Orientation) {
      let properties = properties(0)
      guard let width = properties[kCGImagePropertyPixelWidth as String] as? Int,
        let height = properties[kCGImagePropertyPixelHeight as String] as? Int
      else { throw Self.error(CGImageSourceGetStatusAtIndex(source, 0)) }
      let orientation = properties[kCGImagePropertyOrientation as String] as? Int
      let value = orientation.flatMap { UInt8(exactly: $0) }.flatMap { Orientation(rawValue: $0) }
      return (PixelSize(width: width, height: height), value ?? .upright)
    }

    /// - Throws: Where there isn't all of a picture.
    func requireWhole(_ index: Int) throws(ImageCodecError) {
      let status = CGImageSourceGetStatusAtIndex(source, index)
      guard status == .statusComplete else { throw Self.error(status) }
    }

    /// A picture, upright, of the size that the plan says.
    func picture(_ index: Int, _ plan: DecodePlan) throws(ImageCodecError) -> DecodedImage {
      let size = plan.uprightOutput
      // What ImageIO calls a thumbnail is the picture decoded at a size, and turned upright by it.
      let options: [String: Any] = [
        kCGImageSourceCreateThumbnailFromImageAlways as String: true,
        kCGImageSourceCreateThumbnailWithTransform as String: true,
        kCGImageSourceShouldCacheImmediately as String: true,
        kCGImageSourceThumbnailMaxPixelSize as String: max(size.width, size.height),
      ]
      guard let image = CGImageSourceCreateThumbnailAtIndex(source, index, options as CFDictionary) else {
        throw Self.error(CGImageSourceGetStatusAtIndex(source, index))
      }
      return try Self.drawn(image, size, plan.options.colors)
    }

    private static func drawn(
      _ image: CGImage, _ size: PixelSize, _ colors: DecodeOptions.ColorHandling
    ) throws(ImageCodecError) -> DecodedImage {
      let memory = try PixelMemory(size)
      let layout = CGImageAlphaInfo.premultipliedLast.rawValue | CGBitmapInfo.byteOrder32Big.rawValue
      guard let sRGB = CGColorSpace(name: CGColorSpace.sRGB),
        let context = CGContext(
          data: memory.start, width: size.width, height: size.height, bitsPerComponent: 8, bytesPerRow: 4 * size.width,
          space: sRGB, bitmapInfo: layout)
      else {
        throw ImageCodecError(
          .limit, message: "the system can't make a picture of \(size) pixels; ask for a smaller target")
      }
      var image = image
      // The same numbers under another name are drawn as they are; those of other models than RGB can't be.
      if colors == .asStored, image.colorSpace?.model == .rgb, let renamed = image.copy(colorSpace: sRGB) {
        image = renamed
      }
      context.setBlendMode(.copy)
      context.interpolationQuality = .high
      context.draw(image, in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
      return DecodedImage(size: size, memory: memory)
    }
  }

  extension SystemImageFile {
    /// The names of a format's dictionary and of what is in it.
    private struct AnimationKeys {
      let dictionary: CFString
      let unclampedDelay: CFString
      let delay: CFString
      let loopCount: CFString
    }

    private static var animations: [AnimationKeys] {
      [
        AnimationKeys(
          dictionary: kCGImagePropertyGIFDictionary, unclampedDelay: kCGImagePropertyGIFUnclampedDelayTime,
          delay: kCGImagePropertyGIFDelayTime, loopCount: kCGImagePropertyGIFLoopCount),
        AnimationKeys(
          dictionary: kCGImagePropertyPNGDictionary, unclampedDelay: kCGImagePropertyAPNGUnclampedDelayTime,
          delay: kCGImagePropertyAPNGDelayTime, loopCount: kCGImagePropertyAPNGLoopCount),
        AnimationKeys(
          dictionary: kCGImagePropertyWebPDictionary, unclampedDelay: kCGImagePropertyWebPUnclampedDelayTime,
          delay: kCGImagePropertyWebPDelayTime, loopCount: kCGImagePropertyWebPLoopCount),
        AnimationKeys(
          dictionary: kCGImagePropertyHEICSDictionary, unclampedDelay: kCGImagePropertyHEICSUnclampedDelayTime,
          delay: kCGImagePropertyHEICSDelayTime, loopCount: kCGImagePropertyHEICSLoopCount),
      ]
    }

    /// Whether the pictures follow one another in time; a file may hold several that don't.
    var isAnimation: Bool { seconds(0) != nil }

    /// How often the animation plays; 0: for ever.
    var loopCount: Int {
      let properties = CGImageSourceCopyProperties(source, nil) as? [String: Any] ?? [:]
      for keys in Self.animations {
        let dictionary = properties[keys.dictionary as String] as? [String: Any]
        if let count = dictionary?[keys.loopCount as String] as? Int { return max(0, count) }
      }
      // Without a word on it, an animation plays once.
      return 1
    }

    /// How long a frame is shown.
    func duration(_ index: Int) -> Duration {
      // As browsers do: files that say less were made when that meant as fast as can be.
      guard let seconds = seconds(index), seconds.isFinite, seconds >= 0.02 else { return .milliseconds(100) }
      return .seconds(min(seconds, 86_400))
    }

    private func seconds(_ index: Int) -> Double? {
      let properties = properties(index)
      for keys in Self.animations {
        guard let dictionary = properties[keys.dictionary as String] as? [String: Any] else { continue }
        let delay = dictionary[keys.unclampedDelay as String] ?? dictionary[keys.delay as String]
        if let delay = delay as? Double { return delay }
      }
      return nil
    }

    private func properties(_ index: Int) -> [String: Any] {
      CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [String: Any] ?? [:]
    }

    private static let isUnsupported = ImageCodecError(
      .unsupported, message: "the system's decoders don't know what the bytes begin with")

    private static func error(_ status: CGImageSourceStatus) -> ImageCodecError {
      switch status {
      case .statusUnknownType: isUnsupported
      case .statusUnexpectedEOF, .statusIncomplete, .statusReadingHeader:
        ImageCodecError(.truncated, message: "the file ends too early; fetch all of it, or allow partial ones")
      default: ImageCodecError(.corrupt, message: "the system's decoder says that the file is damaged")
      }
    }
  }
#endif
