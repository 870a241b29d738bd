/// A question as the store remembers it: what the answer is judged by, and what to ask with.
struct StoreRequest: Hashable, Sendable {
  /// What the answer is judged by.
  var departure: MergeRequest
  /// The token of the edge that asks.
  var token: String?
  /// The row at the edge that asks.
  var boundary: ItemKey?
  /// The row on the far side of the gap.
  var bound: ItemKey?
}
