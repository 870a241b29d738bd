import Paging
import PagingHTTP

/// The rows of a server's list as a store keeps them.
struct StoredRemote: PageSource {
  private let source: HTTPPageSource<RawRow>
  private let name: String

  /// The rows of `source`, for the list `name`.
  init(_ source: HTTPPageSource<RawRow>, name: String) {
    self.source = source
    self.name = name
  }

  var keyKind: KeyKind { source.keyKind }

  func key(forIndex index: Int) -> HTTPPageKey? { source.key(forIndex: index) }

  /// One page of the server's.
  @concurrent func load(_ params: LoadParams<HTTPPageKey>) async throws -> Page<HTTPPageKey, StoredRow> {
    let page = try await source.load(params)
    return Page(
      page.items.map { StoredRow($0, in: name) }, previousKey: page.previousKey, nextKey: page.nextKey,
      itemsBefore: page.itemsBefore, itemsAfter: page.itemsAfter, total: page.total)
  }
}
