import Paging
import PagingStore

/// A stored list as the browser sees it.
struct StoredBrowsing: BrowsedStore {
  typealias Item = ListRow<StoredRow>

  /// New rows from the server wait until the reader wants them; what is missing between is recorded.
  static let policy = ListPolicy(order: .cursor, freshness: .newItemsControl, gaps: .record)

  private let list: StoredList<StoredRow>
  private let places: StoredPlaces

  private init(_ list: StoredList<StoredRow>) {
    self.list = list
    places = StoredPlaces(list)
  }

  /// `list` where it was left.
  ///
  /// - Parameters:
  ///   - config: How it is paged.
  ///   - explain: Puts a failure into words.
  static func browsed(
    _ list: StoredList<StoredRow>, config: PagingConfig, title: String, pictures: PicturePlace,
    explain: @escaping @Sendable (any Error) -> String
  ) -> (list: BrowsedList<Item>, pager: StoredPager<StoredRow>) {
    let pager = list.pager(config: config)
    var browsed = BrowsedList<Item>(content: pager, title: title, pictures: pictures, explain: explain)
    browsed.store = StoredBrowsing(list)
    browsed.find = { try await find($0, in: list) }
    // What can't be read here is said by the list's first load.
    if let place = try? list.savedPosition(), !place.isStale, !place.position.followsNewest {
      browsed.opening = try? list.rowID(of: place.position.item)
    }
    return (browsed, pager)
  }

  func fill(_ gap: Gap, from side: GapSide) async throws { try await list.fill(gap, from: side) }

  var newRows: AsyncStream<PendingCount> { list.pendingCount() }

  func showNew(goesThere: Bool) throws {
    try list.showPending()
    if goesThere { try list.jumpToNewest() }
  }

  func keep(_ item: Item, isFirst: Bool) {
    if let row = item.item { places.keep(row, isFirst: isFirst) }
  }

  func flush() async { await places.flush() }

  /// Looks through all stored rows, from the newest on: by an ID at once, else page by page.
  private static func find(
    _ target: BrowsePrompt.Target, in list: StoredList<StoredRow>
  ) async throws -> BrowsedList<Item>.Found? {
    if case .text(let text) = target {
      // An ID is kept as its JSON text: a number as it is, a string in quotes.
      for own in [text, jsonString(text)] {
        if let id = try list.rowID(of: StoredRow.id(own, in: list.name)) { return .item(id) }
      }
    }
    var number = 0
    for try await page in list.pageSource().pages(pageSize: 500) {
      for row in page.items {
        guard let item = row.item else { continue }
        number += 1
        let isFound =
          switch target {
          case .row(let wanted): number == wanted
          case .text(let text): RowFace(Array(item.json.utf8)).text.lowercased().contains(text.lowercased())
          }
        if isFound { return .item(row.id) }
      }
    }
    return nil
  }
}
