/// What the merger reads of a list: one moment of it, within the transaction that will write.
///
/// Implemented over SQLite, and over arrays in tests.
protocol OrderReading {
  /// All runs, the newest first. There are few.
  func runs() throws(ListStoreError) -> [Run]
  /// Where an item stands; nil: not in this list.
  func entry(of item: Int64) throws(ListStoreError) -> Entry?
  /// The row at a position.
  func entry(at position: Position) throws(ListStoreError) -> Entry?
  /// The rows within positions, both inclusive, the newest first; at most `limit`.
  func entries(in range: ClosedRange<Position>, limit: Int) throws(ListStoreError) -> [Entry]
  /// The next row above a position.
  func entry(above position: Position) throws(ListStoreError) -> Entry?
  /// The next row below a position.
  func entry(below position: Position) throws(ListStoreError) -> Entry?
  /// Keyed lists: the oldest row whose sort key is larger.
  func entry(newerThan key: SortBytes) throws(ListStoreError) -> Entry?
  /// Keyed lists: the newest row whose sort key is smaller.
  func entry(olderThan key: SortBytes) throws(ListStoreError) -> Entry?
}

/// One change of a list's order. A plan is a sequence of them, applied in order, in one transaction.
enum OrderWrite: Hashable, Sendable {
  /// A row at a free position.
  case insert(Entry)
  /// A row leaves this list; its item stays.
  case remove(position: Position)
  /// A row goes to a free position.
  case move(from: Position, to: Position, placed: Int64)
  /// The sort key of a row changed; its position did not.
  case setSortBytes(position: Position, SortBytes?)
  /// A run is new or differs. A new one has the number that ``MergeNumbers`` drew.
  case putRun(Run)
  /// A run is gone.
  case deleteRun(number: Int64)
  /// A joint of two pages inside a run, just below a position (which may lose its row): where the run may be cut later,
  /// with the token that goes on from what is at or above the position, and the one that goes back from what is below.
  case putCut(position: Position, olderToken: String?, newerToken: String?)
  /// Joints that no longer lie inside a run are forgotten.
  case dropCuts(ClosedRange<Position>)
  /// All positions of the list are spread out anew, order kept; what follows in the plan uses no position read before
  /// it, so it is the last write of a plan, or the only one before planning starts again.
  case renumber
  /// The list is emptied (rows, runs and joints) and its epoch rises: what was asked before is not trusted for order.
  case clear
  /// Heads that left at this sequence number or before are not trusted any more, nor windows that left before it.
  case setHeadSequence(Int64)
  /// All that was held back is dropped.
  case clearHeld
  /// One held item is dropped: it has its place now, or never will.
  case dropHeld(item: Int64)
}
