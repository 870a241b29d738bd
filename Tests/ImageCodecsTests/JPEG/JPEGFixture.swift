import CImageFixtures
import Testing

@testable import ImageCodecs

/// A JPEG that a test makes.
struct JPEGFixture: CustomTestStringConvertible {
  var process = jpeg_fixture_process.baseline
  var colors = jpeg_fixture_colors.ycc
  var quality = 90
  var sampling = (horizontal: 2, vertical: 2)
  var restartRows = 0
  var isArithmetic = false

  var testDescription: String {
    "process \(process.rawValue), colours \(colors.rawValue), \(sampling.horizontal)×\(sampling.vertical)"
      + (restartRows > 0 ? ", restarts" : "") + (isArithmetic ? ", arithmetic" : "")
  }

  /// The file for those pixels; empty where libjpeg refuses.
  func file(_ picture: JPEGPicture) -> [UInt8] {
    let options = jpeg_fixture(
      process: process, colors: colors, quality: Int32(quality), horizontal: Int32(sampling.horizontal),
      vertical: Int32(sampling.vertical), restart_rows: Int32(restartRows), is_arithmetic: isArithmetic ? 1 : 0)
    var length = 0
    guard
      let file = jpeg_fixture_write(
        picture.rgba, Int32(picture.size.width), Int32(picture.size.height), options, &length)
    else { return [] }
    defer { jpeg_fixture_free(file) }
    return Array(UnsafeBufferPointer(start: file, count: length))
  }

  func file(width: Int, height: Int) -> [UInt8] {
    file(.photograph(PixelSize(width: width, height: height)))
  }

  /// One of each kind that decoders meet.
  static let kinds: [JPEGFixture] = {
    var kinds: [JPEGFixture] = []
    for process: jpeg_fixture_process in [.baseline, .separate, .progressive, .spectral] {
      for colors: jpeg_fixture_colors in [.gray, .ycc, .rgb, .cmyk, .ycck] {
        kinds.append(JPEGFixture(process: process, colors: colors))
      }
      for sampling in [(1, 1), (2, 1), (1, 2), (4, 1)] {
        kinds.append(JPEGFixture(process: process, sampling: sampling))
      }
      kinds.append(JPEGFixture(process: process, restartRows: 1))
      kinds.append(JPEGFixture(process: process, isArithmetic: true))
    }
    return kinds
  }()
}

/// Pixels to compare with: four bytes each.
struct JPEGPicture {
  var size: PixelSize
  var rgba: [UInt8]

  subscript(x: Int, y: Int) -> [UInt8] {
    let start = 4 * (y * size.width + x)
    return Array(rgba[start..<(start + 3)])
  }

  /// Gradients, edges and a little noise.
  static func photograph(_ size: PixelSize, noise: UInt32 = 12) -> JPEGPicture {
    var rgba: [UInt8] = []
    rgba.reserveCapacity(4 * size.area)
    var seed: UInt32 = 12345
    for y in 0..<size.height {
      for x in 0..<size.width {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        let grain = Int((seed >> 16) % (2 * noise + 1)) - Int(noise)
        let edge = (x / 23 + y / 17) % 5 == 0 ? 60 : 0
        let colors = [200 * x / size.width + edge, 200 * y / size.height + 20, 180 - 120 * x / size.width + edge / 2]
        for color in colors { rgba.append(UInt8(clamping: color + grain)) }
        rgba.append(255)
      }
    }
    return JPEGPicture(size: size, rgba: rgba)
  }

  /// Red, green, blue and yellow: top left, top right, bottom left, bottom right.
  static func quarters(_ size: PixelSize) -> JPEGPicture {
    var rgba: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let colors: [[UInt8]] = [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 0, 255]]
        rgba += colors[(2 * x < size.width ? 0 : 1) + (2 * y < size.height ? 0 : 2)]
      }
    }
    return JPEGPicture(size: size, rgba: rgba)
  }

  init(size: PixelSize, rgba: [UInt8]) {
    self.size = size
    self.rgba = rgba
  }

  init(_ image: DecodedImage) {
    size = image.size
    rgba = image.withPixels { Array($0) }
  }

  /// What libjpeg makes of a whole file with its defaults; ink becomes colours by the plain formula. Nil where it refuses.
  init?(plainly file: [UInt8], scale: Int = 1) {
    var (width, height, components): (Int32, Int32, Int32) = (0, 0, 0)
    guard let pixels = jpeg_fixture_read(file, file.count, Int32(scale), &width, &height, &components) else {
      return nil
    }
    defer { jpeg_fixture_free(pixels) }
    size = PixelSize(width: Int(width), height: Int(height))
    let isInverted = file.indices.dropLast(5).contains {
      file[$0] == 0x41 && file[$0..<($0 + 5)].elementsEqual("Adobe".utf8)
    }
    rgba = []
    rgba.reserveCapacity(4 * size.area)
    for index in 0..<size.area {
      let pixel = pixels + index * Int(components)
      switch components {
      case 1: rgba += [pixel[0], pixel[0], pixel[0], 255]
      case 4:
        let light = (0..<4).map { Int(isInverted ? pixel[$0] : 255 - pixel[$0]) }
        rgba += (0..<3).map { UInt8((light[$0] * light[3] + 127) / 255) } + [255]
      default: rgba += [pixel[0], pixel[1], pixel[2], 255]
      }
    }
  }

  /// The area-weighted mean at another size, computed plainly, a pixel at a time.
  func scaled(to target: PixelSize) -> JPEGPicture {
    func parts(_ index: Int, _ source: Int, _ target: Int) -> [(Int, Double)] {
      let (lower, upper) = (Double(index * source) / Double(target), Double((index + 1) * source) / Double(target))
      return (Int(lower)..<min(source, Int(upper.rounded(.up)))).map {
        ($0, min(upper, Double($0 + 1)) - max(lower, Double($0)))
      }
    }
    let columns = (0..<target.width).map { parts($0, size.width, target.width) }
    var result: [UInt8] = []
    for y in 0..<target.height {
      let rows = parts(y, size.height, target.height)
      for column in columns {
        var sums = [0.0, 0, 0, 0]
        var area = 0.0
        for (row, rowWeight) in rows {
          for (x, weight) in column {
            for channel in 0..<4 {
              sums[channel] += Double(rgba[4 * (row * size.width + x) + channel]) * weight * rowWeight
            }
            area += weight * rowWeight
          }
        }
        result += sums.map { UInt8(clamping: Int(($0 / area).rounded())) }
      }
    }
    return JPEGPicture(size: target, rgba: result)
  }

  /// Turned as the orientation says, a pixel at a time.
  func upright(_ orientation: Int) -> JPEGPicture {
    guard (2...8).contains(orientation) else { return self }
    let target = orientation >= 5 ? PixelSize(width: size.height, height: size.width) : size
    var result = JPEGPicture(size: target, rgba: Array(repeating: 0, count: rgba.count))
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (right, down) = (size.width - 1 - x, size.height - 1 - y)
        let places = [(x, y), (right, y), (right, down), (x, down), (y, x), (down, x), (down, right), (y, right)]
        let (column, row) = places[orientation - 1]
        let (from, to) = (4 * (y * size.width + x), 4 * (row * target.width + column))
        for channel in 0..<4 { result.rgba[to + channel] = rgba[from + channel] }
      }
    }
    return result
  }

  /// The mean difference of a channel, alpha left out; 255 where the sizes differ.
  func difference(from other: JPEGPicture) -> Double {
    guard size == other.size else { return 255 }
    var sum = 0
    for index in rgba.indices where index % 4 != 3 { sum += abs(Int(rgba[index]) - Int(other.rgba[index])) }
    return Double(sum) / Double(3 * size.area)
  }
}

/// Changes to the bytes of a file.
enum JPEGBytes {
  /// A segment with its marker and length.
  static func segment(_ code: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 2
    return [0xFF, code, UInt8(length >> 8), UInt8(length & 255)] + payload
  }

  /// The file with bytes put in after its first two.
  static func inserting(_ bytes: [UInt8], into file: [UInt8]) -> [UInt8] {
    Array(file.prefix(2)) + bytes + Array(file.dropFirst(2))
  }

  /// An EXIF segment that says nothing but an orientation, in the first directory or the second.
  static func exif(_ orientation: UInt16, inSecondDirectory: Bool = false) -> [UInt8] {
    let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, UInt8(orientation >> 8), UInt8(orientation & 255), 0, 0]
    let directories: [UInt8] = inSecondDirectory ? [0, 0, 0, 0, 0, 14, 0, 1] : [0, 1]
    let tiff = Array("MM\u{0}*".utf8) + [0, 0, 0, 8] + directories + entry + [0, 0, 0, 0]
    return segment(0xE1, Array("Exif\u{0}\u{0}".utf8) + tiff)
  }

  /// The size in the header of the frame replaced.
  static func resized(_ file: [UInt8], width: Int, height: Int) -> [UInt8] {
    var file = file
    guard let start = startOfFrame(file) else { return file }
    file.replaceSubrange(
      (start + 5)..<(start + 9), with: [height >> 8, height & 255, width >> 8, width & 255].map(UInt8.init))
    return file
  }

  /// Where the marker of the frame's header is.
  static func startOfFrame(_ file: [UInt8]) -> Int? {
    file.withUnsafeBytes { bytes in
      var markers = JPEGMarkers(bytes)
      while let segment = markers.next() {
        if JPEGFrame(segment, in: bytes) != nil { return segment.start }
      }
      return nil
    }
  }

  /// The bytes of each scan, its header included.
  static func scans(_ file: [UInt8]) throws -> [Range<Int>] {
    try file.withUnsafeBytes { try JPEGScans($0, ImageLimits()).scans.map(\.bytes) }
  }
}
