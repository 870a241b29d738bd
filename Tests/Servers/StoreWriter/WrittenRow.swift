package import PagingStore

/// A row that tells which page wrote it.
package struct WrittenRow: StoredItem {
  package let id: Int
  /// The number of the page.
  package var generation: Int
  /// Something that takes room, so that a page is more than one of the file's.
  package var filling: String

  /// A list of which every page has the same twenty rows, so at any moment all of them are of one generation.
  package static let same = "same"
  /// A writer's own list, which grows by ten rows with each page; each page ends with the newest row of the one before.
  package static func growing(first: Int) -> String { "growing from \(first)" }

  private static let filler = String(repeating: "0123456789", count: 40)

  init(_ id: Int, _ generation: Int) {
    self.id = id
    self.generation = generation
    filling = "\(generation) \(Self.filler)"
  }

  /// The page of ``same``.
  package static func samePage(_ generation: Int) -> RemotePage<WrittenRow> {
    RemotePage((0..<20).map { WrittenRow($0, generation) }, reachedEnd: true)
  }

  /// The page of ``growing(first:)``: ten new rows, and the newest one of those before.
  package static func growingPage(_ generation: Int, first: Int) -> RemotePage<WrittenRow> {
    let newest = newestID(generation, first: first)
    let ids = (newest - 10...newest).reversed()
    return RemotePage(ids.map { WrittenRow($0, generation) }, olderToken: "<\(newest - 10)")
  }

  /// The newest row of that page; the oldest row of all has 1,000.
  package static func newestID(_ generation: Int, first: Int) -> Int { 1_010 + (generation - first) * 10 }
}
