import Paging
import PagingStore

/// What a list store knows of one of its lists beside the rows: where they came from.
///
/// The notes are a list themselves, ``catalogue``, so whoever opens a file can tell which lists are in it.
struct StoredListNote: StoredItem {
  /// The list of all notes.
  static let catalogue = "lists"

  /// The list's name.
  let id: String
  /// Where it was walked from.
  let url: String
  /// The options of that walk that say how the server pages and where rows and IDs are, as words of a command line. No
  /// header is among them.
  let options: [String]

  /// The lists of `store`, the one that was walked last first.
  ///
  /// - Throws: A `ListStoreError`.
  static func all(in store: ListStore) async throws -> [StoredListNote] {
    let source = store.list(catalogue, of: StoredListNote.self).pageSource()
    var notes: [StoredListNote] = []
    for try await page in source.pages(pageSize: 200) { notes += page.items.compactMap(\.item) }
    return notes
  }

  /// Puts the note in `store`, in front of the others and in place of an older one of that list.
  ///
  /// - Throws: A `ListStoreError`.
  func put(in store: ListStore) async throws {
    let catalogue = store.list(Self.catalogue, of: StoredListNote.self)
    let others = try await Self.all(in: store).filter { $0.id != id }
    try catalogue.apply(RemotePage([self] + others, reachedEnd: true), for: catalogue.request(.head))
  }
}
