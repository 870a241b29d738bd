#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A blob that is being written: under a name of its own until it is whole and on the disk.
///
/// The file stays locked for as long as it is open, which tells other processes that its writer lives. Where it was not
/// put in place, it is removed when this goes.
struct TemporaryBlob: ~Copyable {
  private let path: String
  private let file: FileDescriptor
  private var isPlaced = false

  private init(path: String, file: consuming FileDescriptor) {
    self.path = path
    self.file = file
  }

  /// Makes the file and writes it.
  static func written(in folder: BlobFolder, value: Data, end: [UInt8]) throws(SystemFailure) -> TemporaryBlob {
    let path = folder.temporaryPath()
    guard let file = FileDescriptor(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600) else {
      throw SystemFailure("make a file")
    }
    let blob = TemporaryBlob(path: path, file: file)
    // A process that opens the folder between the two calls may take the file for abandoned: it shows when it is to be
    // put in place, and the store starts over.
    _ = flock(blob.file.number, LOCK_EX | LOCK_NB)
    try blob.write(value, end)
    return blob
  }

  private borrowing func write(_ value: Data, _ end: [UInt8]) throws(SystemFailure) {
    let number = file.number
    let code = value.withUnsafeBytes { value in
      end.withUnsafeBytes { end in Self.writeAll(value, end, to: number) }
    }
    guard code == 0 else { throw SystemFailure("write a blob", code: code) }
    guard file.sync() else { throw SystemFailure("write a blob") }
  }

  /// Gives it its name, in place of an earlier file of that name, and the time of its use.
  ///
  /// Either name leads to a whole file at every instant. The rename needs no sync: after a power cut the old blob may
  /// be there again, whole as it was.
  mutating func place(at target: String) throws(SystemFailure) {
    let stamp = WallClock.stamp()
    _ = [stamp, stamp].withUnsafeBufferPointer { futimens(file.number, $0.baseAddress) }
    guard rename(path, target) == 0 else { throw SystemFailure("put a blob in place") }
    isPlaced = true
  }

  /// - Returns: Zero, or the system's number for what went wrong.
  private static func writeAll(
    _ value: UnsafeRawBufferPointer, _ end: UnsafeRawBufferPointer, to descriptor: Int32
  ) -> Int32 {
    for part in [value, end] {
      var rest = part[...]
      while !rest.isEmpty {
        let bytes = UnsafeRawBufferPointer(rebasing: rest)
        let count = writeSome(descriptor, from: bytes)
        guard count > 0 else { return count == 0 ? EIO : errno }
        rest = rest.dropFirst(count)
      }
    }
    return 0
  }

  deinit {
    if !isPlaced { _ = unlink(path) }
  }
}
