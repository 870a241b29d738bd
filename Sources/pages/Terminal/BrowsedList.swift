import Paging
import PagingStore

/// A list that is to be browsed: its content, and what can be done with it beside paging.
struct BrowsedList<Item: BrowseItem>: Sendable {
  /// A row that was found somewhere in the list.
  enum Found: Sendable {
    case item(Item.ID)
    case index(Int)
  }

  /// What the rows come from.
  let content: any PagedContent<Item>
  /// What it is, in a few words.
  let title: String
  /// Where rows have pictures.
  var pictures = PicturePlace.nowhere
  /// Puts a failure into words.
  let explain: @Sendable (any Error) -> String
  /// The row that is to be at the top first; nil: the list's first.
  var opening: Item.ID?
  /// Looks for a row that isn't loaded; nil where the list can't.
  var find: (@Sendable (BrowsePrompt.Target) async throws -> Found?)?
  /// What a list that is kept in a store can do.
  var store: (any BrowsedStore<Item>)?
}

/// What a list that is kept in a store can do.
protocol BrowsedStore<Item>: Sendable {
  associatedtype Item: BrowseItem

  /// Asks for one page of what is missing in a gap.
  func fill(_ gap: Gap, from side: GapSide) async throws
  /// How many new rows wait, now and whenever that changes.
  var newRows: AsyncStream<PendingCount> { get }
  /// Shows the new rows that wait.
  ///
  /// - Parameter goesThere: Whether the list is to begin at the newest row, as what is held doesn't reach up to it.
  func showNew(goesThere: Bool) throws
  /// Notes the row at the top of the screen; returns at once.
  ///
  /// - Parameter isFirst: Whether it is the list's first, and the reader wants the newest rows.
  func keep(_ item: Item, isFirst: Bool)
  /// Has written what was noted when it returns.
  func flush() async
}
