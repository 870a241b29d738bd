import Foundation

/// A folder with a store that a process leaves behind, gone with the test.
final class RestartFolder: Sendable {
  private let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("restart-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Where the store lies.
  var file: URL { url.appendingPathComponent("lists.db") }

  /// The store's files as they are now: what a process finds that starts after this one was killed.
  func copy(as name: String) throws -> URL {
    let target = url.appendingPathComponent(name)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: file.path + suffix) {
      try FileManager.default.copyItem(atPath: file.path + suffix, toPath: target.path + suffix)
    }
    return target
  }
}
