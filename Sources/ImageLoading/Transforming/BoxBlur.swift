import ImageCodecs

/// A blur of three box passes in each direction, in O(pixels) whatever the radius.
///
/// Values lie in 16 bits between the passes, 256 steps to each of a picture's, so that rounding doesn't add up. Beyond
/// the edges the picture goes on in the colour of its edge. All channels are treated alike, so colours stay multiplied
/// by alpha.
struct BoxBlur {
  /// Sums of 16 bits must fit into 32.
  static let maxRadius = 32_000

  /// How many pixels to each side count; at least 1.
  let radius: Int

  /// - Throws: ``ImageCodecError/Code/cancelled``; `ImageCodecError` where there is no memory.
  func applied(to image: DecodedImage) throws(ImageCodecError) -> DecodedImage {
    let size = image.size
    var plane = [UInt16](repeating: 0, count: 4 * size.area)
    try blurRows(of: image, into: &plane)
    return try DecodedImage(size: size) { (pixels: UnsafeMutableRawBufferPointer) throws(ImageCodecError) in
      try blurColumns(of: plane, size, into: pixels)
    }
  }

  private func blurRows(of image: DecodedImage, into plane: inout [UInt16]) throws(ImageCodecError) {
    let rowLength = 4 * image.size.width
    var line = BoxLine(count: image.size.width, lanes: 4, radius: radius)
    for y in 0..<image.size.height {
      try Self.checkCancellation()
      let start = y * rowLength
      image.withPixels { pixels in
        for index in 0..<rowLength { line.values[index] = UInt16(pixels[start + index]) << 8 }
      }
      line.blur()
      for index in 0..<rowLength { plane[start + index] = line.values[index] }
    }
  }

  /// Columns are blurred some at a time, so that memory is read in stretches.
  private func blurColumns(
    of plane: [UInt16], _ size: PixelSize, into pixels: UnsafeMutableRawBufferPointer
  ) throws(ImageCodecError) {
    let rowLength = 4 * size.width
    var start = 0
    while start < rowLength {
      try Self.checkCancellation()
      let lanes = min(64, rowLength - start)
      var line = BoxLine(count: size.height, lanes: lanes, radius: radius)
      for y in 0..<size.height {
        for lane in 0..<lanes { line.values[y * lanes + lane] = plane[y * rowLength + start + lane] }
      }
      line.blur()
      for y in 0..<size.height {
        for lane in 0..<lanes {
          pixels[y * rowLength + start + lane] = UInt8((UInt32(line.values[y * lanes + lane]) + 128) >> 8)
        }
      }
      start += lanes
    }
  }

  private static func checkCancellation() throws(ImageCodecError) {
    if Task.isCancelled {
      throw ImageCodecError(.cancelled, message: "the task was cancelled while it blurred a picture")
    }
  }
}

/// Lines of values side by side, which are blurred along their length.
struct BoxLine {
  private let count: Int
  private let lanes: Int
  private let radius: Int
  private let reciprocal: UInt64
  private let half: UInt32
  /// The values: all lanes of the first place, then of the next.
  var values: [UInt16]
  private var results: [UInt16]
  private var sums: [UInt32]

  /// All at least 1.
  init(count: Int, lanes: Int, radius: Int) {
    self.count = count
    self.lanes = lanes
    self.radius = radius
    let width = UInt64(2 * radius + 1)
    reciprocal = ((1 << 40) + width - 1) / width
    half = UInt32(width / 2)
    values = [UInt16](repeating: 0, count: count * lanes)
    results = values
    sums = [UInt32](repeating: 0, count: lanes)
  }

  mutating func blur() {
    for _ in 0..<3 {
      pass()
      swap(&values, &results)
    }
  }

  /// The mean of each value and those around it; one that would lie outside is the nearest inside.
  private mutating func pass() {
    let (count, lanes, radius, reciprocal, half) = (count, lanes, radius, reciprocal, half)
    let last = count - 1
    values.withUnsafeBufferPointer { values in
      results.withUnsafeMutableBufferPointer { results in
        sums.withUnsafeMutableBufferPointer { sums in
          // Around the first place: it and all before it, and those after it.
          let after = min(radius, last)
          for lane in 0..<lanes {
            var sum = UInt32(values[lane]) * UInt32(radius + 1)
            for place in 0..<after { sum += UInt32(values[(place + 1) * lanes + lane]) }
            sum += UInt32(values[last * lanes + lane]) * UInt32(radius - after)
            sums[lane] = sum
          }
          for place in 0..<count {
            let entering = min(place + radius + 1, last) * lanes
            let leaving = max(place - radius, 0) * lanes
            for lane in 0..<lanes {
              let sum = sums[lane]
              results[place * lanes + lane] = UInt16(
                truncatingIfNeeded: (UInt64(sum &+ half) &* reciprocal) >> 40)
              sums[lane] = sum &+ UInt32(values[entering + lane]) &- UInt32(values[leaving + lane])
            }
          }
        }
      }
    }
  }
}
