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

  /// Deletes a file, if it is there and may be deleted.
  static func remove(_ path: String) { unlink(path) }
}
