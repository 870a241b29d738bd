#if !canImport(ImageIO)
  import CImageCodecs

  /// Walks the markers of a JPEG as libjpeg does: bytes that belong to no segment are passed over.
  struct JPEGMarkers {
    /// A marker and what belongs to it.
    struct Segment {
      let code: UInt8
      /// Where the marker's two bytes begin.
      let start: Int
      /// What follows the length; empty for a marker without one.
      let payload: Range<Int>
    }

    static let startOfImage: UInt8 = 0xD8
    static let endOfImage: UInt8 = 0xD9
    static let startOfScan: UInt8 = 0xDA

    let data: UnsafeRawBufferPointer
    /// Where the next marker is looked for.
    private(set) var offset: Int

    /// A walk over the bytes from `offset` on, which may be any number.
    init(_ data: UnsafeRawBufferPointer, from offset: Int = 0) {
      self.data = data
      self.offset = min(max(0, offset), data.count)
    }

    /// The next segment; nil where the bytes end before it does, and then ``offset`` stays before it.
    mutating func next() -> Segment? {
      var index = offset
      while index < data.count {
        guard data[index] == 0xFF else {
          index += 1
          continue
        }
        let start = index
        while index < data.count, data[index] == 0xFF { index += 1 }
        guard index < data.count else {
          offset = start
          return nil
        }
        let code = data[index]
        index += 1
        // No marker, but a byte of compressed data.
        if code == 0 { continue }
        guard let payload = payload(of: code, at: index) else {
          offset = start
          return nil
        }
        offset = payload.upperBound
        return Segment(code: code, start: start, payload: payload)
      }
      offset = data.count
      return nil
    }

    /// Goes over the compressed data that follows a scan's header; false where its end hasn't come.
    mutating func skipCompressedData() -> Bool {
      guard let start = data.baseAddress else { return false }
      offset = image_jpeg_scan_end(start.assumingMemoryBound(to: UInt8.self), data.count, offset)
      return offset < data.count
    }

    private func payload(of code: UInt8, at index: Int) -> Range<Int>? {
      if code == 0x01 || (0xD0...Self.endOfImage).contains(code) { return index..<index }
      guard index + 2 <= data.count else { return nil }
      // A length counts its own two bytes.
      let length = max(2, Int(data[index]) << 8 | Int(data[index + 1]))
      guard index + length <= data.count else { return nil }
      return (index + 2)..<(index + length)
    }
  }

  /// What the header of a frame says about the picture.
  struct JPEGFrame {
    /// How one channel is stored.
    struct Component {
      let id: UInt8
      /// Samples in relation to the other components, 1 to 4.
      let horizontal: Int
      let vertical: Int
    }

    let isProgressive: Bool
    let isArithmetic: Bool
    let size: PixelSize
    let components: [Component]

    /// Nil where the segment is no header of a frame, or makes no sense.
    init?(_ segment: JPEGMarkers.Segment, in data: UnsafeRawBufferPointer) {
      guard (0xC0...0xCF).contains(segment.code), ![0xC4, 0xC8, 0xCC].contains(segment.code) else { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: data[segment.payload])
      guard bytes.count >= 6, bytes.count == 6 + 3 * Int(bytes[5]), bytes[5] > 0 else { return nil }
      isProgressive = segment.code == 0xC2 || segment.code == 0xCA
      isArithmetic = segment.code > 0xC8
      size = PixelSize(width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]))
      components = (0..<Int(bytes[5])).map { index in
        let factors = bytes[7 + 3 * index]
        return Component(id: bytes[6 + 3 * index], horizontal: Int(factors >> 4), vertical: Int(factors & 15))
      }
      let isSampled = components.allSatisfy { (1...4).contains($0.horizontal) && (1...4).contains($0.vertical) }
      guard isSampled else { return nil }
    }

    private var largest: (horizontal: Int, vertical: Int) {
      (components.map(\.horizontal).max() ?? 1, components.map(\.vertical).max() ?? 1)
    }

    /// Whether a component's pixel at 1/8 is the mean of one block, so that nothing but that mean counts.
    ///
    /// libjpeg makes more of blocks that cover more pixels than those of other components, for then it need not enlarge
    /// them.
    func needsMeansOnly(_ component: Component) -> Bool {
      let (horizontal, vertical) = largest
      return horizontal % (2 * component.horizontal) != 0 || vertical % (2 * component.vertical) != 0
    }

    /// How many blocks of 64 samples the components have, without those that only fill up the edges.
    var blocks: Int { blocks(padded: false) }

    /// The memory of all coefficients, two bytes each: about 3 bytes a pixel where colours have a quarter of the
    /// samples.
    var coefficientBytes: Int { 128 * blocks(padded: true) }

    private func blocks(padded: Bool) -> Int {
      let (horizontal, vertical) = largest
      func count(_ side: Int, _ factor: Int, _ largest: Int) -> Int {
        let count = (side * factor + 8 * largest - 1) / (8 * largest)
        return padded ? (count + factor - 1) / factor * factor : count
      }
      return components.reduce(0) { sum, component in
        let across = count(size.width, component.horizontal, horizontal)
        return sum + across * count(size.height, component.vertical, vertical)
      }
    }
  }
#endif
