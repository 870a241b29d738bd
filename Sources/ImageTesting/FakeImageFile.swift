import ImageCodecs

/// A file of the format that ``FakeImageDecoder`` reads: a signature, width and height (32 bits each), milliseconds and
/// number of frames (16 bits each), four bytes of colour for each frame, a mark at the end. The lowest byte comes
/// first.
struct FakeImageFile {
  static let signature = Array("FAKEIMG1".utf8)
  private static let mark = Array("END.".utf8)
  private static let headLength = 20

  let size: PixelSize
  /// One for each frame; none where a file that is cut was to be shown as far as it goes.
  let colors: [[UInt8]]
  let milliseconds: UInt16

  /// What isn't given of a colour counts as 255.
  init(size: PixelSize, colors: [[UInt8]], milliseconds: UInt16 = 100) {
    self.size = size
    self.colors = colors.map { Array(($0 + [255, 255, 255, 255]).prefix(4)) }
    self.milliseconds = milliseconds
  }

  var bytes: [UInt8] {
    var bytes = Self.signature
    for side in [size.width, size.height] {
      let value = UInt32(clamping: side)
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    for value in [milliseconds, UInt16(clamping: colors.count)] {
      bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    return bytes + colors.joined() + Self.mark
  }

  /// The head of a file, without its frames.
  init(head data: [UInt8]) throws(ImageCodecError) {
    guard data.starts(with: Self.signature.prefix(data.count)), !data.isEmpty else {
      throw ImageCodecError(.unsupported, message: "this is no file of the fake decoder's format")
    }
    guard data.count >= Self.headLength else {
      throw ImageCodecError(.truncated, message: "the file ends in its head, after \(data.count) bytes")
    }
    func number(_ start: Int, _ count: Int) -> Int {
      data[start..<(start + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    size = PixelSize(width: number(8, 4), height: number(12, 4))
    guard size.width > 0, size.height > 0, number(18, 2) > 0 else {
      throw ImageCodecError(.corrupt, message: "the file's picture is \(size) with \(number(18, 2)) frames")
    }
    milliseconds = UInt16(clamping: max(20, number(16, 2)))
    colors = [[UInt8]](repeating: [], count: number(18, 2))
  }

  /// The whole file.
  init(_ data: [UInt8], isPartial: Bool) throws(ImageCodecError) {
    let head = try FakeImageFile(head: data)
    size = head.size
    milliseconds = head.milliseconds
    let end = Self.headLength + 4 * head.colors.count
    guard data.count >= end + Self.mark.count else {
      guard isPartial else {
        throw ImageCodecError(
          .truncated, message: "the file ends after \(data.count) of \(end + Self.mark.count) bytes")
      }
      colors = []
      return
    }
    colors = head.colors.indices.map { Array(data[(Self.headLength + 4 * $0)..<(Self.headLength + 4 * $0 + 4)]) }
    let isMultiplied = colors.allSatisfy { color in color.allSatisfy { $0 <= color[3] } }
    guard data[end...].starts(with: Self.mark), isMultiplied else {
      throw ImageCodecError(.corrupt, message: "the file's colours or its end are damaged")
    }
  }

  /// The size that comes out.
  ///
  /// - Throws: ``ImageCodecError/Code/limit``.
  func outputSize(_ options: DecodeOptions) throws(ImageCodecError) -> PixelSize {
    let (limits, output) = (options.limits, options.target.outputSize(for: size))
    for (isBroken, name) in [
      (size.area > limits.maxSourcePixels, "maxSourcePixels"),
      (max(size.width, size.height) > limits.maxSide, "maxSide"),
      (output.area > limits.maxOutputPixels, "maxOutputPixels"), (limits.maxTime <= .zero, "maxTime"),
    ] where isBroken {
      throw ImageCodecError(.limit, message: "the file's \(size) pixels are above \(name)")
    }
    return output
  }

  /// The picture of a frame; transparent where there is none.
  func image(_ frame: Int, _ options: DecodeOptions) throws(ImageCodecError) -> DecodedImage {
    let output = try outputSize(options)
    let color = colors.indices.contains(frame) ? colors[frame] : [0, 0, 0, 0]
    return try DecodedImage(size: output) { (pixels: UnsafeMutableRawBufferPointer) throws(ImageCodecError) in
      for row in 0..<output.height {
        if Task.isCancelled { throw ImageCodecError(.cancelled, message: "the task was cancelled") }
        let start = 4 * row * output.width
        for index in start..<(start + 4 * output.width) { pixels[index] = color[index % 4] }
      }
    }
  }
}

/// The frames of such a file.
final class FakeImageFrames: ImageFrames {
  private let file: FakeImageFile
  private let options: DecodeOptions
  private let nextIndex = Counter()
  let size: PixelSize

  init(_ file: FakeImageFile, _ options: DecodeOptions) throws(ImageCodecError) {
    self.file = file
    self.options = options
    size = try file.outputSize(options)
  }

  var count: Int { file.colors.count }
  var loopCount: Int { 0 }

  func next() throws(ImageCodecError) -> ImageFrame? {
    guard let index = nextIndex.take(below: count) else { return nil }
    let image = try file.image(index, options)
    return ImageFrame(image: image, duration: .milliseconds(Int(file.milliseconds)))
  }

  func seek(to index: Int) throws(ImageCodecError) { nextIndex.set(max(0, index)) }
}
