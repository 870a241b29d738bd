/// Where pixels that lie as in the file go in the upright picture: steps in pixels from a start.
struct Upright {
  let size: PixelSize
  private let start: Int
  private let columnStep: Int
  private let rowStep: Int

  /// - Parameter stored: The size as the pixels lie in the file.
  init(_ stored: PixelSize, _ orientation: Orientation) {
    size = orientation.upright(stored)
    let right = orientation.flipsColumns ? -1 : 1
    let down = orientation.flipsRows ? -size.width : size.width
    start =
      (orientation.flipsColumns ? size.width - 1 : 0) + (orientation.flipsRows ? (size.height - 1) * size.width : 0)
    columnStep = orientation.isTransposed ? down : right
    rowStep = orientation.isTransposed ? right : down
  }

  /// The index of the first pixel of a row of the file, and the way from one of its pixels to the next.
  func row(_ index: Int) -> (first: Int, step: Int) { (start + index * rowStep, columnStep) }

  /// Writes a row of whole pixels.
  func copy(_ row: UnsafePointer<UInt8>, count: Int, toRow index: Int, of pixels: UnsafeMutablePointer<UInt8>) {
    let (first, step) = self.row(index)
    if step == 1 {
      (pixels + 4 * first).update(from: row, count: 4 * count)
      return
    }
    let source = UnsafeRawPointer(row)
    var target = UnsafeMutableRawPointer(pixels) + 4 * first
    for column in 0..<count {
      target.storeBytes(of: source.loadUnaligned(fromByteOffset: 4 * column, as: UInt32.self), as: UInt32.self)
      target += 4 * step
    }
  }

  /// The runs of pixels that the first rows of the file have become, as indices into the upright picture.
  func forEachRun(ofRows rows: Int, _ body: (Range<Int>) throws(ImageCodecError) -> Void) throws(ImageCodecError) {
    guard rows > 0 else { return }
    let last = start + (rows - 1) * rowStep
    if abs(rowStep) == size.width {
      let lower = columnStep > 0 ? min(start, last) : min(start, last) - size.width + 1
      for row in 0..<rows {
        try body((lower + row * size.width)..<(lower + (row + 1) * size.width))
      }
    } else {
      // Rows have become columns: a stretch of each upright row.
      let left = min(start % size.width, last % size.width)
      for row in 0..<size.height {
        try body((row * size.width + left)..<(row * size.width + left + rows))
      }
    }
  }
}
