#if !canImport(ImageIO)
  /// Where the scans of a JPEG are, found by its markers alone: a pass over the bytes that decodes nothing.
  ///
  /// A file with a single scan is looked at up to that scan only.
  struct JPEGScans {
    /// A part of the picture: some coefficients of some components, or some bits of them.
    struct Scan {
      /// From its marker up to the next one that begins no restart interval.
      let bytes: Range<Int>
      /// Indices into the frame's components; empty where the header makes no sense.
      let components: [Int]
      /// The coefficients, from 0 to 63; nil where the header makes no sense.
      let coefficients: ClosedRange<Int>?
      /// How many low bits are still missing after it.
      let missingBits: Int
      /// Whether it brings means of blocks for the first time, without which there is nothing to see.
      let bringsMeans: Bool
    }

    /// The first one in the file; nil where there is none, or it makes no sense.
    private(set) var frame: JPEGFrame?
    private(set) var scans: [Scan] = []
    /// Whether all scans are followed by the end of the image, or a single one needs none.
    private(set) var isComplete = false
    /// Up to where segments are whole; the compressed data of a last scan may still be cut.
    private(set) var usableEnd = 0

    /// - Throws: ``ImageCodecError/Code/limit`` for more scans than allowed.
    init(_ data: UnsafeRawBufferPointer, _ limits: ImageLimits) throws(ImageCodecError) {
      var markers = JPEGMarkers(data)
      while let segment = markers.next() {
        usableEnd = markers.offset
        if frame == nil { frame = JPEGFrame(segment, in: data) }
        if segment.code == JPEGMarkers.endOfImage {
          isComplete = true
          return
        }
        guard segment.code == JPEGMarkers.startOfScan else { continue }
        guard scans.count < limits.maxScans else { throw Self.tooMany(limits.maxScans) }
        if let frame, !frame.isProgressive, segment.payload.first.map({ Int(data[$0]) }) == frame.components.count {
          scans.append(Scan(segment, end: data.count, frame, in: data))
          usableEnd = data.count
          isComplete = true
          return
        }
        let hasNext = markers.skipCompressedData()
        usableEnd = markers.offset
        scans.append(Scan(segment, end: markers.offset, frame, in: data))
        if !hasNext { return }
      }
    }

    /// Whether the scans bring every bit of every coefficient, if the last one is whole.
    var bringsEverything: Bool {
      guard let frame, frame.components.count <= 4 else { return false }
      var missing = [[Int]](repeating: Array(repeating: 16, count: 64), count: frame.components.count)
      for scan in scans {
        guard let coefficients = scan.coefficients else { continue }
        for component in scan.components {
          for index in coefficients { missing[component][index] = scan.missingBits }
        }
      }
      return missing.allSatisfy { $0.allSatisfy { $0 == 0 } }
    }

    /// Whether a file of several scans can't hold as many blocks as its size takes: a Huffman code has at least one
    /// bit, and each block has one.
    ///
    /// Known before the coefficients of the whole picture get memory.
    func isTooShort(_ count: Int) -> Bool {
      guard let frame, !frame.isArithmetic, frame.isProgressive || scans.count > 1 else { return false }
      return frame.blocks / 8 > count
    }

    /// The bytes of the file without what doesn't change the picture at 1/8 (all coefficients but the first of a block
    /// that becomes a single pixel); the whole file where nothing can be left out.
    ///
    /// No byte is copied. What makes no sense stays, so that it fails as it would without this.
    func bytesForMeans(_ count: Int) -> [Range<Int>] {
      guard let frame, frame.isProgressive, Set(frame.components.map(\.id)).count == frame.components.count else {
        return [0..<count]
      }
      var kept: [Range<Int>] = []
      var start = 0
      for scan in scans {
        guard let coefficients = scan.coefficients, coefficients.lowerBound > 0, scan.components.count == 1,
          frame.needsMeansOnly(frame.components[scan.components[0]])
        else { continue }
        kept.append(start..<scan.bytes.lowerBound)
        start = scan.bytes.upperBound
      }
      kept.append(start..<count)
      return kept.filter { !$0.isEmpty }
    }

    static func tooMany(_ limit: Int) -> ImageCodecError {
      ImageCodecError(
        .limit,
        message: "the JPEG has more scans than maxScans (\(limit)); raise it if the file can be trusted")
    }
  }

  extension JPEGScans.Scan {
    /// Reads the header of a scan (ITU-T T.81, B.2.3).
    fileprivate init(_ segment: JPEGMarkers.Segment, end: Int, _ frame: JPEGFrame?, in data: UnsafeRawBufferPointer) {
      bytes = segment.start..<end
      let header = UnsafeRawBufferPointer(rebasing: data[segment.payload])
      guard let frame, let count = header.first.map(Int.init), (1...4).contains(count), header.count == 4 + 2 * count
      else {
        (components, coefficients, missingBits, bringsMeans) = ([], nil, 0, false)
        return
      }
      let indices = (0..<count).compactMap { index in
        frame.components.firstIndex { $0.id == header[1 + 2 * index] }
      }
      components = indices.count == count ? indices : []
      guard frame.isProgressive else {
        (coefficients, missingBits, bringsMeans) = (0...63, 0, true)
        return
      }
      let (first, last) = (Int(header[1 + 2 * count]), Int(header[2 + 2 * count]))
      let (before, after) = (Int(header[3 + 2 * count] >> 4), Int(header[3 + 2 * count] & 15))
      let isValid =
        first <= last && last <= 63 && (first > 0 || last == 0) && (first == 0 || count == 1) && after <= 13
        && (before == 0 || before == after + 1)
      coefficients = isValid ? first...last : nil
      missingBits = after
      bringsMeans = isValid && first == 0 && before == 0
    }
  }
#endif
