#if !canImport(ImageIO)
  import CImageFixtures
  import Testing

  @testable import ImageCodecs

  /// A picture of which each sample is known, and files of it.
  struct PNGTestPicture: CustomTestStringConvertible {
    /// As in the head of a file.
    enum Color: Int32 { case gray = 0, rgb = 2, palette = 3, grayAlpha = 4, rgba = 6 }

    let size: PixelSize
    let color: Color
    let depth: Int
    var isInterlaced = false
    /// Three bytes a colour.
    var palette: [UInt8] = []
    /// The content of `tRNS`.
    var transparency: [UInt8] = []
    /// For each pixel, row by row, its samples as they are stored.
    var samples: [[Int]]
    /// Bytes of data in a chunk; 0: as libpng likes.
    var chunkSize: UInt32 = 0

    var testDescription: String {
      "\(color) \(depth)\(isInterlaced ? " interlaced" : "")\(transparency.isEmpty ? "" : " tRNS") \(size)"
    }

    var channels: Int { [Color.gray: 1, .rgb: 3, .palette: 1, .grayAlpha: 2, .rgba: 4][color] ?? 0 }

    init(_ size: PixelSize, _ color: Color, _ depth: Int, sample: (Int, Int, Int) -> Int) {
      self.size = size
      self.color = color
      self.depth = depth
      samples = []
      for row in 0..<size.height {
        for column in 0..<size.width { samples.append((0..<channels).map { sample(column, row, $0) }) }
      }
    }

    /// A picture of any samples; those of a palette are colours that it has.
    static func random(_ size: PixelSize, _ color: Color, _ depth: Int, seed: UInt64 = 7) -> PNGTestPicture {
      var random = CanvasRandom(state: seed)
      let colors = color == .palette ? min(1 << depth, 200) : 0
      var picture = PNGTestPicture(size, color, depth) { _, _, _ in
        .random(in: 0..<(color == .palette ? colors : 1 << depth), using: &random)
      }
      picture.palette = (0..<(3 * colors)).map { _ in .random(in: 0...255, using: &random) }
      return picture
    }

    /// What the first pixel's colour needs to be transparent, or the first half of a palette to be more or less so.
    var withTransparency: PNGTestPicture {
      var picture = self
      if color == .palette {
        picture.transparency = (0..<max(1, palette.count / 6)).map { UInt8($0 * 37 & 255) }
      } else {
        picture.transparency = samples[0].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      }
      return picture
    }

    var interlaced: PNGTestPicture {
      var picture = self
      picture.isInterlaced = true
      return picture
    }

    /// The pixel of that index as RGBA of eight bits, alpha not multiplied in.
    func pixel(_ index: Int) -> [UInt8] {
      let samples = samples[index]
      let largest = Double(1 << depth - 1)
      let bytes = samples.map { UInt8((Double($0) * 255 / largest).rounded()) }
      let key = stride(from: 0, to: transparency.count - 1, by: 2).map {
        Int(transparency[$0]) << 8 | Int(transparency[$0 + 1])
      }
      switch color {
      case .gray: return [bytes[0], bytes[0], bytes[0], key == samples ? 0 : 255]
      case .rgb: return bytes + [key == samples ? 0 : 255]
      case .grayAlpha: return [bytes[0], bytes[0], bytes[0], bytes[1]]
      case .rgba: return bytes
      case .palette:
        let index = samples[0]
        return palette[(3 * index)..<(3 * index + 3)] + [index < transparency.count ? transparency[index] : 255]
      }
    }

    /// All pixels, colours multiplied by alpha.
    var premultiplied: [UInt8] { PNGPixels.premultiplied(samples.indices.flatMap(pixel)) }

    /// A file of it, with chunks before the palette and after the pixels.
    func file(before: [UInt8] = [], after: [UInt8] = []) throws -> [UInt8] {
      var rows: [UInt8] = []
      for row in 0..<size.height {
        var bits = 0, count = 0
        for sample in samples[(row * size.width)..<((row + 1) * size.width)].joined() {
          bits = bits << depth | sample
          count += depth
          while count >= 8 {
            count -= 8
            rows.append(UInt8(truncatingIfNeeded: bits >> count))
          }
          bits &= 1 << count - 1
        }
        if count > 0 { rows.append(UInt8(truncatingIfNeeded: bits << (8 - count))) }
      }
      let fixture = png_fixture(
        width: UInt32(size.width), height: UInt32(size.height), color_type: color.rawValue, bit_depth: Int32(depth),
        is_interlaced: isInterlaced ? 1 : 0, chunk_size: chunkSize)
      return try PNGTestFile.write(fixture, rows, palette, transparency, before, after)
    }
  }

  /// Files made of chunks.
  enum PNGTestFile {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A chunk without its checksum, which the writer of the file adds.
    static func chunk(_ type: String, _ content: [UInt8] = []) -> [UInt8] {
      number(content.count) + Array(type.utf8) + content
    }

    /// A chunk with its checksum.
    static func whole(_ type: String, _ content: [UInt8]) -> [UInt8] {
      let summed = Array(type.utf8) + content
      return number(content.count) + summed + number(Int(png_fixture_checksum(summed, summed.count)))
    }

    /// The chunks of a file: their types and contents.
    static func chunks(_ file: [UInt8]) -> [(type: String, content: [UInt8])] {
      var chunks: [(type: String, content: [UInt8])] = []
      var offset = 8
      while offset + 12 <= file.count {
        let length = file[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) }
        guard offset + 12 + length <= file.count else { break }
        let type = String(decoding: file[(offset + 4)..<(offset + 8)], as: UTF8.self)
        chunks.append((type, Array(file[(offset + 8)..<(offset + 8 + length)])))
        offset += 12 + length
      }
      return chunks
    }

    /// A file of those chunks.
    static func file(_ chunks: [(type: String, content: [UInt8])]) -> [UInt8] {
      signature + chunks.flatMap { whole($0.type, $0.content) }
    }

    /// Four bytes, the most significant first.
    static func number(_ number: Int, bytes: Int = 4) -> [UInt8] {
      (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func write(
      _ fixture: png_fixture, _ rows: [UInt8], _ palette: [UInt8] = [], _ transparency: [UInt8] = [],
      _ before: [UInt8] = [], _ after: [UInt8] = []
    ) throws -> [UInt8] {
      func bytes<Value>(_ array: [UInt8], _ body: (png_fixture_bytes) throws -> Value) rethrows -> Value {
        try array.withUnsafeBufferPointer { try body(png_fixture_bytes(start: $0.baseAddress, count: $0.count)) }
      }
      return try bytes(palette) { palette in
        try bytes(transparency) { transparency in
          try bytes(before) { before in
            try bytes(after) { after in
              var length = 0
              let memory = png_fixture_write(fixture, rows, palette, transparency, before, after, &length)
              defer { png_fixture_free(memory) }
              return Array(UnsafeBufferPointer(start: try #require(memory), count: length))
            }
          }
        }
      }
    }
  }

  /// Pictures to compare with.
  struct PNGPixels {
    let size: PixelSize
    /// Colours multiplied by alpha, where nothing else is said.
    let bytes: [UInt8]

    /// What libpng makes of a whole file; nil where it refuses.
    init?(libpng file: [UInt8]) {
      guard let pixels = PNGPixels(straight: file) else { return nil }
      self.init(pixels.size, Self.premultiplied(pixels.bytes))
    }

    /// The same, alpha not multiplied in.
    init?(straight file: [UInt8]) {
      var width: UInt32 = 0, height: UInt32 = 0
      guard let memory = png_fixture_read(file, file.count, &width, &height) else { return nil }
      defer { png_fixture_free(memory) }
      size = PixelSize(width: Int(width), height: Int(height))
      bytes = Array(UnsafeBufferPointer(start: memory, count: 4 * size.area))
    }

    init(_ size: PixelSize, _ bytes: [UInt8]) {
      self.size = size
      self.bytes = bytes
    }

    init(_ image: DecodedImage) {
      self.init(image.size, image.withPixels { Array($0) })
    }

    static func premultiplied(_ bytes: [UInt8]) -> [UInt8] {
      var result = bytes
      for start in stride(from: 0, to: bytes.count, by: 4) where bytes[start + 3] != 255 {
        let alpha = Double(bytes[start + 3])
        for index in start..<(start + 3) { result[index] = UInt8((Double(bytes[index]) * alpha / 255).rounded()) }
      }
      return result
    }

    /// The same turned upright.
    func upright(_ orientation: Orientation) -> PNGPixels {
      let turned = orientation.upright(size)
      var result: [UInt8] = []
      for y in 0..<turned.height {
        for x in 0..<turned.width {
          // Back from the upright picture to the file, step by step as EXIF describes the eight values.
          let (right, down) = (turned.width - 1 - x, turned.height - 1 - y)
          let places = [
            (x, y), (right, y), (right, down), (x, down), (y, x), (y, right), (down, right), (down, x),
          ]
          let (column, row) = places[Int(orientation.rawValue) - 1]
          let start = 4 * (row * size.width + column)
          result += bytes[start..<(start + 4)]
        }
      }
      return PNGPixels(turned, result)
    }

    /// The mean over the area of each pixel; the same where the size is the same.
    func mean(_ target: PixelSize) -> PNGPixels {
      if target == size { return self }
      func shares(_ source: Int, _ target: Int) -> [[(Int, Double)]] {
        (0..<target).map { index in
          let (start, end) = (Double(index * source) / Double(target), Double((index + 1) * source) / Double(target))
          return (Int(start)..<min(source, Int(end.rounded(.up)))).map { pixel in
            (pixel, (min(end, Double(pixel + 1)) - max(start, Double(pixel))) / (end - start))
          }
        }
      }
      var result: [UInt8] = []
      let columns = shares(size.width, target.width)
      bytes.withUnsafeBufferPointer { bytes in
        for rows in shares(size.height, target.height) {
          for columns in columns {
            for channel in 0..<4 {
              var sum = 0.0
              for (row, height) in rows {
                let start = 4 * row * size.width + channel
                for (column, width) in columns { sum += Double(bytes[start + 4 * column]) * width * height }
              }
              result.append(UInt8(sum.rounded()))
            }
          }
        }
      }
      return PNGPixels(target, result)
    }

    /// The mean and the largest difference of a channel; infinite where the sizes differ.
    func difference(_ other: PNGPixels) -> (mean: Double, largest: Double) {
      guard size == other.size else { return (.infinity, .infinity) }
      let differences = zip(bytes, other.bytes).map { abs(Double($0) - Double($1)) }
      return (differences.reduce(0, +) / Double(max(1, differences.count)), differences.max() ?? 0)
    }
  }
#endif
