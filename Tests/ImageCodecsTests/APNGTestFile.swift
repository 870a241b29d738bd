#if !canImport(ImageIO)
  @testable import ImageCodecs

  /// Files of animations, written chunk by chunk.
  struct APNGTestFile {
    struct Frame {
      var picture: PNGTestPicture
      var x = 0
      var y = 0
      var delay = (5, 100)
      /// 0 none, 1 background, 2 previous.
      var dispose = 0
      /// 0 source, 1 over.
      var blend = 0
      /// Into how many chunks the data are divided.
      var parts = 1
    }

    var canvas: PNGTestPicture
    /// Whether the picture is the first frame, with this control.
    var first: Frame?
    var frames: [Frame]
    var plays = 0
    var before: [(type: String, content: [UInt8])] = []

    /// The chunks of the file.
    func chunks() throws -> [(type: String, content: [UInt8])] {
      let picture = PNGTestFile.chunks(try canvas.file())
      let head = picture.prefix { $0.type != "IDAT" }
      var sequence = 0
      let count = frames.count + (first == nil ? 0 : 1)
      var chunks = head + before
      chunks.append(("acTL", PNGTestFile.number(count) + PNGTestFile.number(plays)))
      if let first { chunks.append(Self.control(first, &sequence)) }
      chunks += picture.filter { $0.type == "IDAT" }
      for frame in frames {
        chunks.append(Self.control(frame, &sequence))
        let data = PNGTestFile.chunks(try frame.picture.file()).filter { $0.type == "IDAT" }.flatMap(\.content)
        let length = (data.count + frame.parts - 1) / frame.parts
        for start in stride(from: 0, to: data.count, by: length) {
          chunks.append(("fdAT", PNGTestFile.number(sequence) + data[start..<min(data.count, start + length)]))
          sequence += 1
        }
      }
      return chunks + [("IEND", [])]
    }

    func file() throws -> [UInt8] { PNGTestFile.file(try chunks()) }

    private static func control(_ frame: Frame, _ sequence: inout Int) -> (type: String, content: [UInt8]) {
      defer { sequence += 1 }
      let numbers = [sequence, frame.picture.size.width, frame.picture.size.height, frame.x, frame.y]
      return (
        "fcTL",
        numbers.flatMap { PNGTestFile.number($0) } + PNGTestFile.number(frame.delay.0, bytes: 2)
          + PNGTestFile.number(frame.delay.1, bytes: 2) + [UInt8(frame.dispose), UInt8(frame.blend)]
      )
    }

    /// A file of any frames of one type.
    static func random(
      _ color: PNGTestPicture.Color, _ depth: Int, isInterlaced: Bool = false, count: Int = 12, seed: UInt64
    ) -> APNGTestFile {
      var random = CanvasRandom(state: seed)
      let size = PixelSize(width: 21, height: 13)
      var canvas = PNGTestPicture.random(size, color, depth, seed: seed)
      if color == .palette { canvas = canvas.withTransparency }
      canvas.isInterlaced = isInterlaced
      let frames = (1..<count).map { number in
        let whole = number % 5 == 0
        let width = whole ? size.width : Int.random(in: 1...size.width, using: &random)
        let height = whole ? size.height : Int.random(in: 1...size.height, using: &random)
        var picture = PNGTestPicture.random(
          PixelSize(width: width, height: height), color, depth, seed: seed &+ UInt64(number))
        (picture.palette, picture.transparency, picture.isInterlaced) = (
          canvas.palette, canvas.transparency, isInterlaced
        )
        return Frame(
          picture: picture, x: .random(in: 0...(size.width - width), using: &random),
          y: .random(in: 0...(size.height - height), using: &random), dispose: .random(in: 0...2, using: &random),
          blend: .random(in: 0...1, using: &random), parts: .random(in: 1...3, using: &random))
      }
      return APNGTestFile(canvas: canvas, first: Frame(picture: canvas, dispose: 2), frames: frames)
    }
  }

  /// Frames composed in the plainest way from the chunks of a valid file, each decoded by libpng as a file of its own.
  enum PlainAPNG {
    static func frames(_ file: [UInt8]) -> [[UInt8]] {
      let chunks = PNGTestFile.chunks(file)
      func number(_ bytes: [UInt8], _ offset: Int, _ count: Int = 4) -> Int {
        bytes[offset..<(offset + count)].reduce(0) { $0 << 8 | Int($1) }
      }
      let head = chunks[0].content
      let shared = chunks.prefix { $0.type != "IDAT" }.filter { $0.type == "PLTE" || $0.type == "tRNS" }
      var canvas = PlainCanvas(size: PixelSize(width: number(head, 0), height: number(head, 4)))
      var shown: [[UInt8]] = []
      var control: [UInt8]?
      var data: [UInt8] = []
      for chunk in chunks {
        if chunk.type == "fcTL" || chunk.type == "IEND" {
          if let control {
            let size = PixelSize(width: number(control, 4), height: number(control, 8))
            let own = PNGTestFile.file(
              [("IHDR", Array(control[4..<12]) + head[8...])] + shared + [("IDAT", data), ("IEND", [])])
            guard let pixels = PNGPixels(straight: own) else { return [] }
            let patch = FramePatch(
              x: number(control, 12), y: number(control, 16), size: size,
              disposal: [.keep, .background, .previous][Int(control[24])], blend: [.source, .over][Int(control[25])])
            canvas.draw(patch, pixels.bytes)
            shown.append(canvas.shown)
          }
          control = chunk.content.isEmpty ? nil : chunk.content
          data = []
        }
        if chunk.type == "IDAT" { data += chunk.content }
        if chunk.type == "fdAT" { data += chunk.content[4...] }
      }
      return shown
    }
  }
#endif
