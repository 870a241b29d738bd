import Foundation

/// What kind of file an operand names.
enum BrowsedFile: Hashable, Sendable {
  /// A list store.
  case store
  /// One JSON value a line.
  case rows

  /// What the file at `path` is, by its first bytes; nil where there is no file.
  init?(_ path: String) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else { return nil }
    let start = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)).read(upToCount: Self.magic.count)
    self = start == Self.magic ? .store : .rows
  }

  /// Whether text that is no file's name was most likely meant to be one.
  static func isLikely(_ text: String) -> Bool {
    if text.contains("://") { return false }
    return text.hasPrefix("/") || text.hasPrefix(".") || text.hasPrefix("~")
      || [".db", ".sqlite", ".ndjson", ".jsonl", ".json"].contains { text.lowercased().hasSuffix($0) }
  }

  /// How every SQLite file begins (its file format, section 1.3).
  private static let magic = Data("SQLite format 3\0".utf8)
}
