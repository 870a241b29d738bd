/// Something that an app wants to know of and no call can say: told to the store's observer.
public struct ListStoreReport: Hashable, Sendable {
  /// What it is about; more kinds may come.
  public struct Kind: Hashable, Sendable {
    private let rawValue: Int

    /// Stored items don't decode any more and are left out: the type changed, or the coder. They stay stored, and show
    /// again when they decode or a page brings them anew.
    public static let undecodableItems = Kind(rawValue: 0)
    /// Another process's writes can't be looked for at the moment; it is tried again at the next interval.
    public static let otherProcessesUnseen = Kind(rawValue: 1)
    /// The new items of a list can't be counted at the moment; it is tried again when something changes.
    public static let pendingUncounted = Kind(rawValue: 2)
    /// The end of a live session could not be written. The list isn't taken for current anyway; the next session writes
    /// it.
    public static let sessionEndUnsaved = Kind(rawValue: 3)
    /// A place could not be saved at the moment; it is kept, and saved with the next one, or by
    /// ``StoredList/flushPosition()``.
    public static let positionUnsaved = Kind(rawValue: 4)
  }

  /// What it is about.
  public let kind: Kind
  /// The list's name, where it is about one.
  public let list: String?
  /// How many items.
  public let count: Int
  /// What happened, for a developer's eyes; the first error where there were several.
  public let message: String
}
