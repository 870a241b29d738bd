#if !canImport(ImageIO)
  extension APNG {
    /// Walks over the chunks of a file.
    ///
    /// Time is linear in the number of chunks, and memory in that of frames, each of which takes at least as many bytes
    /// of the file.
    ///
    /// - Parameters:
    ///   - canvas: The size of the picture in the file.
    ///   - allowsPartial: Whether a file that is cut has the frames before the cut.
    /// - Returns: Nil for a still picture, an animation that breaks its rules, and one of which the picture is the only
    ///   frame.
    /// - Throws: ``ImageCodecError/Code/truncated`` where the file ends before all frames are there.
    static func read(
      _ bytes: UnsafeRawBufferPointer, canvas: PixelSize, allowsPartial: Bool
    ) throws(ImageCodecError) -> APNG? {
      var parser = APNGParser(canvas: canvas)
      let chunks = PNGChunks(bytes)
      var offset = PNGChunks.start
      while let chunk = chunks.chunk(at: offset) {
        guard parser.take(chunk, of: chunks) else { return nil }
        offset = chunk.end
        if chunk.type == .IEND { break }
      }
      return try parser.result(allowsPartial: allowsPartial)
    }
  }

  /// What was seen of an animation so far.
  private struct APNGParser {
    private let canvas: PixelSize
    private var frameCount: Int?
    private var loopCount = 0
    private var sequence = 0
    private var frames: [APNG.Frame] = []
    private var shared: [Range<Int>] = []
    private var hasPicture = false
    private var hasEnd = false
    /// Whether data of the last frame has come.
    private var hasData = false

    init(canvas: PixelSize) {
      self.canvas = canvas
    }

    /// - Returns: Whether the file may still be an animation.
    mutating func take(_ chunk: PNGChunks.Chunk, of chunks: PNGChunks) -> Bool {
      switch chunk.type {
      case .acTL:
        guard !hasPicture, frameCount == nil, chunks.isIntact(chunk), chunk.content.count == 8,
          let count = chunks.number(0, bytes: 4, in: chunk), let loops = chunks.number(4, bytes: 4, in: chunk),
          (1...Int(Int32.max)).contains(count)
        else { return false }
        frameCount = count
        loopCount = loops
      case .PLTE, .tRNS:
        if !hasPicture, chunks.isIntact(chunk) {
          shared.append((chunk.content.lowerBound - 8)..<chunk.end)
        }
      case .fcTL:
        return takeControl(chunk, of: chunks)
      case .IDAT:
        // Without the number of frames before its pixels, a file is a still picture.
        guard frameCount != nil, frames.count <= 1, frames.first?.data == nil else { return false }
        hasPicture = true
        hasData = !frames.isEmpty
      case .fdAT:
        return takeData(chunk, of: chunks)
      case .IEND:
        hasEnd = true
      default: break
      }
      return true
    }

    private mutating func takeControl(_ chunk: PNGChunks.Chunk, of chunks: PNGChunks) -> Bool {
      func number(_ offset: Int, _ count: Int) -> Int { chunks.number(offset, bytes: count, in: chunk) ?? -1 }
      guard let frameCount, frames.count < frameCount, frames.isEmpty || hasData, chunk.content.count == 26,
        chunks.isIntact(chunk), number(0, 4) == sequence
      else { return false }
      sequence += 1
      let size = PixelSize(width: number(4, 4), height: number(8, 4))
      let (x, y) = (number(12, 4), number(16, 4))
      guard size.width > 0, size.height > 0, x + size.width <= canvas.width, y + size.height <= canvas.height else {
        return false
      }
      // A frame before the picture is the picture.
      if !hasPicture { guard size == canvas else { return false } }
      let disposals: [FramePatch.Disposal] = [.keep, .background, .previous]
      let blends: [FramePatch.Blend] = [.source, .over]
      guard let disposal = disposals.element(at: number(24, 1)), let blend = blends.element(at: number(25, 1)) else {
        return false
      }
      frames.append(
        APNG.Frame(
          patch: FramePatch(x: x, y: y, size: size, disposal: disposal, blend: blend),
          duration: Self.duration(number(20, 2), number(22, 2)), data: nil))
      hasData = false
      return true
    }

    private mutating func takeData(_ chunk: PNGChunks.Chunk, of chunks: PNGChunks) -> Bool {
      guard hasPicture, let last = frames.indices.last, chunks.number(0, bytes: 4, in: chunk) == sequence else {
        return false
      }
      let start = chunk.content.lowerBound - 8
      if let data = frames[last].data {
        frames[last].data = data.lowerBound..<chunk.end
      } else if hasData {
        // The picture has its data already.
        return false
      } else {
        frames[last].data = start..<chunk.end
      }
      sequence += 1
      hasData = true
      return true
    }

    func result(allowsPartial: Bool) throws(ImageCodecError) -> APNG? {
      guard let frameCount else { return nil }
      var frames = frames
      if hasEnd {
        guard frames.count == frameCount, hasData else { return nil }
      } else if frames.count < frameCount || !hasData {
        guard allowsPartial else {
          throw ImageCodecError(
            .truncated, message: "the APNG file ends before all of its \(frameCount) frames; get the whole file")
        }
        // The cut is in the last one.
        if !hasData { _ = frames.popLast() }
      }
      guard let first = frames.first, frameCount > 1 || first.data != nil else { return nil }
      return APNG(loopCount: loopCount, frames: frames, shared: shared)
    }

    /// A fraction of a second; a denominator of 0 stands for 100.
    private static func duration(_ numerator: Int, _ denominator: Int) -> Duration {
      .seconds(max(0, numerator)) / (denominator > 0 ? denominator : 100)
    }
  }

  extension Array {
    fileprivate func element(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
  }
#endif
