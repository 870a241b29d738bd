import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Reads a file that an app names. Blocks; never on a pipe or a device, which may never end.
enum FileReading {
  private static let pieceLength = 1 << 20

  /// All bytes of a file.
  ///
  /// - Parameters:
  ///   - url: A file URL.
  ///   - limit: The most bytes that it may have.
  ///   - isCancelled: Looked at before each piece of a mebibyte.
  /// - Returns: The bytes, or why there are none: an ``ImageError``, or a `CancellationError`.
  static func bytes(of url: URL, limit: Int, isCancelled: () -> Bool) -> Result<[UInt8], any Error> {
    let path = url.path
    let name = url.lastPathComponent
    guard !path.isEmpty, !path.utf8.contains(0) else {
      return .failure(ImageError(.invalidRequest, message: "the URL names no file; give one with a path"))
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return .failure(failure("open", name, errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .failure(failure("read", name, errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      return .failure(ImageError(.source, message: "\(name) is no file; give the URL of one"))
    }
    guard status.st_size <= limit else { return .failure(tooLarge(name, limit)) }
    return read(descriptor, name: name, expected: Int(status.st_size), limit: limit, isCancelled: isCancelled)
  }

  private static func read(
    _ descriptor: Int32, name: String, expected: Int, limit: Int, isCancelled: () -> Bool
  ) -> Result<[UInt8], any Error> {
    var bytes: [UInt8] = []
    // One more than it measures, so that its end shows without another piece.
    bytes.reserveCapacity(expected + 1)
    while true {
      if isCancelled() { return .failure(CancellationError()) }
      let wanted = min(pieceLength, max(1, expected + 1 - bytes.count))
      var code: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        var got = -1
        repeat { got = systemRead(descriptor, buffer.baseAddress, wanted) } while got < 0 && errno == EINTR
        if got < 0 { code = errno }
        count = max(0, got)
      }
      if code != 0 { return .failure(failure("read", name, code)) }
      if piece.isEmpty { return .success(bytes) }
      // It may grow while it is read.
      guard piece.count <= limit - bytes.count else { return .failure(tooLarge(name, limit)) }
      bytes += piece
    }
  }

  private static func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, buffer, count)
    #elseif canImport(Glibc)
      Glibc.read(descriptor, buffer, count)
    #elseif canImport(Musl)
      Musl.read(descriptor, buffer, count)
    #elseif canImport(Android)
      Android.read(descriptor, buffer, count)
    #endif
  }

  private static func failure(_ attempt: String, _ name: String, _ code: Int32) -> ImageError {
    ImageError(
      .source,
      message:
        "could not \(attempt) \(name): \(String(cString: strerror(code))); "
        + "see whether the file is there and may be read"
    )
  }

  private static func tooLarge(_ name: String, _ limit: Int) -> ImageError {
    ImageError(
      .limit,
      message: "\(name) is longer than \(limit) bytes; make it smaller, or raise ImageLoaderConfig.maxResponseBytes")
  }
}
