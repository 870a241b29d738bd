/// The area-weighted mean of a picture that gets smaller, from pixels that come in any order: those of an interlaced picture, which
/// then needs memory for what comes out and not for all that is in the file.
///
/// Sums are whole numbers, so the mean is exact. Where pixels are missing, it is that of those which came.
struct ScatteredMean: ~Copyable {
  /// Bytes that are held for each pixel that comes out.
  static let bytesPerPixel = 5 * MemoryLayout<UInt64>.stride

  private let source: PixelSize
  private let output: PixelSize
  /// For each pixel that comes out: four channels and the weight of what came.
  private let sums: UnsafeMutableBufferPointer<UInt64>
  private let rowSums: UnsafeMutableBufferPointer<UInt64>
  private let columns: [Share]

  /// How a row or column of the source is split between one of the output and the next.
  private struct Share {
    let index: Int
    let first: UInt64
    let second: UInt64

    /// In parts of which the source has `output` a pixel, and the output `source`.
    init(_ position: Int, from source: Int, to output: Int) {
      index = position * output / source
      let border = min((index + 1) * source, (position + 1) * output)
      first = UInt64(border - position * output)
      second = UInt64(output) - first
    }
  }

  /// Whether sums of such a picture stay within what they can hold, and it gets no larger.
  static func canScale(from source: PixelSize, to output: PixelSize) -> Bool {
    source.area > 0 && output.area > 0 && source.area <= 1 << 48 && output.width <= source.width
      && output.height <= source.height
  }

  /// - Throws: ``ImageCodecError/Code/limit`` where ``canScale(from:to:)`` is false.
  init(from source: PixelSize, to output: PixelSize) throws(ImageCodecError) {
    guard Self.canScale(from: source, to: output) else {
      throw ImageCodecError(.limit, message: "a picture of \(source) pixels can't be made \(output) as it comes")
    }
    self.source = source
    self.output = output
    sums = .allocate(capacity: 5 * output.area)
    sums.initialize(repeating: 0)
    rowSums = .allocate(capacity: 5 * output.width)
    rowSums.initialize(repeating: 0)
    columns = (0..<source.width).map { Share($0, from: source.width, to: output.width) }
  }

  deinit {
    sums.deallocate()
    rowSums.deallocate()
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
    guard (0..<source.height).contains(row), first >= 0, step > 0 else { return }
    rowSums.update(repeating: 0)
    var pixel = pixels
    for column in stride(from: first, to: source.width, by: step).prefix(count) {
      let share = columns[column]
      Self.add(pixel, share.first, to: rowSums, at: 5 * share.index)
      if share.second > 0 { Self.add(pixel, share.second, to: rowSums, at: 5 * (share.index + 1)) }
      pixel += 4
    }
    let share = Share(row, from: source.height, to: output.height)
    let width = rowSums.count
    for index in 0..<width { sums[share.index * width + index] += rowSums[index] * share.first }
    guard share.second > 0 else { return }
    for index in 0..<width { sums[(share.index + 1) * width + index] += rowSums[index] * share.second }
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

  private static func add(
    _ pixel: UnsafePointer<UInt8>, _ weight: UInt64, to sums: UnsafeMutableBufferPointer<UInt64>, at index: Int
  ) {
    for channel in 0..<4 { sums[index + channel] += UInt64(pixel[channel]) * weight }
    sums[index + 4] += weight
  }
}
