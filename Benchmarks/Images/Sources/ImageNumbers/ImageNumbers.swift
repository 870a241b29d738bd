import CodecFloor
import Glibc
import ImageCodecs

/// How long our decoders take for a thumbnail, and how much memory, beside the C libraries called from C, on the same bytes in one run.
///
///   ImageNumbers <folder of Photographs> [--json] [beginning of a name]
///   ImageNumbers decode <file> <side>     one picture, and the memory that it took: what the table's last columns come from
@main enum ImageNumbers {
  static let side = 400

  static func main() throws {
    let isJSON = CommandLine.arguments.contains("--json")
    let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--json" }
    if arguments.count == 3, arguments[0] == "decode", let side = Int(arguments[2]) {
      return print(try Memory.growth(decoding: arguments[1], side: side))
    }
    guard let folder = arguments.first else { throw Usage() }
    let results = try Picture.all.filter { $0.name.hasPrefix(arguments.dropFirst().first ?? "") }
      .map { try Result(of: $0, at: folder + "/" + $0.name) }
    if isJSON { return print("[" + results.map(\.json).joined(separator: ",\n") + "]") }
    print("| picture | ours | C floor | ratio | asked | met | memory | asked | met |")
    print("|---|---|---|---|---|---|---|---|---|")
    for result in results { print(result.row) }
  }

  struct Usage: Error, CustomStringConvertible {
    let description = "usage: ImageNumbers <folder> [name] | ImageNumbers decode <file> <side>"
  }
}

/// What one picture came to.
struct Result {
  let picture: Picture
  let ours: Double
  let floor: Double
  let held: Int
  let allowed: Int

  init(of picture: Picture, at path: String) throws {
    let bytes = try Files.bytes(path)
    var failure: (any Error)?
    (ours, floor) = Times.medians {
      do { consume(try Ours.decode(bytes, side: ImageNumbers.side)) } catch { failure = error }
    } baseline: {
      consume(Floor.decode(bytes, side: ImageNumbers.side))
    }
    if let failure { throw failure }
    self.picture = picture
    held = try Memory.ofChild(decoding: path, side: ImageNumbers.side)
    allowed = picture.allowedBytes(file: bytes.count)
  }

  var row: String {
    "| "
      + [
        picture.name, Text.milliseconds(ours), Text.milliseconds(floor), Text.hundredths(ours / floor),
        "≤ " + Text.hundredths(picture.allowedRatio), ours / floor <= picture.allowedRatio ? "yes" : "NO",
        Text.mebibytes(held), "≤ " + Text.mebibytes(allowed), held <= allowed ? "yes" : "NO",
      ].joined(separator: " | ") + " |"
  }

  /// Two measurements of the table of all benchmarks.
  var json: String {
    let name = "\(picture.name) to \(ImageNumbers.side) px"
    let time =
      #"{"workload":"\#(name); baseline: the C library","unit":"nanoseconds","ours":\#(ours * 1e6),"#
      + #""baseline":\#(floor * 1e6),"asked":\#(picture.allowedRatio)}"#
    let memory =
      #"{"workload":"\#(name), memory","unit":"megabytes","ours":\#(Double(held) / 1_048_576),"#
      + #""asked":\#(Double(allowed) / 1_048_576)}"#
    return time + ",\n" + memory
  }
}

/// A picture of `Photographs`, and what it is allowed to cost.
struct Picture {
  let name: String
  let pixels: Int

  static let all =
    [("12mp", 4032 * 3024), ("24mp", 6048 * 4032), ("feed", 1920 * 1280)].flatMap { size, pixels in
      [".jpg", "-progressive.jpg", ".png", ".webp", "-lossless.webp"]
        .filter { size != "24mp" || $0 != "-lossless.webp" }
        .map { Picture(name: size + $0, pixels: pixels) }
    }

  /// Of a progressive JPEG the libraries decode every scan; we leave out what doesn't show at that size.
  var allowedRatio: Double { name == "24mp-progressive.jpg" ? 0.5 : 1.15 }

  func allowedBytes(file: Int) -> Int {
    // Their formats need the whole picture in memory: three bytes a pixel.
    let needsWhole = name.contains("progressive") || name.contains("lossless")
    return file + (needsWhole ? 3 * pixels : 12 << 20)
  }
}

enum Ours {
  static let decoder = ImageDecoderList(ImageDecoders.shipped)

  static func decode(_ bytes: [UInt8], side: Int) throws -> DecodedImage {
    try decoder.decode(bytes, DecodeOptions(target: .fit(PixelSize(width: side, height: side))))
  }
}

enum Floor {
  static func decode(_ bytes: [UInt8], side: Int) -> UInt8 {
    var width: Int32 = 0
    var height: Int32 = 0
    let pixels = bytes.withUnsafeBufferPointer {
      floor_decode($0.baseAddress, $0.count, Int32(side), 0, &width, &height)
    }
    defer { free(pixels) }
    return pixels?.pointee ?? 0
  }
}
