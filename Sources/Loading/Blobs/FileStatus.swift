import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// What a file is and when it was written and used.
struct FileStatus {
  /// Tells a file from another that took its name.
  struct Identity: Equatable {
    let device: UInt64
    let number: UInt64
  }

  let identity: Identity
  let isRegular: Bool
  let bytes: Int
  /// Since 1970.
  let written: Duration
  /// Since 1970.
  let used: Duration

  init(_ status: stat) {
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(truncatingIfNeeded: status.st_ino))
    isRegular = status.st_mode & S_IFMT == S_IFREG
    bytes = Int(clamping: status.st_size)
    #if canImport(Darwin)
      written = Duration(since1970: status.st_mtimespec)
      used = Duration(since1970: status.st_atimespec)
    #else
      written = Duration(since1970: status.st_mtim)
      used = Duration(since1970: status.st_atim)
    #endif
  }

  /// The status of what is at `path`, a link itself and not what it leads to; nil with `errno` set where there is none.
  init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The status of an open file.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }
}

/// The wall clock, which the times on files are of, too.
enum WallClock {
  private static let last = Atomic<Int64>(0)

  /// The time since 1970.
  static func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Duration(since1970: time)
  }

  /// The time since 1970, later than every one that this gave before in this process: an order of use among files.
  static func stamp() -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let wanted = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    while true {
      let last = last.load(ordering: .relaxed)
      let stamp = max(wanted, last &+ 1)
      if Self.last.compareExchange(expected: last, desired: stamp, ordering: .relaxed).exchanged {
        time.tv_sec = numericCast(stamp / 1_000_000_000)
        time.tv_nsec = numericCast(stamp % 1_000_000_000)
        return time
      }
    }
  }

  /// `UTIME_OMIT`, a macro that isn't imported: the one of two file times that is to stay as it is.
  static let unchanged: timespec = {
    #if canImport(Darwin)
      timespec(tv_sec: 0, tv_nsec: -2)
    #else
      timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2)
    #endif
  }()
}

extension Duration {
  init(since1970 time: timespec) {
    self = .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }
}
