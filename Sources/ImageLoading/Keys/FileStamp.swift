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

extension ImageRequest {
  /// The request of a file with the file's size and date of change in its signature, so that a file that was replaced
  /// is another picture.
  var stamped: ImageRequest {
    guard case .file(let url) = source.kind, let stamp = Self.stamp(of: url.path) else { return self }
    var request = self
    request.signature = (signature.map { "\($0.utf8.count):\($0)" } ?? "") + stamp
    return request
  }

  /// One call of the system; nil where there is no such file.
  private static func stamp(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let changed = status.st_mtimespec
    #else
      let changed = status.st_mtim
    #endif
    return "\(status.st_size)@\(changed.tv_sec).\(changed.tv_nsec)"
  }
}
