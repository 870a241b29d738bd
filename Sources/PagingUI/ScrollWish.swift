/// The wish of a list that follows its end to have the end scrolled to.
public struct ScrollWish: Hashable, Sendable {
  /// Which wish of its list this is, counted from 1.
  public let number: UInt64
  /// The index of the last row at the time, which is the one to scroll to.
  public let index: Int
}
