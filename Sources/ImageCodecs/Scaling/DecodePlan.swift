/// What is to be made of a file of known size: checked against the limits before anything is allocated.
struct DecodePlan {
  /// The size in the file, before it is turned upright.
  let stored: PixelSize
  let orientation: Orientation
  /// The size that comes out, still lying as it does in the file.
  let output: PixelSize
  let options: DecodeOptions

  /// - Throws: ``ImageCodecError/Code/corrupt`` for a picture without pixels, ``ImageCodecError/Code/limit`` for one
  ///   that is too large.
  init(stored: PixelSize, orientation: Orientation = .upright, options: DecodeOptions) throws(ImageCodecError) {
    try options.limits.admit(source: stored)
    let upright = options.target.outputSize(for: orientation.upright(stored))
    try options.limits.admit(output: upright)
    self.stored = stored
    self.orientation = orientation
    self.options = options
    output = orientation.isTransposed ? upright.transposed : upright
  }

  /// The size that comes out, upright.
  var uprightOutput: PixelSize { orientation.upright(output) }
}

extension ImageLimits {
  func admit(source: PixelSize) throws(ImageCodecError) {
    guard source.width > 0, source.height > 0 else {
      throw ImageCodecError(
        .corrupt, message: "the file says that its picture is \(source) pixels; it has none to show")
    }
    guard source.width <= maxSide, source.height <= maxSide else {
      throw ImageCodecError(
        .limit,
        message:
          "a picture of \(source) pixels has a side above maxSide (\(maxSide)); raise it if the file can be trusted")
    }
    guard source.area <= maxSourcePixels else {
      throw ImageCodecError(
        .limit,
        message:
          "a picture of \(source) pixels is above maxSourcePixels (\(maxSourcePixels)); "
          + "raise it if the file can be trusted"
      )
    }
  }

  func admit(output: PixelSize) throws(ImageCodecError) {
    guard output.area <= maxOutputPixels else {
      throw ImageCodecError(
        .limit,
        message: "\(output) pixels would come out, above maxOutputPixels (\(maxOutputPixels)); ask for a smaller target"
      )
    }
  }
}
