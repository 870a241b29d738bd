/// What was known when a question left for a server: what its answer is judged by.
struct StoreRequest: Hashable, Sendable {
  /// Which rows were asked for.
  enum Kind: Hashable, Sendable {
    /// The newest rows.
    case head
    /// The rows below the asking run.
    case older
    /// The rows above the asking run.
    case newer
    /// The rows around an item, named by the canonical text of its ID.
    case around(String)
  }

  /// An edge as it was.
  struct Edge: Hashable, Sendable {
    /// The run that it is of.
    var run: Int64
    /// The edge's generation.
    var generation: Int64
    /// The number of the item at it; nil: the run holds no row.
    var item: Int64?
  }

  /// Which rows were asked for.
  var kind: Kind
  /// The list's number.
  var list: Int64
  /// How often the list had been emptied.
  var epoch: Int64
  /// The store's sequence number at departure.
  var started: Int64
  /// The edge that asks; nil for the head and around an item, and for a list of which nothing is known.
  var edge: Edge?
  /// The edge on the far side of the gap; nil: there is none.
  var facing: Edge?
  /// The token of the edge that asks.
  var token: String?
  /// The unbroken subscription during which it left; nil: there was none.
  var subscription: Int64?
}
