/// What ``ListStore/recover(_:to:)`` could save.
public struct RecoveryReport: Hashable, Sendable {
  /// Items that were saved.
  public var items: Int
  /// Rows of lists that were saved.
  public var rows: Int
  /// Local edits and creations that were saved.
  public var edits: Int
  /// Whether nothing was lost as far as anyone can tell.
  public var isComplete: Bool

  /// A report; of an empty store, unless told otherwise.
  public init(items: Int = 0, rows: Int = 0, edits: Int = 0, isComplete: Bool = true) {
    self.items = items
    self.rows = rows
    self.edits = edits
    self.isComplete = isComplete
  }
}
