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
  /// A list that grows by ten rows with each page, which begins where the one before did.
  package static let growing = "growing"

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

  /// The page of ``growing``: ten new rows, and the newest one of those before.
  package static func growingPage(_ generation: Int) -> RemotePage<WrittenRow> {
    let newest = 1_000 + generation * 10
    let ids = (newest - 10...newest).reversed()
    return RemotePage(ids.map { WrittenRow($0, generation) }, olderToken: "<\(newest - 10)")
  }
}
