/// Colours multiplied by alpha, and back.
enum Alpha {
  /// Whether all pixels of a row are opaque.
  static func isOpaque(_ pixels: UnsafePointer<UInt8>, count: Int) -> Bool {
    let words = UnsafeRawPointer(pixels)
    var all = UInt32.max
    // No early end: without one the loop takes many pixels at a time.
    for index in 0..<count {
      all &= words.loadUnaligned(fromByteOffset: 4 &* index, as: UInt32.self)
    }
    return UInt32(littleEndian: all) >> 24 == 255
  }

  /// Writes the colours multiplied by alpha, rounded.
  static func multiply(_ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count {
      let pixel = source + 4 &* index
      let result = target + 4 &* index
      let alpha = UInt32(pixel[3])
      result[0] = product(pixel[0], alpha)
      result[1] = product(pixel[1], alpha)
      result[2] = product(pixel[2], alpha)
      result[3] = pixel[3]
    }
  }

  /// Divides the colours by alpha in place, rounded; transparent pixels become black.
  static func divide(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    for index in 0..<count {
      let pixel = pixels + 4 &* index
      let alpha = UInt32(pixel[3])
      guard alpha != 255 else { continue }
      for channel in 0..<3 {
        pixel[channel] = alpha == 0 ? 0 : UInt8(min(255, (UInt32(pixel[channel]) * 255 + alpha / 2) / alpha))
      }
    }
  }

  /// `color * alpha / 255`, rounded, without a division.
  static func product(_ color: UInt8, _ alpha: UInt32) -> UInt8 {
    let scaled = UInt32(color) &* alpha &+ 128
    return UInt8(truncatingIfNeeded: (scaled &+ scaled >> 8) >> 8)
  }
}
