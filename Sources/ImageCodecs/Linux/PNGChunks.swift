#if !canImport(ImageIO)
  import CImageCodecs

  /// The chunks of a PNG, one after another, within the bytes that are there.
  struct PNGChunks {
    /// A chunk that is there as a whole.
    struct Chunk {
      let type: Kind
      /// Where its content is in the file.
      let content: Range<Int>
      /// Where the next one begins.
      var end: Int { content.upperBound + 4 }
    }

    /// The four letters of a type, as a number.
    struct Kind: RawRepresentable, Hashable {
      let rawValue: Int

      static let PLTE = Kind(rawValue: 0x504C_5445)
      static let tRNS = Kind(rawValue: 0x7452_4E53)
      static let IDAT = Kind(rawValue: 0x4944_4154)
      static let IEND = Kind(rawValue: 0x4945_4E44)
      static let acTL = Kind(rawValue: 0x6163_544C)
      static let fcTL = Kind(rawValue: 0x6663_544C)
      static let fdAT = Kind(rawValue: 0x6664_4154)
    }

    /// Where the first chunk begins, behind the signature.
    static let start = 8

    private let bytes: UnsafeRawBufferPointer
    private let reader: ByteReader

    init(_ bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes
      reader = ByteReader(bytes)
    }

    /// The chunk that begins there; nil where the file ends within it.
    func chunk(at offset: Int) -> Chunk? {
      guard let length = reader.big(offset, bytes: 4), let type = reader.big(offset + 4, bytes: 4),
        length <= bytes.count - offset - 12
      else { return nil }
      return Chunk(type: Kind(rawValue: type), content: (offset + 8)..<(offset + 8 + length))
    }

    /// A number of up to four bytes in a chunk, counted from its start.
    func number(_ offset: Int, bytes count: Int, in chunk: Chunk) -> Int? {
      offset + count <= chunk.content.count ? reader.big(chunk.content.lowerBound + offset, bytes: count) : nil
    }

    /// Whether a chunk's checksum is that of its type and content; linear in its length.
    func isIntact(_ chunk: Chunk) -> Bool {
      let summed = UnsafeRawBufferPointer(rebasing: bytes[(chunk.content.lowerBound - 4)..<chunk.content.upperBound])
      let sum = image_png_checksum(0, summed.bindMemory(to: UInt8.self).baseAddress, summed.count)
      return reader.big(chunk.content.upperBound, bytes: 4) == Int(exactly: sum)
    }
  }
#endif
