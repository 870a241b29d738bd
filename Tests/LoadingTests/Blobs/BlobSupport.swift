import Foundation
import Loading
import Testing

/// A folder of its own for each test, removed when the last one lets go of it.
final class TemporaryFolder: Sendable {
  let url: URL

  init(in place: URL = FileManager.default.temporaryDirectory) throws {
    url = place.appendingPathComponent("blobs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.path }

  /// The names of all files that are there, hidden ones too.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  func file(of key: String) -> URL { url.appendingPathComponent(BlobName(of: key).fileName) }

  /// What all blobs measure on the disk.
  func blobBytes() throws -> Int {
    try names().filter { $0.hasSuffix(".blob") }.reduce(0) { $0 + (try size(of: url.appendingPathComponent($1))) }
  }

  func size(of file: URL) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
  }

  /// When a blob was used last, in nanoseconds since 1970; nil where there is none.
  func useTime(of key: String) -> Int? {
    var status = stat()
    guard lstat(file(of: key).path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      return Int(status.st_atimespec.tv_sec) * 1_000_000_000 + Int(status.st_atimespec.tv_nsec)
    #else
      return Int(status.st_atim.tv_sec) * 1_000_000_000 + Int(status.st_atim.tv_nsec)
    #endif
  }

  func mode(of url: URL) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
  }
}

/// The code of the error that `body` throws; nil where it throws none.
func loadingCode(_ body: () throws -> Void) -> LoadingError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? LoadingError)?.code
  }
}
