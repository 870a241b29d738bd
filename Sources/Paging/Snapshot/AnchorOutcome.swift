/// What became of the row that was to stay in place when a generation was replaced by the next.
public struct AnchorOutcome: Hashable, Sendable {
  /// What can happen to an anchor: its own row has its place, another row has, or none has.
  ///
  /// These three are all there is, so everything may switch over them.
  @frozen public enum Kind: Hashable, Sendable {
    /// The row is still there.
    case kept
    /// The row is gone, or is not loaded; the nearest one that survived takes its part.
    case moved
    /// Neither the row nor any of its neighbours is there.
    case lost
  }

  /// What happened.
  public var kind: Kind
  /// The index, in the new snapshot, of the row that is to be where the anchor was; nil when it was lost.
  public var index: Int?

  /// An outcome.
  public init(kind: Kind, index: Int?) {
    self.kind = kind
    self.index = index
  }
}

/// Where in the list the viewport is.
public struct PagingPosition: Hashable, Sendable {
  /// How many rows come before the first row of the viewport, placeholders included.
  public var rowsBefore: Int
  /// The number, among the snapshot's ``PagingSnapshot/pages``, of the page that holds the first row of the viewport.
  public var pageIndex: Int

  /// A position.
  public init(rowsBefore: Int, pageIndex: Int) {
    self.rowsBefore = rowsBefore
    self.pageIndex = pageIndex
  }
}
