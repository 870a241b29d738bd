/// Where a window of a list is read.
enum WindowPlace: Hashable, Sendable {
  /// From the newest row that is shown.
  case head
  /// Around a row, which is counted among those below.
  case around(ListKey)
  /// Rows above a row.
  case newer(ListKey)
  /// Rows below a row.
  case older(ListKey)
}

/// Rows of a list as they stood at one moment, and what is known of their surroundings.
struct Window: Sendable {
  /// One row.
  struct Row: Hashable, Sendable {
    /// Where it stands.
    var position: Position
    /// The item's number.
    var item: Int64
    /// The encoded item with its edits; nil: only its ID is known.
    var blob: [UInt8]?
  }

  /// A gap between two neighbours.
  struct GapPlace: Hashable, Sendable {
    /// How many of the window's rows are above it. `0` or the number of rows where the neighbour is outside.
    var index: Int
    /// The run above it.
    var upper: Run
    /// The run below it.
    var lower: Run
  }

  /// The list's number.
  var list: Int64
  /// How often it was emptied.
  var epoch: Int64
  /// The list's version.
  var version: Int64
  /// The store's sequence number at that moment.
  var sequence: Int64
  /// The rows, the newest first.
  var rows: [Row]
  /// The gaps between them, and those at their ends, from the newest on.
  var gaps: [GapPlace]
  /// Whether rows above are stored and may be shown.
  var hasNewer: Bool
  /// Whether rows below are stored.
  var hasOlder: Bool
  /// How the head edge stands; nil: nothing is known of the list.
  var head: RunEdge?
  /// How the oldest edge stands; nil: nothing is known of the list.
  var tail: RunEdge?
  /// The positions that it answers for, up to the rows outside it.
  var span: ClosedRange<Position>
}
