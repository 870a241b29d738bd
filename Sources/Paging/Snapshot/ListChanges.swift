/// How one list of rows becomes another.
///
/// To apply: take the removals and the sources of the moves out of the old rows; then put the insertions and the moved
/// rows in, from the smallest new index up; then show the updated rows afresh. This is the order of UIKit's and
/// AppKit's batch updates, but for updates, whose indices are those of the new rows here.
///
/// A row that is moved and has changed is both a move and an update.
public struct ListChanges: Hashable, Sendable {
  /// One row that is in both lists, at another place among those that are in both.
  public struct Move: Hashable, Sendable {
    /// Its index in the old rows.
    public var from: Int
    /// Its index in the new rows.
    public var to: Int

    /// A move.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Indices, in the old rows, of those that are gone; ascending.
  public var removals: [Int]
  /// Indices, in the new rows, of those that were not there before; ascending.
  public var insertions: [Int]
  /// Rows in both that have to be moved, as few as will do; ascending by their new index.
  public var moves: [Move]
  /// Indices, in the new rows, of those that show something else than before; ascending.
  public var updates: [Int]

  /// Whether both lists show the same rows.
  public var isEmpty: Bool { removals.isEmpty && insertions.isEmpty && moves.isEmpty && updates.isEmpty }

  /// Changes, as a test of a list makes them. The default is none.
  public init(removals: [Int] = [], insertions: [Int] = [], moves: [Move] = [], updates: [Int] = []) {
    self.removals = removals
    self.insertions = insertions
    self.moves = moves
    self.updates = updates
  }
}
