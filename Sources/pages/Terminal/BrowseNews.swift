/// What there is to say of a list beside its rows, and what the reader is told.
struct BrowseNews: Hashable, Sendable {
  /// How a gap's filling stands.
  enum Filling: Hashable, Sendable {
    case runs
    case failed(String)
  }

  /// Gaps that are being filled, or were tried, by their numbers.
  var fillings: [Int64: Filling] = [:]
  /// How many new rows wait to be shown.
  var newRows = 0
  /// Whether there are more of those.
  var hasMoreNewRows = false
  /// Something to say at the bottom until the next key.
  var message: String?

  /// How many new rows wait, in words; nil where none do.
  var newRowsText: String? {
    if newRows == 0 { return nil }
    return "\(hasMoreNewRows ? "at least " : "")\(grouped(newRows)) new \(newRows == 1 ? "row" : "rows")"
  }
}
