/// A stretch of a list in which rows are known to be missing, or not known not to be.
///
/// It is named by the run of rows below it, so it stays the same gap while it is filled from above. What it says is how
/// it stood when it was read.
public struct Gap: Hashable, Identifiable, Sendable {
  /// The number of the run below; never used twice in a store.
  public let id: Int64
  /// The list that it is in.
  let list: Int64

  /// The sides that the remote can be asked from; a cursor that only goes on has one. Empty where ``isDead``.
  public let fillableSides: [GapSide]

  /// Whether nobody can be asked for what is missing: cursors expired and nothing else to go on with, or the server
  /// says that its list ends above. Only a refresh helps, or nothing.
  public var isDead: Bool { fillableSides.isEmpty }

  init(id: Int64, list: Int64, fillableSides: [GapSide]) {
    self.id = id
    self.list = list
    self.fillableSides = fillableSides
  }
}

/// A side of a gap.
public struct GapSide: Hashable, Sendable {
  private let rawValue: Int

  /// Towards the head: the gap fills from its upper edge down.
  public static let above = GapSide(rawValue: 0)
  /// Away from the head: the gap fills from its lower edge up.
  public static let below = GapSide(rawValue: 1)
}
