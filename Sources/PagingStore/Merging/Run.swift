/// A place in a list's order: larger is nearer the head. Sparse, so that rows go between others without moving them.
typealias Position = Int64

/// What is known beyond one end of a run.
struct RunEdge: Hashable, Sendable {
  /// How an edge stands. What is under way at it is kept in memory only, never here.
  enum State: Int64, Sendable {
    /// More may lie beyond; asked for with the token, by the boundary row's sort key, or around the boundary row.
    case open = 0
    /// Newer edge of the head run only: a subscription has been unbroken since the head was confirmed.
    case live = 1
    /// Older edge of the oldest run only: the list ends here.
    case reached = 2
    /// The server says that nothing more comes, although older rows are stored.
    case serverEnd = 3
    /// The token is refused or leads nowhere, and there is nothing else to go on with.
    case dead = 4
  }

  /// How it stands.
  var state: State
  /// What continues the list from here, as the remote gave it; it points at or beyond this edge, never into the run.
  var token: String?
  /// Changes whenever the state, the token, the row at the edge or the run does; drawn from the store's sequence.
  var generation: Int64
  /// Answers in a row that brought nothing.
  var failures: Int = 0
}

/// A stretch of a list that is known to be contiguous. What lies between two runs is a gap.
struct Run: Hashable, Sendable {
  /// Never used twice; a gap is named by the run below it.
  var number: Int64
  /// The position of its newest row.
  var high: Position
  /// The position of its oldest row. A list that is known to be empty is one run with `low > high`.
  var low: Position
  /// What is known of the side towards the head.
  var newer: RunEdge
  /// What is known of the side away from it.
  var older: RunEdge

  /// Whether it holds no row.
  var isEmpty: Bool { low > high }
}

/// One row's place in a list.
struct Entry: Hashable, Sendable {
  /// Where it stands.
  var position: Position
  /// The item's number in the item table, which is also the identity of the row on screen.
  var item: Int64
  /// The server's order with its tie-break; nil in lists whose order only pages tell.
  var sortBytes: SortBytes?
  /// The sequence number at which it was put here.
  var placed: Int64
}
