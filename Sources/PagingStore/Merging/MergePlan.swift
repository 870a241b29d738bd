/// Numbers for one transaction, drawn from the store's one counter, so that none is ever used twice.
///
/// The caller begins with the counter plus one and, when the plan is applied, sets the counter to ``last``.
struct MergeNumbers: Hashable, Sendable {
  /// The transaction's own number: rows that it places have it.
  let sequence: Int64
  /// The highest number that was drawn.
  private(set) var last: Int64

  /// Numbers for the transaction with this number.
  init(sequence: Int64) {
    self.sequence = sequence
    last = sequence
  }

  /// A number for a new run or a new generation of an edge.
  mutating func draw() -> Int64 {
    last += 1
    return last
  }
}

/// What an event does to a list's order: writes for one transaction, and what to tell those who asked.
struct MergePlan: Hashable, Sendable {
  /// The changes, to be applied in order.
  var writes: [OrderWrite] = []
  /// What they amount to.
  var outcome = Outcome()

  /// The positions leave no room: apply this plan, which only spreads them out, and plan the same event once more,
  /// within the same transaction. The second plan has room as long as a page is shorter than the store's stride.
  var needsSecondPlan: Bool { writes == [.renumber] }

  /// What an event amounted to.
  struct Outcome: Hashable, Sendable {
    /// Items that are new in the order.
    var inserted: [Int64] = []
    /// Items that left the order.
    var removed: [Int64] = []
    /// Items that stand elsewhere now.
    var moved: [Int64] = []
    /// Items of the answer that were deleted after it was asked for; their contents are not to be stored either.
    var dropped: [Int64] = []
    /// Gaps that are no more.
    var closedGaps = 0
    /// Why the order was left alone; nil: it was not refused.
    var refusal: Refusal?
    /// Items came in an order that contradicts the stored one. After three answers in a row the list should be
    /// refreshed.
    var hasConflict = false
    /// For a live item: what became of it.
    var live: LivePlacement?

    /// The answer was too late to be trusted for order; its contents are still stored, if newer. Whoever asked asks
    /// again.
    var wasStale: Bool { refusal == .stale }
  }

  /// Why an answer did not change the order.
  enum Refusal: Hashable, Sendable {
    /// What it continued has changed since it left: the epoch, the edge, or a head answer that left later was applied.
    case stale
    /// A window that shares nothing with an opaque list: it belongs into a list of its own, until it overlaps.
    case detached
    /// The order of this list is replaced as a whole, never merged: ranked sessions and ID lists.
    case needsReplacing
  }

  /// What became of a live item.
  enum LivePlacement: Hashable, Sendable {
    /// It is the newest row now.
    case appended
    /// It stands between rows that it belongs between.
    case inserted
    /// It is to be held, by ``HeldItem``: the head is not known to be current, or it belongs into a gap.
    case held
    /// It is in the list already; only its contents count.
    case known
    /// The list takes no live items, or the item was deleted.
    case ignored
  }
}
