extension DecodedImage {
  /// The picture in exactly that size, whatever its proportions: the mean of the pixels that lie in each where it gets
  /// smaller, linear between them where it grows, each direction by itself. O(pixels that come in and go out).
  ///
  /// - Throws: ``ImageCodecError/Code/limit`` where a side is not positive or there is no memory;
  ///   ``ImageCodecError/Code/cancelled``.
  package func resized(to size: PixelSize) throws(ImageCodecError) -> DecodedImage {
    guard size != self.size else { return self }
    var scaler = try RowScaler(from: self.size, to: size, .upright)
    let (width, height) = (self.size.width, self.size.height)
    try withPixels { (pixels: UnsafeRawBufferPointer) throws(ImageCodecError) in
      guard let start = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      for row in 0..<height {
        if row % 64 == 0, Task.isCancelled {
          throw ImageCodecError(.cancelled, message: "the task was cancelled while it resized a picture")
        }
        scaler.add(start + 4 * width * row)
      }
    }
    return try scaler.finish()
  }
}
