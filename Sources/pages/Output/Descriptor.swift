import Foundation

/// An open file, pipe or terminal that bytes are written to.
struct Descriptor: Sendable {
  /// The system's number for it.
  let number: Int32

  static let standardOutput = Descriptor(number: STDOUT_FILENO)
  static let standardError = Descriptor(number: STDERR_FILENO)

  /// Opens a file to write to: emptied, or with what it holds kept and added to.
  ///
  /// - Parameter permissions: Those of a file that is made, less what the user's umask takes away.
  init(file path: String, appending: Bool, permissions: mode_t = 0o644) throws(WriteFailure) {
    number = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (appending ? O_APPEND : O_TRUNC), permissions)
    if number < 0 { throw WriteFailure(code: errno) }
  }

  private init(number: Int32) {
    self.number = number
  }

  /// Whether a person is likely to be looking.
  var isTerminal: Bool { isatty(number) == 1 }

  /// Writes all of `bytes`; waits while a pipe is full.
  func write(_ bytes: some Sequence<UInt8>) throws(WriteFailure) {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { systemWrite(number, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case let code: throw WriteFailure(code: code)
      }
    }
  }

  /// How many bytes a regular file holds; nil for anything else.
  var fileSize: Int? {
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// How many bytes the regular file at `path` holds; nil for anything else, and where nothing is.
  static func sizeOfFile(_ path: String) -> Int? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Whether there is something at `path` that is no regular file: a device, a pipe, a folder.
  static func isSpecial(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  /// Cuts a regular file to its first `size` bytes.
  func cut(to size: Int) throws(WriteFailure) {
    while ftruncate(number, off_t(size)) != 0 {
      if errno != EINTR { throw WriteFailure(code: errno) }
    }
  }

  /// Closes it; nothing may be written after that.
  func close() {
    _ = systemClose(number)
  }

  // Someone else may have made the pipe non-blocking, as some shells' coprocesses do.
  private func waitUntilWritable() {
    var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, -1)
  }
}

/// Bytes that could not be written.
struct WriteFailure: Error, Hashable, Sendable {
  /// The system's error number.
  let code: Int32

  /// Whether the reader of a pipe went away, which is no fault of anyone's.
  var readerLeft: Bool { code == EPIPE }
  /// The system's words for it.
  var reason: String { String(cString: strerror(code)) }
}

private func systemClose(_ number: Int32) -> Int32 { close(number) }

private func systemWrite(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(number, bytes, count)
}
