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
  /// The length from which a file's head is read before room is made for the rest: a damaged one may be any length.
  private static let largeLength = 1 << 20

  /// Reads the file at `path`, and marks it as used where its last mark is older than `resolution`.
  init(at path: String, name: BlobName, key: String, resolution: Duration) {
    guard let file = Self.open(path) else {
      self = Self.unopened(path, code: errno)
      return
    }
    guard let status = FileStatus(of: file.number) else {
      self = .failed(SystemFailure("read a blob"))
      return
    }
    guard status.isRegular, status.bytes >= BlobFormat.headLength else {
      self = .damaged(status.identity)
      return
    }
    self = Self.read(file.number, status, name, key)
    if case .value = self { Self.mark(file.number, status, resolution) }
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

  private static func mark(_ descriptor: Int32, _ status: FileStatus, _ resolution: Duration) {
    guard WallClock.now() - status.used >= resolution else { return }
    // A mark that can't be made costs the blob its place in the order, not the read.
    _ = [WallClock.stamp(), WallClock.unchanged].withUnsafeBufferPointer { futimens(descriptor, $0.baseAddress) }
  }

  private static func read(_ descriptor: Int32, _ status: FileStatus, _ name: BlobName, _ key: String) -> BlobReading {
    var key = key
    return key.withUTF8 { key in
      let headLength = BlobFormat.headLength + key.count
      let length = status.bytes
      guard length >= headLength, length < largeLength || headFits(descriptor, length) else {
        return readOther(descriptor, status, name)
      }
      return withUnsafeTemporaryAllocation(byteCount: headLength, alignment: 8) { head in
        guard let memory = malloc(max(1, length - headLength)) else {
          return .failed(SystemFailure("make room for a blob", code: ENOMEM))
        }
        let value = UnsafeMutableRawBufferPointer(start: memory, count: length - headLength)
        var isTaken = false
        defer { if !isTaken { free(memory) } }
        let code = fill(head, value, from: descriptor)
        guard code == 0 else { return failure(code, status) }
        let bytes = UnsafeRawBufferPointer(head)
        guard let told = BlobFormat.Head(bytes, fileLength: length) else { return .damaged(status.identity) }
        guard told.keyLength == key.count, bytes[BlobFormat.headLength...].elementsEqual(key) else {
          return readOther(descriptor, status, name)
        }
        guard BlobFormat.checksum(head: bytes, value: UnsafeRawBufferPointer(value)) == told.checksum else {
          return .damaged(status.identity)
        }
        guard !value.isEmpty else { return .value(Data(), bytes: length) }
        isTaken = true
        return .value(Data(bytesNoCopy: memory, count: value.count, deallocator: .free), bytes: length)
      }
    }
  }

  private static func headFits(_ descriptor: Int32, _ length: Int) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: BlobFormat.headLength, alignment: 8) { head in
      retrying { pread(descriptor, head.baseAddress, head.count, 0) } == head.count
        && BlobFormat.Head(UnsafeRawBufferPointer(head), fileLength: length) != nil
    }
  }

  /// A file that isn't of the key that was looked for: whole and in its place, or damaged.
  private static func readOther(_ descriptor: Int32, _ status: FileStatus, _ name: BlobName) -> BlobReading {
    guard status.bytes < largeLength || headFits(descriptor, status.bytes) else { return .damaged(status.identity) }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { return .failed(SystemFailure("read a blob")) }
    let file = UnsafeMutableRawBufferPointer.allocate(byteCount: status.bytes, alignment: 8)
    defer { file.deallocate() }
    let code = fill(file, UnsafeMutableRawBufferPointer(start: nil, count: 0), from: descriptor)
    guard code == 0 else { return failure(code, status) }
    let bytes = UnsafeRawBufferPointer(file)
    guard let told = BlobFormat.Head(bytes, fileLength: bytes.count) else { return .damaged(status.identity) }
    let end = BlobFormat.headLength + told.keyLength
    let sum = BlobFormat.checksum(
      head: UnsafeRawBufferPointer(rebasing: bytes[..<end]), value: UnsafeRawBufferPointer(rebasing: bytes[end...]))
    let key = String(decoding: bytes[BlobFormat.headLength..<end], as: UTF8.self)
    return sum == told.checksum && BlobName(of: key) == name ? .otherKey : .damaged(status.identity)
  }

  /// What a read that ended so means: a file that ended early was cut meanwhile.
  private static func failure(_ code: Int32, _ status: FileStatus) -> BlobReading {
    code == ENODATA ? .damaged(status.identity) : .failed(SystemFailure("read a blob", code: code))
  }

  /// Reads from where the file stands until both are full.
  ///
  /// - Returns: Zero, the system's number for what went wrong, or `ENODATA` where the file is shorter.
  private static func fill(
    _ head: UnsafeMutableRawBufferPointer, _ value: UnsafeMutableRawBufferPointer, from descriptor: Int32
  ) -> Int32 {
    let parts = (
      iovec(iov_base: head.baseAddress, iov_len: head.count), iovec(iov_base: value.baseAddress, iov_len: value.count)
    )
    var done = withUnsafeBytes(of: parts) { parts in
      retrying { readv(descriptor, parts.assumingMemoryBound(to: iovec.self).baseAddress, 2) }
    }
    guard done >= 0 else { return errno }
    while done < head.count + value.count {
      let rest = done < head.count ? head[done...] : value[(done - head.count)...]
      let count = readSome(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: rest))
      guard count > 0 else { return count == 0 ? ENODATA : errno }
      done += count
    }
    return 0
  }
}
