#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The folder of a store: its names, made, listed and removed.
struct BlobFolder: Sendable {
  static let temporaryPrefix = ".writing-"
  /// The age from which an unfinished file is given up where locks can't tell whether its writer lives.
  private static let abandonedAge = Duration.seconds(3600)

  let path: String

  func path(of name: BlobName) -> String {
    var path = path
    let count = path.utf8.count
    return String(unsafeUninitializedCapacity: count + 1 + BlobName.fileNameLength) { buffer in
      path.withUTF8 { _ = buffer.update(fromContentsOf: $0) }
      buffer[count] = UInt8(ascii: "/")
      name.write(to: UnsafeMutableBufferPointer(rebasing: buffer[(count + 1)...]))
      return count + 1 + BlobName.fileNameLength
    }
  }

  /// A new name for a file that is being written.
  func temporaryPath() -> String {
    path + "/" + Self.temporaryPrefix + String(UInt64.random(in: 0 ... .max), radix: 16)
  }

  /// Makes the folder and those above it where they are missing, open to their owner only.
  func make() throws(SystemFailure) {
    var isDirectory: Bool {
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
    if isDirectory { return }
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      // Whichever part can't be made for another reason than being there shows in the check at the end.
      _ = mkdir(made, 0o700)
    }
    let code = errno
    guard isDirectory else { throw SystemFailure("make the folder \(path)", code: code == EEXIST ? ENOTDIR : code) }
  }

  /// All blobs, at the cost of a status each; what processes that died left unfinished is removed on the way.
  func list() throws(SystemFailure) -> [BlobIndex.Listed] {
    guard let folder = opendir(path) else { throw SystemFailure("list the folder \(path)") }
    defer { closedir(folder) }
    let place = dirfd(folder)
    var listed: [BlobIndex.Listed] = []
    errno = 0
    while let entry = readdir(folder) {
      // By the pointer: a copy of the entry would be cut where the record on the disk is shorter than the type.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let text = UnsafeRawPointer(entry) + offset
      let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text.assumingMemoryBound(to: CChar.self)))
      if let name = BlobName(fileName: bytes) {
        var status = stat()
        if fstatat(place, text.assumingMemoryBound(to: CChar.self), &status, AT_SYMLINK_NOFOLLOW) == 0 {
          let status = FileStatus(status)
          if status.isRegular {
            listed.append(
              BlobIndex.Listed(name: name, bytes: status.bytes, written: status.written, used: status.used))
          }
        }
      } else if bytes.starts(with: Self.temporaryPrefix.utf8) {
        removeIfAbandoned(path + "/" + String(decoding: bytes, as: UTF8.self))
      }
      errno = 0
    }
    if errno != 0 { throw SystemFailure("list the folder \(path)") }
    return listed
  }

  /// A writer holds a lock on its file for as long as it writes; the lock of one that died is free.
  private func removeIfAbandoned(_ path: String) {
    if let file = FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) {
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 {
        _ = unlink(path)
        return
      }
      if errno == EWOULDBLOCK { return }
    }
    guard let status = FileStatus(at: path), WallClock.now() - status.written > Self.abandonedAge else { return }
    _ = unlink(path)
  }

  /// A blob's file as a listing tells of it; nil where there is none.
  func status(of name: BlobName) -> BlobIndex.Listed? {
    guard let status = FileStatus(at: path(of: name)), status.isRegular else { return nil }
    return BlobIndex.Listed(name: name, bytes: status.bytes, written: status.written, used: status.used)
  }

  /// Removes a blob's file; that it is gone already is no failure.
  func remove(_ name: BlobName) throws(SystemFailure) {
    if unlink(path(of: name)) != 0, errno != ENOENT { throw SystemFailure("remove a blob") }
  }

  /// Removes a blob's file where it still is that one, and not a newer one of its name.
  func remove(_ name: BlobName, if identity: FileStatus.Identity) {
    let path = path(of: name)
    guard FileStatus(at: path)?.identity == identity else { return }
    _ = unlink(path)
  }

  /// Brings removals to the disk, so that they outlive a power cut.
  func sync() throws(SystemFailure) {
    guard let folder = FileDescriptor(path, O_RDONLY | O_DIRECTORY) else {
      if errno == ENOENT { return }
      throw SystemFailure("open the folder \(path)")
    }
    // Some file systems can't, and say so.
    guard folder.sync() || errno == EINVAL || errno == ENOTSUP else { throw SystemFailure("sync the folder \(path)") }
  }

  /// What the volume has free for this user, in bytes; nil where it can't be told.
  var freeBytes: Int? {
    var volume = statvfs()
    guard statvfs(path, &volume) == 0 else { return nil }
    let (bytes, overflows) = Int(clamping: volume.f_bavail).multipliedReportingOverflow(
      by: Int(clamping: volume.f_frsize))
    return overflows ? .max : bytes
  }
}
