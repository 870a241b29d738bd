/// The type of a file, told by its first bytes.
public struct ImageFormat: Hashable, Sendable, CustomStringConvertible {
  /// The format's usual name, such as `JPEG`; stable across releases.
  public let description: String

  private init(_ description: String) { self.description = description }

  /// Baseline and progressive JPEG.
  public static let jpeg = ImageFormat("JPEG")
  /// PNG, animated PNG too.
  public static let png = ImageFormat("PNG")
  /// WebP, lossy, lossless or animated.
  public static let webp = ImageFormat("WebP")
  /// GIF, animated GIF too.
  public static let gif = ImageFormat("GIF")
  /// HEIC, and other HEIF that holds HEVC.
  public static let heic = ImageFormat("HEIC")
  /// AVIF, animated AVIF too.
  public static let avif = ImageFormat("AVIF")

  /// How many bytes of a file are enough to tell its type.
  public static let headerLength = 64

  /// The format of a file that begins like that, or nil where it is none of these.
  public init?(sniffing header: [UInt8]) {
    func has(_ text: StaticString, at offset: Int) -> Bool {
      let bytes = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
      return header.count >= offset + bytes.count && header[offset..<(offset + bytes.count)].elementsEqual(bytes)
    }
    if header.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if header.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if has("GIF87a", at: 0) || has("GIF89a", at: 0) {
      self = .gif
    } else if has("RIFF", at: 0), has("WEBP", at: 8) {
      self = .webp
    } else if has("ftyp", at: 4), let format = Self.format(brandsOf: header) {
      self = format
    } else {
      return nil
    }
  }

  /// The first brand of an ISO base media file that says what is in it (ISO/IEC 23008-12, 10.2; AVIF, 6.3).
  private static func format(brandsOf header: [UInt8]) -> ImageFormat? {
    let length = header[0..<4].reduce(0) { $0 << 8 | Int($1) }
    // The major brand, and the compatible ones after the version.
    let offsets = [8] + stride(from: 16, to: min(length, header.count) - 3, by: 4)
    for offset in offsets where offset + 4 <= header.count {
      switch String(decoding: header[offset..<(offset + 4)], as: UTF8.self) {
      case "avif", "avis": return .avif
      case "heic", "heix", "hevc", "hevx", "heim", "heis": return .heic
      default: continue
      }
    }
    return nil
  }
}
