#if canImport(SwiftUI)
  public import Paging

  /// One end of a list, for the view that is shown there.
  public struct PagedEdge: Hashable, Sendable {
    /// Which load it tells of: `prepend` before the first row, `append` behind the last one, `refresh` where there is
    /// no row.
    public var type: LoadType
    /// What that load is doing.
    public var state: LoadState

    /// An edge of those values.
    public init(type: LoadType, state: LoadState) {
      self.type = type
      self.state = state
    }

    /// Whether there is something to say: a load runs, or has failed.
    var isShown: Bool { state.isLoading || state.failure != nil }
  }
#endif
