#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// What the file system says about a path.
struct FileFacts {
  /// Bytes; nil: there is no such file, or it can't be seen.
  let size: Int64?

  /// Looks once.
  init(_ path: String) {
    var facts = stat()
    size = stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
  }

  /// Makes an empty file that only its owner may read and write, where there is none; SQLite gives its log the same
  /// permissions.
  ///
  /// What goes wrong shows when the file is opened.
  static func createForOwner(_ path: String) {
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 { close(file) }
  }

  /// Deletes a file, if it is there and may be deleted.
  static func remove(_ path: String) { unlink(path) }
}
