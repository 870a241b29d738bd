import CodecFloor
import Glibc
import ImageCodecs

/// How long our decoders take for a thumbnail, and how much memory, beside the C libraries called from C, on the same bytes in one run.
///
///   ImageNumbers <folder of Photographs> [beginning of a name]
///   ImageNumbers decode <file> <side>     one picture, and the memory that it took: what the table's last columns come from
@main enum ImageNumbers {
  static let side = 400

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count == 3, arguments[0] == "decode", let side = Int(arguments[2]) {
      return print(try Memory.growth(decoding: arguments[1], side: side))
    }
    guard let folder = arguments.first else { throw Usage() }
    print("| picture | ours | C floor | ratio | asked | met | memory | asked | met |")
    print("|---|---|---|---|---|---|---|---|---|")
    for picture in Picture.all where picture.name.hasPrefix(arguments.dropFirst().first ?? "") {
      print(try row(picture, at: folder + "/" + picture.name))
    }
  }

  struct Usage: Error, CustomStringConvertible {
    let description = "usage: ImageNumbers <folder> [name] | ImageNumbers decode <file> <side>"
  }

  private static func row(_ picture: Picture, at path: String) throws -> String {
    let bytes = try Files.bytes(path)
    var failure: (any Error)?
    let (ours, floor) = Times.medians {
      do { consume(try Ours.decode(bytes, side: side)) } catch { failure = error }
    } baseline: {
      consume(Floor.decode(bytes, side: side))
    }
    if let failure { throw failure }
    let ratio = ours / floor
    let held = try Memory.ofChild(decoding: path, side: side)
    let allowed = picture.allowedBytes(file: bytes.count)
    return "| "
      + [
        picture.name, Text.milliseconds(ours), Text.milliseconds(floor), Text.hundredths(ratio),
        "≤ " + Text.hundredths(picture.allowedRatio), ratio <= picture.allowedRatio ? "yes" : "NO",
        Text.mebibytes(held), "≤ " + Text.mebibytes(allowed), held <= allowed ? "yes" : "NO",
      ].joined(separator: " | ") + " |"
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
