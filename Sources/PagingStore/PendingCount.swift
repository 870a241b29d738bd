/// How many new items a list holds back until ``StoredList/showPending()``.
public struct PendingCount: Hashable, Sendable {
  /// How many there are, as far as the store knows.
  public var count: Int
  /// Whether there may be more: a gap lies among them, they are too many to count, or the remote said so.
  public var isLowerBound: Bool

  /// A count; exact unless told otherwise.
  public init(count: Int, isLowerBound: Bool = false) {
    self.count = count
    self.isLowerBound = isLowerBound
  }

  /// Nothing is held back.
  public static let none = PendingCount(count: 0)
}
