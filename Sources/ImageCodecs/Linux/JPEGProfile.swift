#if !canImport(ImageIO)
  /// The colour profile of a JPEG, which may be spread over several segments (ICC.1:2010, B.4).
  enum JPEGProfile {
    /// No profile that is in use is as large.
    private static let maxBytes = 4 << 20
    private static let signature = Array("ICC_PROFILE\u{0}".utf8)

    /// The profile's bytes; nil where there is none before the first scan, parts are missing or doubled, or it is too
    /// large.
    static func bytes(in data: UnsafeRawBufferPointer) -> [UInt8]? {
      var parts: [Int: Range<Int>] = [:]
      var count = 0
      var markers = JPEGMarkers(data)
      while let segment = markers.next(), segment.code != JPEGMarkers.startOfScan {
        guard segment.code == 0xE2, segment.payload.count > signature.count + 2,
          data[segment.payload].starts(with: signature)
        else { continue }
        let start = segment.payload.lowerBound + signature.count
        let (number, total) = (Int(data[start]), Int(data[start + 1]))
        if count == 0 { count = total }
        guard total == count, (1...max(1, count)).contains(number), parts[number] == nil else { return nil }
        parts[number] = (start + 2)..<segment.payload.upperBound
      }
      let size = parts.values.reduce(0) { $0 + $1.count }
      guard count > 0, parts.count == count, size <= maxBytes else { return nil }
      var profile: [UInt8] = []
      profile.reserveCapacity(size)
      for number in 1...count {
        guard let part = parts[number] else { return nil }
        profile.append(contentsOf: data[part])
      }
      return profile
    }
  }
#endif
