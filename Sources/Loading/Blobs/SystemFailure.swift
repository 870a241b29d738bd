#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A system call that failed.
struct SystemFailure: Error, CustomStringConvertible {
  /// What was attempted, as "open the folder".
  let attempt: String
  /// The system's number for the reason.
  let code: Int32

  init(_ attempt: String, code: Int32 = errno) {
    self.attempt = attempt
    self.code = code
  }

  /// Whether the reason is that a file or a folder isn't there.
  var isAbsence: Bool { code == ENOENT }

  /// A blob that fits no more.
  static var outOfRoom: SystemFailure { SystemFailure("put a blob in place", code: ENOSPC) }

  var description: String { "could not \(attempt): \(String(cString: strerror(code))) (\(code))" }

  /// The error that a store throws for it.
  var loadingError: LoadingError {
    switch code {
    case ENOSPC, EDQUOT:
      LoadingError(.diskFull, message: "\(description); free some space, nothing was changed", cause: self)
    default:
      LoadingError(.inputOutput, message: "\(description); check the folder's volume and permissions", cause: self)
    }
  }
}

/// An open file, closed when it goes.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Opens a file that no child process is to inherit; nil with `errno` set where it can't be.
  init?(_ path: String, _ flags: Int32, mode: mode_t = 0) {
    let number = retrying { open(path, flags | O_CLOEXEC, mode) }
    guard number >= 0 else { return nil }
    self.number = number
  }

  deinit { _ = close(number) }

  /// Brings what was written to the disk; for a folder, its names.
  ///
  /// - Returns: Whether that went well; if not, `errno` says why.
  borrowing func sync() -> Bool {
    #if canImport(Darwin)
      // A plain fsync leaves the order in which the drive writes to the drive.
      if fcntl(number, F_BARRIERFSYNC) == 0 { return true }
    #endif
    return retrying { fsync(number) } == 0
  }
}

/// Makes a call again for as long as a signal interrupts it.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// Reads at most as much as the buffer holds, from where the file stands.
func readSome(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
  retrying { read(descriptor, buffer.baseAddress, buffer.count) }
}

/// Writes at least a byte of the buffer to where the file stands.
func writeSome(_ descriptor: Int32, from buffer: UnsafeRawBufferPointer) -> Int {
  retrying { write(descriptor, buffer.baseAddress, buffer.count) }
}
