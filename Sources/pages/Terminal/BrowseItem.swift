import Paging
import PagingStore

/// A row that can be browsed.
protocol BrowseItem: Identifiable, Sendable where ID: Sendable {
  /// What is to be shown of it.
  var content: BrowseContent { get }
}

/// What a row is, to a screen.
enum BrowseContent: Sendable {
  /// A row, as its JSON in one line.
  case row([UInt8])
  /// Rows are known to be missing here.
  case gap(Gap)
  /// A row of which only its place is known.
  case unknown
}

extension RawRow: BrowseItem {
  var content: BrowseContent { .row(line) }
}

extension ListRow: BrowseItem where Item == StoredRow {
  var content: BrowseContent {
    if let item { return .row(Array(item.json.utf8)) }
    return gap.map { .gap($0) } ?? .unknown
  }
}

/// The rows of a list by index and by identity: all that a reader's place depends on.
protocol BrowseRows<ID> {
  associatedtype ID: Hashable
  /// How many there are, placeholders counted.
  var count: Int { get }
  /// The identity of a row; nil for a placeholder, and where there is no row.
  func id(at index: Int) -> ID?
  /// Where the row of that identity is; nil where it isn't loaded.
  func index(ofItem id: ID) -> Int?
  /// Where to go on when the row that was to stay is gone; nil: nothing is known.
  var standIn: Int? { get }
}

extension PagingSnapshot: BrowseRows {
  func id(at index: Int) -> Item.ID? { indices.contains(index) ? self[index].item?.id : nil }
  var standIn: Int? { anchor?.index }
}
