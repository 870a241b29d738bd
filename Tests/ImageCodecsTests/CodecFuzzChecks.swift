import ImageCodecs

/// What must hold of the decoders whatever bytes they are given; replayed over the corpus by the tests, and run on bytes made up by
/// `Scripts/fuzz`.
enum CodecFuzzChecks {
  static let targets = ["jpeg", "png", "webp", "gif", "heic", "avif"].filter { decoder($0) != nil }

  /// Small, so that no input may take long.
  static let limits = ImageLimits(
    maxSourcePixels: 1 << 20, maxSide: 20_000, maxOutputPixels: 1 << 18, maxScans: 20, maxFrameBytes: 8 << 20,
    maxTime: .seconds(2))

  /// What is wrong with what the decoder named `target` made of `bytes`, or nil.
  static func problem(_ target: String, _ bytes: [UInt8]) -> String? {
    guard let decoder = decoder(target) else { return "no decoder is named \(target)" }
    let size = try? decoder.size(of: bytes)
    if let size, size.width < 1 || size.height < 1 { return "a size of \(size)" }
    for target in [DecodeTarget.fit(PixelSize(width: 16, height: 16)), .original] {
      for allowsPartial in [false, true] {
        let options = DecodeOptions(target: target, limits: limits, allowsPartial: allowsPartial)
        if let problem = still(decoder, bytes, options, size) { return problem }
      }
    }
    return animation(decoder, bytes) ?? previews(decoder, bytes)
  }

  private static func decoder(_ target: String) -> (any ImageDecoder)? {
    switch target {
    case "jpeg": return JPEGDecoder()
    case "png": return PNGDecoder()
    #if WebP
      case "webp": return WebPDecoder()
    #endif
    #if GIF
      case "gif": return GIFDecoder()
    #endif
    #if HEIC
      case "heic": return HEICDecoder()
    #endif
    #if AVIF
      case "avif": return AVIFDecoder()
    #endif
    default: return nil
    }
  }

  private static func still(
    _ decoder: any ImageDecoder, _ bytes: [UInt8], _ options: DecodeOptions, _ size: PixelSize?
  ) -> String? {
    guard let image = try? decoder.decode(bytes, options) else { return nil }
    guard let size else { return "a picture without a size" }
    guard size.area <= limits.maxSourcePixels else { return "\(size) pixels were let in" }
    let expected = options.target.outputSize(for: size)
    guard image.size == expected else { return "\(image.size) where \(expected) was to come" }
    return unmultiplied(image)
  }

  private static func animation(_ decoder: any ImageDecoder, _ bytes: [UInt8]) -> String? {
    let options = DecodeOptions(target: .fit(PixelSize(width: 16, height: 16)), limits: limits)
    guard let frames = try? decoder.frames(of: bytes, options) else { return nil }
    if frames.count < 1 || frames.loopCount < 0 { return "\(frames.count) frames, played \(frames.loopCount) times" }
    for index in 0..<min(frames.count + 1, 12) {
      guard let frame = try? frames.next() else { break }
      if index >= frames.count { return "more frames than \(frames.count)" }
      if frame.image.size != frames.size { return "a frame of \(frame.image.size) among those of \(frames.size)" }
      if frame.duration < .milliseconds(20) { return "a frame of \(frame.duration)" }
      if let problem = unmultiplied(frame.image) { return problem }
    }
    try? frames.seek(to: frames.count / 2)
    _ = try? frames.next()
    return nil
  }

  /// As the bytes would come in from a network.
  private static func previews(_ decoder: any ImageDecoder, _ bytes: [UInt8]) -> String? {
    var shown = 0
    for end in stride(from: 0, through: bytes.count, by: max(1, bytes.count / 8)) {
      guard let length = decoder.previewLength(of: Array(bytes[..<end]), after: shown) else { continue }
      guard length > shown, length <= end else { return "a preview of \(length) bytes after \(shown), of \(end)" }
      shown = length
    }
    return nil
  }

  /// No colour is brighter than its alpha.
  private static func unmultiplied(_ image: DecodedImage) -> String? {
    image.withPixels { pixels in
      for start in stride(from: 0, to: pixels.count, by: 4) {
        let alpha = pixels[start + 3]
        if pixels[start] > alpha || pixels[start + 1] > alpha || pixels[start + 2] > alpha {
          return "a colour above its alpha in pixel \(start / 4)"
        }
      }
      return nil
    }
  }
}
