/// Sums of rows of pixels, channel by channel: a part of the first row, whole rows, and a part of the last.
///
/// Whole rows, nearly all of them when a large picture becomes a small one, are added as integers of 16 bits, which
/// takes a quarter of a nanosecond a pixel; only what is summed up is turned into floating point, once for each row
/// that comes out.
struct RowSums: ~Copyable {
  private let channels: Int
  private let memory: UnsafeMutableRawPointer
  /// What comes out: a sum for each channel, and one pixel of zeros behind, which weights of zero may touch.
  let results: UnsafeMutablePointer<Float>
  private let sums: UnsafeMutablePointer<UInt16>
  private let kept: UnsafeMutablePointer<UInt8>
  /// Sums that have outgrown 16 bits; none until there are any.
  private var wide: UnsafeMutablePointer<Int32>?
  private var hasWide = false
  private var wholeRows = 0
  /// How much of the kept row counts.
  var keptWeight: Float = 0

  /// Sums for rows of that many pixels.
  init(width: Int) {
    channels = 4 * width
    let resultBytes = 4 * (channels + 4)
    memory = .allocate(byteCount: resultBytes + 2 * channels + channels, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: resultBytes + 3 * channels)
    results = memory.bindMemory(to: Float.self, capacity: channels + 4)
    sums = (memory + resultBytes).bindMemory(to: UInt16.self, capacity: channels)
    kept = (memory + resultBytes + 2 * channels).bindMemory(to: UInt8.self, capacity: channels)
  }

  deinit {
    memory.deallocate()
    wide?.deallocate()
  }

  /// Adds a whole row.
  mutating func add(_ row: UnsafePointer<UInt8>) {
    if wholeRows == 257 { widen() }
    let sums = sums
    if wholeRows == 0 {
      for index in 0..<channels { sums[index] = UInt16(row[index]) }
    } else {
      // 257 times 255 is the most that 16 bits hold.
      for index in 0..<channels { sums[index] &+= UInt16(row[index]) }
    }
    wholeRows += 1
  }

  /// Puts the sum of the kept row, the whole ones and a part of this one into ``results``.
  func combine(_ row: UnsafePointer<UInt8>, weight: Float) {
    let (results, sums, kept, keptWeight) = (results, sums, kept, keptWeight)
    if let wide, hasWide {
      for index in 0..<channels {
        let whole = Float(wide[index] &+ (wholeRows > 0 ? Int32(sums[index]) : 0))
        results[index] = Float(kept[index]) * keptWeight + whole + Float(row[index]) * weight
      }
    } else if wholeRows > 0 {
      for index in 0..<channels {
        results[index] = Float(kept[index]) * keptWeight + Float(sums[index]) + Float(row[index]) * weight
      }
    } else {
      for index in 0..<channels {
        results[index] = Float(kept[index]) * keptWeight + Float(row[index]) * weight
      }
    }
  }

  /// Begins anew with a part of that row.
  mutating func begin(with row: UnsafePointer<UInt8>, weight: Float) {
    if weight > 0 { kept.update(from: row, count: channels) }
    keptWeight = weight
    wholeRows = 0
    hasWide = false
  }

  private mutating func widen() {
    let sums = sums
    let wide = wide ?? .allocate(capacity: channels)
    self.wide = wide
    if hasWide {
      for index in 0..<channels { wide[index] &+= Int32(sums[index]) }
    } else {
      for index in 0..<channels { wide[index] = Int32(sums[index]) }
    }
    hasWide = true
    wholeRows = 0
  }
}
