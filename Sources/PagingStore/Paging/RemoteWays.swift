/// The ways in which a list's remote can be asked for the rows beyond one edge, where no stored token leads there.
struct RemoteWays: Hashable, Sendable {
  /// By the key of the row at the edge: the remote makes a key of rows that are held.
  var byKey = false
  /// Around the row at the edge.
  var around = false
  /// For what is newer than the row at the edge.
  var newerThan = false
  /// How many pages may be walked from the head until the row at the edge has come; 0: none.
  var walkedPages = 0
}
