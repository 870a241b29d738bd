/// Which pixels of a row go into which pixel of a narrower or wider one, and how much.
struct ColumnWeights: ~Copyable {
  /// A first pixel and a last one in part, and the whole ones between them.
  private struct Span {
    var start: Int32
    var end: Int32
    var first: Float
    var last: Float
  }

  private let spans: UnsafeMutablePointer<Span>
  private let count: Int
  /// The sum of the weights of each.
  let total: Float

  /// Both at least 1 and no larger than 32 bits hold.
  ///
  /// - Parameters:
  ///   - length: What the pixels of the source stand for, in pixels of the file; the last one may do so in part.
  ///   - unit: How many pixels of the file one pixel of the source stands for; above 1 only where the target is no
  ///     longer than `length / unit`.
  init(from source: Int, to target: Int, length: Int, unit: Int = 1) {
    count = target
    spans = .allocate(capacity: target)
    if target <= source {
      total = Float(Double(length) / Double(target * unit))
      // Borders in parts of a source pixel, of which this many make a whole one.
      let whole = target * unit
      for column in 0..<target {
        let (lower, upper) = (column * length, (column + 1) * length)
        let start = lower / whole
        let span = Span(
          start: Int32(start), end: Int32(upper / whole),
          first: Float((start + 1) * whole - lower) / Float(whole), last: Float(upper % whole) / Float(whole))
        (spans + column).initialize(to: span)
      }
    } else {
      total = 1
      for column in 0..<target {
        let (lower, share) = LinearPosition.of(column, from: source, to: target)
        let span = Span(start: Int32(lower), end: Int32(lower + 1), first: 1 - share, last: share)
        (spans + column).initialize(to: span)
      }
    }
  }

  deinit { spans.deallocate() }

  /// Writes pixels of weighted sums.
  ///
  /// - Parameters:
  ///   - sums: Four numbers a pixel, aligned to 16 bytes, one pixel more than the source is wide.
  ///   - factor: What makes a sum a value of 0 to 255.
  ///   - step: Bytes from one pixel that is written to the next.
  func write(
    _ sums: UnsafePointer<Float>, times factor: Float, to target: UnsafeMutableRawPointer, step: Int
  ) {
    let pixels = UnsafeRawPointer(sums)
    var target = target
    for column in 0..<count {
      let span = spans[column]
      let (start, end) = (Int(span.start), Int(span.end))
      var sum = pixels.load(fromByteOffset: 16 &* start, as: SIMD4<Float>.self) * span.first
      if end &- start > 256 {
        sum += Self.longSum(pixels, (start + 1)..<end)
      } else {
        var index = start &+ 1
        while index < end {
          sum += pixels.load(fromByteOffset: 16 &* index, as: SIMD4<Float>.self)
          index &+= 1
        }
      }
      sum += pixels.load(fromByteOffset: 16 &* end, as: SIMD4<Float>.self) * span.last
      // Above 2^23 the last bits of a number of 32 bits are its whole part, rounded.
      let rounded = sum * factor + 8_388_608
      let low = rounded.x.bitPattern & 255 | (rounded.y.bitPattern & 255) << 8
      let high = rounded.z.bitPattern & 255 | (rounded.w.bitPattern & 255) << 8
      target.storeBytes(of: (low | high << 16).littleEndian, as: UInt32.self)
      target += step
    }
  }

  /// A sum of sums, so that many small numbers aren't lost beside a large one.
  private static func longSum(_ pixels: UnsafeRawPointer, _ range: Range<Int>) -> SIMD4<Float> {
    var total = SIMD4<Float>.zero
    var index = range.lowerBound
    while index < range.upperBound {
      let end = min(index + 256, range.upperBound)
      var sum = SIMD4<Float>.zero
      while index < end {
        sum += pixels.load(fromByteOffset: 16 &* index, as: SIMD4<Float>.self)
        index &+= 1
      }
      total += sum
    }
    return total
  }
}

/// Where the middle of a pixel of a larger picture lies between two of the smaller one.
enum LinearPosition {
  /// The pixel before and the share of the next, 0 where there is none.
  static func of(_ index: Int, from source: Int, to target: Int) -> (lower: Int, share: Float) {
    // In halves of a target pixel.
    let position = max(0, (2 * index + 1) * source - target)
    let unit = 2 * target
    let lower = position / unit
    guard lower < source - 1 else { return (source - 1, 0) }
    return (lower, Float(position % unit) / Float(unit))
  }
}
