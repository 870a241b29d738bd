/// Makes a picture of another size from rows as they come, and turns it upright: the area-weighted mean where it gets
/// smaller, linear between pixels where it grows, each direction by itself. Holds a few rows and the picture that comes
/// out.
///
/// Rows are pixels of four channels, all treated alike.
struct RowScaler: ~Copyable {
  private let rows: PixelSize
  /// The height that rows stand for, in rows of the file, and how many of those each one stands for.
  private let height: Int
  private let unit: Int
  private let output: PixelSize
  private let upright: Upright
  private let memory: PixelMemory
  private let columns: ColumnWeights
  private var sums: RowSums
  private let factor: Float
  private var scratch: UnsafeRow?
  private var nextRow = 0
  private var nextOutput = 0

  /// - Parameters:
  ///   - plan: What is to come out.
  ///   - rows: The size of the rows that will come, all of them.
  ///   - unit: How many pixels of the file a pixel of those rows stands for, each way; those of the last row and column
  ///     may be fewer. Above 1 only where what comes out is no larger than the file divided by it.
  /// - Throws: ``ImageCodecError/Code/limit`` where there is no memory for what comes out.
  init(_ plan: DecodePlan, from rows: PixelSize, unit: Int = 1) throws(ImageCodecError) {
    let covered = unit == 1 ? rows : plan.stored
    try self.init(from: rows, to: plan.output, plan.orientation, covered: covered, unit: unit)
  }

  /// The same for sizes as they lie in the file.
  init(from rows: PixelSize, to output: PixelSize, _ orientation: Orientation) throws(ImageCodecError) {
    try self.init(from: rows, to: output, orientation, covered: rows, unit: 1)
  }

  private init(
    from rows: PixelSize, to output: PixelSize, _ orientation: Orientation, covered: PixelSize, unit: Int
  ) throws(ImageCodecError) {
    // Products of two sides are taken.
    let largest = Int(Int32.max)
    guard (1...largest).contains(rows.width), (1...largest).contains(rows.height), output.width <= largest,
      output.height <= largest
    else { throw ImageCodecError(.limit, message: "rows of \(rows) pixels can't be scaled to \(output)") }
    let upright = Upright(output, orientation)
    let memory = try PixelMemory(upright.size)
    self.init(memory, rows, output, upright, covered, unit)
  }

  private init(
    _ memory: consuming PixelMemory, _ rows: PixelSize, _ output: PixelSize, _ upright: Upright, _ covered: PixelSize,
    _ unit: Int
  ) {
    self.memory = memory
    self.rows = rows
    self.output = output
    self.upright = upright
    height = covered.height
    self.unit = unit
    columns = ColumnWeights(from: rows.width, to: output.width, length: covered.width, unit: unit)
    sums = RowSums(width: rows.width)
    let heights = output.height <= rows.height ? Double(output.height * unit) / Double(covered.height) : 1
    factor = Float(heights / Double(columns.total))
  }

  /// Whether all rows that come out are there.
  var isComplete: Bool { nextOutput == output.height }

  /// Takes the next row; one too many is left out.
  ///
  /// - Parameter row: As many pixels as a row is wide, colours multiplied by alpha.
  mutating func add(_ row: UnsafePointer<UInt8>) {
    guard nextRow < rows.height else { return }
    if rows == output {
      upright.copy(row, count: rows.width, toRow: nextRow, of: memory.start)
      nextOutput += 1
    } else if output.height <= rows.height {
      shrink(row)
    } else {
      grow(row)
    }
    nextRow += 1
  }

  /// Takes the next row, whose colours are not multiplied by alpha.
  mutating func add(unmultiplied row: UnsafePointer<UInt8>) {
    if Alpha.isOpaque(row, count: rows.width) { return add(row) }
    let scratch = scratch ?? UnsafeRow(count: 4 * rows.width)
    self.scratch = scratch
    Alpha.multiply(row, into: scratch.start, count: rows.width)
    add(scratch.start)
  }

  /// The upright picture; rows that didn't come stay transparent.
  ///
  /// - Parameter convert: Changes the colours of pixels in place: a pointer to the first of them, and how many. Called
  ///   for those that rows have come for, a row at a time.
  /// - Throws: What `convert` throws.
  consuming func finish(
    _ convert: ((UnsafeMutablePointer<UInt8>, Int) throws(ImageCodecError) -> Void)? = nil
  ) throws(ImageCodecError) -> DecodedImage {
    if let convert {
      let start = memory.start
      try upright.forEachRun(ofRows: nextOutput) { (run: Range<Int>) throws(ImageCodecError) in
        try convert(start + 4 * run.lowerBound, run.count)
      }
    }
    return DecodedImage(size: upright.size, memory: memory)
  }

  private mutating func shrink(_ row: UnsafePointer<UInt8>) {
    // Borders in parts of a row of the file, of which as many as there are output rows make a whole one.
    let whole = output.height * unit
    let start = nextRow * whole
    let end = start + whole
    let border = (nextOutput + 1) * height
    guard border <= end else { return sums.add(row) }
    write(row, weight: Float(border - start) / Float(whole))
    sums.begin(with: row, weight: Float(end - border) / Float(whole))
  }

  private mutating func grow(_ row: UnsafePointer<UInt8>) {
    while nextOutput < output.height {
      let (lower, share) = LinearPosition.of(nextOutput, from: rows.height, to: output.height)
      if share == 0 {
        guard lower <= nextRow else { break }
        sums.keptWeight = 0
        write(row, weight: 1)
      } else {
        guard lower < nextRow else { break }
        sums.keptWeight = 1 - share
        write(row, weight: share)
      }
    }
    sums.begin(with: row, weight: 1)
  }

  private mutating func write(_ row: UnsafePointer<UInt8>, weight: Float) {
    sums.combine(row, weight: weight)
    let (first, step) = upright.row(nextOutput)
    columns.write(
      sums.results, times: factor, to: UnsafeMutableRawPointer(memory.start + 4 * first), step: 4 * step)
    nextOutput += 1
  }
}

/// Memory for one row, given back with the last reference. A pointer into it is none, and an optimised build may free
/// an object after its last use: who has one as a variable only keeps it by `withExtendedLifetime`.
final class UnsafeRow {
  let start: UnsafeMutablePointer<UInt8>

  /// Memory of that many bytes, at least 1, zeros at first.
  init(count: Int) {
    start = .allocate(capacity: count)
    start.initialize(repeating: 0, count: count)
  }

  deinit { start.deallocate() }
}
