/// The area-weighted mean of a picture that gets smaller, from pixels that come in any order: those of an interlaced
/// picture, which then needs memory for what comes out and not for all that is in the file.
///
/// Sums are whole numbers, so the mean is exact. Where pixels are missing, it is that of those which came.
struct ScatteredMean: ~Copyable {
  /// Bytes that are held for each pixel that comes out.
  static let bytesPerPixel = 5 * MemoryLayout<UInt64>.stride

  private let source: PixelSize
  private let output: PixelSize
  /// For each pixel that comes out: four channels and the weight of what came.
  private let sums: UnsafeMutablePointer<UInt64>
  /// The same for one row of the source.
  private let rowSums: UnsafeMutablePointer<UInt64>
  private let columns: UnsafeMutablePointer<Share>

  /// How a row or column of the source is split between one of the output and the next.
  private struct Share {
    let index: UInt32
    let first: UInt32
    let second: UInt32

    /// In parts of which the source has `output` a pixel, and the output `source`.
    init(_ position: Int, from source: Int, to output: Int) {
      let index = position * output / source
      let border = min((index + 1) * source, (position + 1) * output)
      self.index = UInt32(index)
      first = UInt32(border - position * output)
      second = UInt32(output) - first
    }
  }

  /// Whether sums of such a picture stay within what they can hold, and it gets no larger.
  static func canScale(from source: PixelSize, to output: PixelSize) -> Bool {
    // 2 to the 24 times 255 is the most that 32 bits hold.
    let largest = 1 << 24
    return (1...largest).contains(source.width) && (1...largest).contains(source.height)
      && (1...source.width).contains(output.width) && (1...source.height).contains(output.height)
  }

  /// - Throws: ``ImageCodecError/Code/limit`` where ``canScale(from:to:)`` is false.
  init(from source: PixelSize, to output: PixelSize) throws(ImageCodecError) {
    guard Self.canScale(from: source, to: output) else {
      throw ImageCodecError(.limit, message: "a picture of \(source) pixels can't be made \(output) as it comes")
    }
    self.source = source
    self.output = output
    sums = .allocate(capacity: 5 * output.area)
    sums.initialize(repeating: 0, count: 5 * output.area)
    rowSums = .allocate(capacity: 5 * output.width)
    rowSums.initialize(repeating: 0, count: 5 * output.width)
    columns = .allocate(capacity: source.width)
    for column in 0..<source.width {
      (columns + column).initialize(to: Share(column, from: source.width, to: output.width))
    }
  }

  deinit {
    sums.deallocate()
    rowSums.deallocate()
    columns.deallocate()
  }

  /// Adds pixels of a row; those outside the picture are left out.
  ///
  /// - Parameters:
  ///   - pixels: Of four channels, colours multiplied by alpha.
  ///   - count: How many there are.
  ///   - row: The row of the picture that they belong to.
  ///   - first: The column of the first one.
  ///   - step: Columns from one to the next, at least 1.
  mutating func add(_ pixels: UnsafePointer<UInt8>, count: Int, row: Int, first: Int, step: Int) {
    guard (0..<source.height).contains(row), (0..<source.width).contains(first), step > 0 else { return }
    rowSums.update(repeating: 0, count: 5 * output.width)
    addColumns(pixels, count: min(count, (source.width - first + step - 1) / step), first: first, step: step)
    let share = Share(row, from: source.height, to: output.height)
    let width = 5 * output.width
    Self.add(rowSums, times: UInt64(share.first), to: sums + Int(share.index) * width, count: width)
    if share.second > 0 {
      Self.add(rowSums, times: UInt64(share.second), to: sums + (Int(share.index) + 1) * width, count: width)
    }
  }

  private func addColumns(_ pixels: UnsafePointer<UInt8>, count: Int, first: Int, step: Int) {
    // Pixels that belong to one pixel of the output as a whole, nearly all, are added first and weighed together.
    var whole = SIMD4<UInt32>(), wholeCount = 0, wholeIndex: UInt32 = 0
    let bytes = UnsafeRawPointer(pixels)
    for index in 0..<count {
      let share = columns[first &+ index &* step]
      let pixel = SIMD4<UInt32>(
        truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: 4 &* index, as: SIMD4<UInt8>.self))
      if share.second == 0, share.index == wholeIndex {
        whole &+= pixel
        wholeCount &+= 1
        continue
      }
      add(whole, count: wholeCount, weight: UInt32(output.width), at: wholeIndex)
      (whole, wholeCount, wholeIndex) = (SIMD4(), 0, share.index)
      if share.second == 0 {
        (whole, wholeCount) = (pixel, 1)
      } else {
        add(pixel, count: 1, weight: share.first, at: share.index)
        add(pixel, count: 1, weight: share.second, at: share.index + 1)
        wholeIndex = share.index + 1
      }
    }
    add(whole, count: wholeCount, weight: UInt32(output.width), at: wholeIndex)
  }

  /// Adds the sum of so many pixels of one weight to those of the row.
  private func add(_ sum: SIMD4<UInt32>, count: Int, weight: UInt32, at index: UInt32) {
    guard count > 0 else { return }
    let target = rowSums + 5 * Int(index)
    for channel in 0..<4 { target[channel] += UInt64(sum[channel]) * UInt64(weight) }
    target[4] += UInt64(count) * UInt64(weight)
  }

  private static func add(
    _ row: UnsafeMutablePointer<UInt64>, times weight: UInt64, to target: UnsafeMutablePointer<UInt64>, count: Int
  ) {
    // The weights of a pixel of the output add up to the pixels of the source, so no sum is above 2 to the 56.
    for index in 0..<count { target[index] &+= row[index] &* weight }
  }

  /// Writes a row of what comes out; transparent where no pixel came.
  func write(row: Int, to pixels: UnsafeMutablePointer<UInt8>) {
    guard (0..<output.height).contains(row) else { return }
    for column in 0..<output.width {
      let start = 5 * (row * output.width + column)
      let weight = sums[start + 4]
      for channel in 0..<4 {
        pixels[4 * column + channel] =
          weight == 0 ? 0 : UInt8(truncatingIfNeeded: (sums[start + channel] + weight / 2) / weight)
      }
    }
  }
}
