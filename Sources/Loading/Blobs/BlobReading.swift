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

/// What came of reading a blob's file.
enum BlobReading {
  /// The value, and what the whole file measures.
  case value(Data, bytes: Int)
  /// There is no file.
  case absent
  /// A whole file of another key, whose name is the same by chance.
  case otherKey
  /// A file that can't have been written so, or can't be opened.
  case damaged(FileStatus.Identity)
  /// The disk or the system, not the file.
  case failed(SystemFailure)
}

extension BlobReading {
  /// The length from which a file's tail is read before room is made for the rest: a damaged one may be any length.
  private static let largeLength = 1 << 20

  /// Reads the file at `path`, and marks it as used where its last mark is older than `resolution`.
  init(at path: String, name: BlobName, key: String, now: Duration, resolution: Duration) {
    guard let file = Self.open(path) else {
      self = Self.unopened(path, code: errno)
      return
    }
    guard let status = FileStatus(of: file.number) else {
      self = .failed(SystemFailure("read a blob"))
      return
    }
    guard status.isRegular, status.bytes >= BlobFormat.tailLength else {
      self = .damaged(status.identity)
      return
    }
    self = Self.read(file.number, status, name, key)
    if case .value = self { Self.mark(file.number, status, now, resolution) }
  }

  #if !canImport(Darwin)
    /// Linux's `O_NOATIME`, which the C libraries hide from those who don't ask for GNU extensions.
    private static let noAccessTime: Int32 = 0o1_000_000
  #endif

  private static func open(_ path: String) -> FileDescriptor? {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    #if canImport(Darwin)
      return FileDescriptor(path, flags)
    #else
      // The kernel's own mark of the use is of a coarser clock; it lets only the owner go without.
      if let file = FileDescriptor(path, flags | noAccessTime) { return file }
      return errno == EPERM ? FileDescriptor(path, flags) : nil
    #endif
  }

  private static func unopened(_ path: String, code: Int32) -> BlobReading {
    switch code {
    case ENOENT: .absent
    case EACCES, EPERM, ELOOP, ENXIO:
      // If its status can be had, it is the file that is closed to us, else the folder.
      FileStatus(at: path).map { .damaged($0.identity) } ?? .failed(SystemFailure("read a blob", code: code))
    default: .failed(SystemFailure("open a blob", code: code))
    }
  }

  private static func mark(_ descriptor: Int32, _ status: FileStatus, _ now: Duration, _ resolution: Duration) {
    guard now - status.used >= resolution else { return }
    // A mark that can't be made costs the blob its place in the order, not the read.
    _ = [WallClock.stamp(), WallClock.unchanged].withUnsafeBufferPointer { futimens(descriptor, $0.baseAddress) }
  }

  private static func read(_ descriptor: Int32, _ status: FileStatus, _ name: BlobName, _ key: String) -> BlobReading {
    let length = status.bytes
    guard length < largeLength || tailFits(descriptor, length) else { return .damaged(status.identity) }
    guard let memory = malloc(length) else { return .failed(SystemFailure("make room for a blob", code: ENOMEM)) }
    var isTaken = false
    defer { if !isTaken { free(memory) } }
    let code = fill(UnsafeMutableRawBufferPointer(start: memory, count: length), from: descriptor)
    guard code == 0 else {
      // A file that ended early was cut meanwhile.
      return code == ENODATA ? .damaged(status.identity) : .failed(SystemFailure("read a blob", code: code))
    }
    let file = UnsafeRawBufferPointer(start: memory, count: length)
    guard let tail = BlobFormat.Tail(file, fileLength: length) else { return .damaged(status.identity) }
    let value = UnsafeRawBufferPointer(rebasing: file[..<tail.valueLength])
    let stored = UnsafeRawBufferPointer(rebasing: file[tail.valueLength..<tail.valueLength + tail.keyLength])
    guard BlobFormat.checksum(key: stored, value: value) == tail.checksum else { return .damaged(status.identity) }
    var key = key
    guard key.withUTF8({ isEqual(UnsafeRawBufferPointer($0), stored) }) else {
      // Whole, and in the place of its own key; or moved to where nobody will look for it.
      let isInPlace = BlobName(of: String(decoding: stored, as: UTF8.self)) == name
      return isInPlace ? .otherKey : .damaged(status.identity)
    }
    guard !value.isEmpty else { return .value(Data(), bytes: length) }
    isTaken = true
    return .value(Data(bytesNoCopy: memory, count: value.count, deallocator: .free), bytes: length)
  }

  private static func isEqual(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
    guard let first = a.baseAddress, let second = b.baseAddress else { return a.count == b.count }
    return a.count == b.count && memcmp(first, second, a.count) == 0
  }

  private static func tailFits(_ descriptor: Int32, _ length: Int) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: BlobFormat.tailLength, alignment: 8) { tail in
      let start = off_t(length - BlobFormat.tailLength)
      return retrying { pread(descriptor, tail.baseAddress, tail.count, start) } == tail.count
        && BlobFormat.Tail(UnsafeRawBufferPointer(tail), fileLength: length) != nil
    }
  }

  /// Reads from where the file stands until the buffer is full.
  ///
  /// - Returns: Zero, the system's number for what went wrong, or `ENODATA` where the file is shorter.
  private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int32 {
    var done = 0
    while done < buffer.count {
      let count = readSome(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
      guard count > 0 else { return count == 0 ? ENODATA : errno }
      done += count
    }
    return 0
  }
}
