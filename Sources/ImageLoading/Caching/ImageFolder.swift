import Foundation

/// The folder of the cache's files, inside the one that the app names: called by the version of what lies in it, so
/// that another version never reads it.
struct ImageFolder: Sendable {
  /// The version of blobs, keys and the folder's layout.
  static let currentVersion = 1

  let url: URL
  private let parent: URL
  private let version: Int

  init(in parent: URL, version: Int = Self.currentVersion) {
    self.parent = parent
    self.version = version
    url = parent.appendingPathComponent("v\(version)", isDirectory: true)
  }

  /// Removes what earlier versions left. Folders of other names, and of later versions, are another's.
  ///
  /// Blocks on the disk. What can't be removed stays, and costs nothing but its room.
  func removeEarlierVersions() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
    for name in names where Self.version(name).map({ $0 < version }) ?? false {
      try? FileManager.default.removeItem(at: parent.appendingPathComponent(name, isDirectory: true))
    }
  }

  private static func version(_ name: String) -> Int? {
    guard name.hasPrefix("v"), let number = Int(name.dropFirst()), "v\(number)" == name else { return nil }
    return number
  }
}
