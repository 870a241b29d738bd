#if !canImport(ImageIO) && GIF
  /// Reads a whole GIF in the plainest way, with its own decompressor, to compare with.
  struct GIFPlainReader {
    private let data: [UInt8]
    private var offset = 13
    private(set) var fixture: GIFFixture

    init(_ data: [UInt8]) {
      self.data = data
      fixture = GIFFixture(
        width: Int(data[6]) | Int(data[7]) << 8, height: Int(data[8]) | Int(data[9]) << 8, palette: [], frames: [])
      fixture.palette = palette(data[10])
      read()
    }

    private mutating func palette(_ flags: UInt8) -> [UInt32] {
      guard flags & 0x80 != 0 else { return [] }
      return (0..<(2 << Int(flags & 7))).map { _ in
        defer { offset += 3 }
        return UInt32(data[offset]) << 16 | UInt32(data[offset + 1]) << 8 | UInt32(data[offset + 2])
      }
    }

    private func word(_ offset: Int) -> Int { Int(data[offset]) | Int(data[offset + 1]) << 8 }

    private mutating func pieces() -> [UInt8] {
      var bytes: [UInt8] = []
      while data[offset] != 0 {
        bytes += data[(offset + 1)...(offset + Int(data[offset]))]
        offset += 1 + Int(data[offset])
      }
      offset += 1
      return bytes
    }

    private mutating func read() {
      var control: [UInt8] = [0, 0, 0, 0]
      while offset < data.count, data[offset] != 0x3B {
        if data[offset] == 0x21 {
          let label = data[offset + 1]
          offset += 2
          let bytes = pieces()
          if label == 0xF9 { control = bytes }
          continue
        }
        var frame = GIFFixture.Frame(
          x: word(offset + 1), y: word(offset + 3), width: word(offset + 5), height: word(offset + 7), indices: [])
        let flags = data[offset + 9]
        offset += 10
        let colors = palette(flags)
        frame.palette = colors.isEmpty ? nil : colors
        let codeSize = Int(data[offset])
        offset += 1
        let stored = Self.decompress(pieces(), codeSize, count: frame.width * frame.height)
        frame.indices = stored
        if flags & 0x40 != 0 {
          let order = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: frame.height, by: $0.1)) }
          for (from, to) in order.enumerated() {
            for x in 0..<frame.width { frame.indices[to * frame.width + x] = stored[from * frame.width + x] }
          }
        }
        frame.delay = Int(control[1]) | Int(control[2]) << 8
        frame.disposal = Int(control[0] >> 2 & 7)
        frame.transparent = control[0] & 1 != 0 ? control[3] : nil
        fixture.frames.append(frame)
        control = [0, 0, 0, 0]
        if fixture.frames.count == 1 {
          fixture.width = max(fixture.width, frame.x + frame.width)
          fixture.height = max(fixture.height, frame.y + frame.height)
        }
      }
    }

    private static func decompress(_ bytes: [UInt8], _ codeSize: Int, count: Int) -> [UInt8] {
      var table: [[UInt8]] = []
      let clear = 1 << codeSize
      var width = codeSize + 1
      var last: [UInt8] = []
      var output: [UInt8] = []
      func reset() {
        table = (0..<(clear + 2)).map { $0 < clear ? [UInt8($0)] : [] }
        width = codeSize + 1
        last = []
      }
      reset()
      var bit = 0
      while bit + width <= 8 * bytes.count, output.count < count {
        var code = 0
        for place in 0..<width { code |= Int(bytes[(bit + place) / 8] >> ((bit + place) % 8) & 1) << place }
        bit += width
        if code == clear {
          reset()
          continue
        }
        if code == clear + 1 { break }
        let entry = code < table.count ? table[code] : last + [last[0]]
        if !last.isEmpty, table.count < 4096 { table.append(last + [entry[0]]) }
        if table.count == 1 << width, width < 12 { width += 1 }
        output += entry
        last = entry
      }
      return Array(output.prefix(count))
    }
  }
#endif
