#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The memory of a picture's pixels, four bytes each; given back with its owner.
struct PixelMemory: ~Copyable {
  let start: UnsafeMutablePointer<UInt8>
  let byteCount: Int

  /// Memory that holds zeros. The system hands out zeroed pages, so that large pictures aren't written twice.
  ///
  /// - Throws: ``ImageCodecError/Code/limit`` where a side is not positive, or there is no such memory.
  init(_ size: PixelSize) throws(ImageCodecError) {
    let byteCount = try Self.byteCount(of: size)
    guard let memory = calloc(byteCount, 1) else {
      throw ImageCodecError(
        .limit, message: "there is no memory for an image of \(size) pixels; ask for a smaller target")
    }
    start = memory.bindMemory(to: UInt8.self, capacity: byteCount)
    self.byteCount = byteCount
  }

  deinit { free(start) }

  /// - Throws: ``ImageCodecError/Code/limit`` where a side is not positive or the bytes can't be counted.
  static func byteCount(of size: PixelSize) throws(ImageCodecError) -> Int {
    let (byteCount, overflow) = size.area.multipliedReportingOverflow(by: 4)
    guard size.width > 0, size.height > 0, !overflow else {
      throw ImageCodecError(.limit, message: "an image of \(size) pixels can't be held; both sides must be at least 1")
    }
    return byteCount
  }
}
