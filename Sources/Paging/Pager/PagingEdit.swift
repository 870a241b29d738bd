/// A row that was changed, removed or inserted, which shows at once and until the source says the same.
///
/// It ends once, by ``confirm()`` or ``rollback()``; what comes later has no effect. Letting go of this value ends
/// nothing. May be used from any thread; doesn't keep its pager.
public struct PagingEdit<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// How an edit ends.
  enum Ending: Sendable {
    case confirmed(as: Item?)
    case rolledBack
  }

  private let end: (@Sendable (Ending) -> Void)?

  /// An edit that was refused, or one that `end` ends.
  init(end: (@Sendable (Ending) -> Void)? = nil) {
    self.end = end
  }

  /// Whether nothing was changed: 1,000 edits were open already, or the pager was closed.
  public var isRefused: Bool { end == nil }

  /// Says that the server has taken the edit.
  ///
  /// It shows until the source has caught up. A changed row: until a load that begins from now on has brought its item,
  /// and the edits of that item that were given before have ended. A row that was removed or inserted: until a
  /// generation is shown whose loads began from now on. At most 10,000 confirmed edits are remembered; one more ends
  /// the oldest of them.
  public func confirm() { end?(.confirmed(as: nil)) }

  /// Says that the server has taken an insertion, and what the item is there.
  ///
  /// The row stays the same one for screens, with the identity that it had, also after refreshes, while its
  /// item is this one from now on, and edits and insertions that name the item may name it either way. The pager
  /// remembers this of its last 1,000 such rows. For other edits this is ``confirm()``.
  ///
  /// - Parameter item: The item with the identity that the server gave it.
  public func confirm(as item: Item) { end?(.confirmed(as: item)) }

  /// Takes the edit back: the row shows what the source said, with the other edits of it.
  public func rollback() { end?(.rolledBack) }
}
