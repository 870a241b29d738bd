#if !canImport(ImageIO)
  /// What the chunks of a PNG say of its animation (PNG, third edition, 11.3.2); nothing is decoded.
  struct APNG: Hashable {
    /// One frame: where it goes, how long it stays, and where its pixels are.
    struct Frame: Hashable {
      var patch: FramePatch
      var duration: Duration
      /// The bytes of the file from its first `fdAT` chunk to the end of its last; nil where the picture itself is the
      /// frame.
      var data: Range<Int>?
    }

    /// How often it plays; 0: for ever.
    var loopCount: Int
    /// At least one.
    var frames: [Frame]
    /// The bytes of the file where the palette and its transparency are, in their order.
    var shared: [Range<Int>]

    /// A file of its own for the pixels of a frame: its head with the frame's size, palette, and data. Checksums of
    /// what is taken over are compared here; those of the new file are left out.
    ///
    /// - Returns: Nil for a frame that is the picture itself, which the file as it is shows.
    /// - Throws: ``ImageCodecError/Code/corrupt`` where a checksum is wrong.
    func file(of frame: Frame, in bytes: UnsafeRawBufferPointer) throws(ImageCodecError) -> [UInt8]? {
      guard let data = frame.data else { return nil }
      var file: [UInt8] = []
      file.reserveCapacity(64 + shared.reduce(data.count) { $0 + $1.count })
      // Signature and head, the sizes in it exchanged.
      file += bytes[0..<16]
      for side in [frame.patch.size.width, frame.patch.size.height] {
        for shift in [24, 16, 8, 0] { file.append(UInt8(truncatingIfNeeded: side >> shift)) }
      }
      file += bytes[24..<33]
      for range in shared { file += bytes[range] }
      let reader = PNGChunks(bytes)
      var offset = data.lowerBound
      while offset < data.upperBound, let chunk = reader.chunk(at: offset) {
        offset = chunk.end
        guard chunk.type == .fdAT else { continue }
        guard reader.isIntact(chunk) else {
          throw ImageCodecError(
            .corrupt, message: "a frame of the APNG file is damaged (fdAT: CRC error); get it again")
        }
        // The first four bytes are the number in the sequence.
        let count = chunk.content.count - 4
        for shift in [24, 16, 8, 0] { file.append(UInt8(truncatingIfNeeded: count >> shift)) }
        file += "IDAT".utf8
        file += bytes[chunk.content.dropFirst(4)]
        file += [0, 0, 0, 0]
      }
      file += [0, 0, 0, 0] + "IEND".utf8 + [0, 0, 0, 0]
      return file
    }
  }
#endif
