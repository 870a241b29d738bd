/// What ``ListStore/recover(to:)`` could save of a damaged store.
public struct ListStoreRecovery: Hashable, Sendable {
  /// Items that were saved.
  public internal(set) var items = 0
  /// Rows of lists that were saved; an item counts once for each list that it is in.
  public internal(set) var rows = 0
  /// Local edits and creations that were saved.
  public internal(set) var edits = 0
  /// Whether nothing was lost, as far as the file can tell. Rows that were lost have become gaps, which are filled as
  /// others are.
  public internal(set) var isComplete = true
}
