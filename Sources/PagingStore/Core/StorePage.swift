/// An item as the store keeps it.
struct StoreItem: Hashable, Sendable {
  /// Its ID.
  var key: ItemKey
  /// The encoded item; nil: only its ID is known.
  var blob: [UInt8]?
  /// The server's version of it, where it says.
  var version: Int64?
  /// Its place in a list with keys.
  var sortBytes: SortBytes?
}

/// A server's answer as the store takes it: ``RemotePage`` without types.
struct StorePage: Hashable, Sendable {
  /// The rows, the newest first.
  var items: [StoreItem]
  /// Continues the list above.
  var newerToken: String?
  /// Continues the list below.
  var olderToken: String?
  /// Whether the list ends with this page, on the side that was asked for.
  var reachedEnd = false
  /// Whether nothing lies between this page and the row that the request was bounded by.
  var reachedBound = false
  /// Whether a stored row that should be among these and isn't is gone.
  var provesAbsence = true
}
