#if !canImport(ImageIO)
  extension JPEGDecoder {
    /// The end of the next complete scan of a progressive JPEG; nil for a baseline one.
    ///
    /// The first preview is the one in which each component has come. A scan is complete when the marker after it is
    /// there. Looks at the file's head and at the bytes after `shown`, so asking until there is no more is linear in
    /// the number of bytes.
    public func previewLength(of data: [UInt8], after shown: Int) -> Int? {
      data.withUnsafeBytes { bytes in
        guard let head = Self.progressiveHead(of: bytes) else { return nil }
        var markers = JPEGMarkers(bytes, from: max(head.end, shown))
        // Whatever was shown had all components.
        var missing = shown >= head.end ? [] : Set(head.frame.components.map(\.id))
        while let segment = markers.next(), segment.code != JPEGMarkers.endOfImage {
          guard segment.code == JPEGMarkers.startOfScan else { continue }
          let ids = Self.components(of: segment, in: bytes)
          guard markers.skipCompressedData() else { return nil }
          missing.subtract(ids)
          if missing.isEmpty, markers.offset > shown { return markers.offset }
        }
        return nil
      }
    }

    /// The frame of a progressive JPEG, and where the segment ends.
    private static func progressiveHead(of data: UnsafeRawBufferPointer) -> (frame: JPEGFrame, end: Int)? {
      guard data.starts(with: [0xFF, JPEGMarkers.startOfImage, 0xFF]) else { return nil }
      var markers = JPEGMarkers(data)
      while let segment = markers.next(), segment.code != JPEGMarkers.startOfScan {
        if let frame = JPEGFrame(segment, in: data) {
          return frame.isProgressive ? (frame, markers.offset) : nil
        }
      }
      return nil
    }

    /// The components of a scan, where it brings their means.
    private static func components(of segment: JPEGMarkers.Segment, in data: UnsafeRawBufferPointer) -> [UInt8] {
      let header = UnsafeRawBufferPointer(rebasing: data[segment.payload])
      guard let count = header.first.map(Int.init), header.count == 4 + 2 * count, header[1 + 2 * count] == 0 else {
        return []
      }
      return (0..<count).map { header[1 + 2 * $0] }
    }
  }
#endif
