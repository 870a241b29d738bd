#if !canImport(ImageIO) && WebP
  import CImageFixtures
  import Testing

  @testable import ImageCodecs

  /// WebP files by libwebp's encoder, and put together chunk by chunk.
  enum WebPFixture {
    struct Frame {
      var x = 0
      var y = 0
      var width: Int
      var height: Int
      /// A file with one picture.
      var file: [UInt8]
      var milliseconds = 50
      var disposes = false
      var blends = true
    }

    /// A file of pixels that `color` gives: red, green, blue and alpha from the upper bits on, not multiplied.
    static func encoded(
      _ width: Int, _ height: Int, quality: Float = -1, _ color: (Int, Int) -> UInt32
    ) throws -> [UInt8] {
      var pixels: [UInt8] = []
      pixels.reserveCapacity(4 * width * height)
      for y in 0..<height {
        for x in 0..<width {
          let value = color(x, y)
          for shift in [24, 16, 8, 0] as [UInt32] { pixels.append(UInt8(value >> shift & 255)) }
        }
      }
      return try taken(webp_fixture_encode(pixels, Int32(width), Int32(height), quality))
    }

    /// Something like a photograph: slopes, edges and noise, in strong colours.
    static func photograph(_ width: Int, _ height: Int, alpha: Bool = false) -> (Int, Int) -> UInt32 {
      return { x, y in
        let noise = (x &* 374_761_393 &+ y &* 668_265_263) >> 7 & 15
        let check = (x / 37 + y / 29) % 2 == 0 ? 40 : 0
        let stripe = (x * y / 977) % 3 == 0 ? 60 : 0
        let red = min(255, x * 200 / width + check + noise)
        let green = min(255, y * 200 / height + noise)
        let blue = min(255, (x + y) * 150 / (width + height) + stripe + noise)
        let opacity = alpha ? (x * 3 + y) % 256 : 255
        return UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(opacity)
      }
    }

    /// A file with an extended head: the chunks of a still one, and others before or behind.
    static func extended(
      _ file: [UInt8], _ width: Int, _ height: Int, alpha: Bool = false, profile: [UInt8]? = nil, exif: [UInt8]? = nil
    ) -> [UInt8] {
      var flags: UInt8 = alpha ? 0x10 : 0
      if profile != nil { flags |= 0x20 }
      if exif != nil { flags |= 8 }
      var chunks = chunk("VP8X", [flags, 0, 0, 0] + three(width - 1) + three(height - 1))
      if let profile { chunks += chunk("ICCP", profile) }
      chunks += picture(file)
      if let exif { chunks += chunk("EXIF", exif) }
      return riff(chunks)
    }

    static func animation(_ width: Int, _ height: Int, loops: Int = 0, _ frames: [Frame]) -> [UInt8] {
      var chunks = chunk("VP8X", [0x12, 0, 0, 0] + three(width - 1) + three(height - 1))
      chunks += chunk("ANIM", [255, 255, 255, 255, UInt8(loops & 255), UInt8(loops >> 8)])
      for frame in frames {
        let flags: UInt8 = (frame.disposes ? 1 : 0) | (frame.blends ? 0 : 2)
        chunks += chunk(
          "ANMF",
          three(frame.x / 2) + three(frame.y / 2) + three(frame.width - 1) + three(frame.height - 1)
            + three(frame.milliseconds) + [flags] + picture(frame.file))
      }
      return riff(chunks)
    }

    /// EXIF with nothing but an orientation.
    static func exif(_ orientation: UInt8) -> [UInt8] {
      Array("II*\u{0}".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
    }

    /// What libwebp makes of a still picture in one go.
    static func decoded(_ file: [UInt8]) throws -> DecodedImage {
      var (width, height): (Int32, Int32) = (0, 0)
      let pixels = try taken(webp_fixture_decode(file, file.count, &width, &height))
      return try DecodedImage(size: PixelSize(width: Int(width), height: Int(height)), rgba: pixels)
    }

    /// What libwebp's own compositor makes of an animation.
    static func frames(_ file: [UInt8]) throws -> [[UInt8]] {
      var (width, height, count): (Int32, Int32, Int32) = (0, 0, 0)
      let pixels = try taken(webp_fixture_frames(file, file.count, &width, &height, &count))
      let each = 4 * Int(width) * Int(height)
      return (0..<Int(count)).map { Array(pixels[($0 * each)..<(($0 + 1) * each)]) }
    }

    /// The chunks that hold the pixels of a file.
    private static func picture(_ file: [UInt8]) -> [UInt8] {
      guard file[12..<16].elementsEqual("VP8X".utf8) else { return Array(file[12...]) }
      return Array(file[30...])
    }

    static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + four(content.count) + content + (content.count % 2 == 0 ? [] : [0])
    }

    static func riff(_ chunks: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + four(chunks.count + 4) + Array("WEBP".utf8) + chunks
    }

    private static func three(_ value: Int) -> [UInt8] { (0..<3).map { UInt8(value >> (8 * $0) & 255) } }
    private static func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }

    private static func taken(_ memory: webp_fixture_bytes) throws -> [UInt8] {
      defer { webp_fixture_free(memory) }
      let start = try #require(memory.bytes, "libwebp gave nothing")
      return Array(UnsafeBufferPointer(start: start, count: memory.count))
    }
  }

  extension DecodedImage {
    /// How far each channel is from the area-weighted mean of a larger picture, in the mean of all pixels.
    func difference(fromMeanOf large: DecodedImage) -> [Double] {
      var difference = [0.0, 0, 0, 0]
      webp_fixture_difference(
        large.rgba, Int32(large.size.width), Int32(large.size.height), rgba, Int32(size.width), Int32(size.height),
        &difference)
      return difference
    }
  }
#endif
