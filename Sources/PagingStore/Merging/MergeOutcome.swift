/// What an answer changed in a list.
public struct MergeOutcome: Hashable, Sendable {
  /// Rows that are new in the list.
  public var inserted = 0
  /// Rows that were in it, whose items are fresher now.
  public var updated = 0
  /// Rows that went to another place.
  public var moved = 0
  /// Rows that left it.
  public var removed = 0
  /// Gaps that are gone.
  public var closedGaps = 0
  /// Whether the answer was too late to be trusted for order; its items were still stored.
  public var wasStale = false
  /// Whether three answers in a row contradicted the stored order: the list should be refreshed.
  public var hasDrifted = false
  /// Why the order was left alone; nil: it was not.
  var refusal: MergePlan.Refusal?

  /// Nothing changed.
  public init() {}

  /// Whether a row came, went or moved, or a gap closed.
  public var changedOrder: Bool { inserted > 0 || moved > 0 || removed > 0 || closedGaps > 0 }
}
