/// Where an inserted row goes.
///
/// Of several rows at one point the last one is nearest to it, as if each had been inserted at that index of the list.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum InsertionPoint<ID: Hashable & Sendable>: Hashable, Sendable {
  /// In front of the first row. It shows where the start of the list is loaded.
  case start
  /// Behind the last row. It shows where the end of the list is loaded.
  case end
  /// In front of the row of that item. It shows where that row is loaded, or was inserted.
  case before(ID)
  /// Behind the row of that item. It shows where that row is loaded, or was inserted.
  case after(ID)
}
