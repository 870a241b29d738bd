#if canImport(SwiftUI)
  public import Paging

  /// One end of a list, for the view that is shown there.
  public struct PagedEdge: Hashable, Sendable {
    /// Which load it tells of: `prepend` before the first row, `append` behind the last one; where there is no row, any
    /// of the three.
    public var type: LoadType
    /// What that load is doing.
    public var state: LoadState

    /// An edge of those values.
    public init(type: LoadType, state: LoadState) {
      self.type = type
      self.state = state
    }

    /// The one of a list without rows: of the loads that have something to say the refresh, or one that follows empty
    /// pages; nil where none has.
    init?(ofEmptyListIn states: CombinedLoadStates) {
      let edges = LoadType.allCases.map { PagedEdge(type: $0, state: states[$0]) }
      guard let edge = edges.first(where: \.isShown) else { return nil }
      self = edge
    }

    /// The one behind the last row: of the append, or of the refresh that a mediator failed to do, since it isn't asked for
    /// more before that has been tried again.
    init(behindRowsIn states: CombinedLoadStates) {
      let isStopped = states.mediator?.refresh.failure != nil && states.append == .notLoading(endReached: false)
      self.init(type: isStopped ? .refresh : .append, state: isStopped ? states.refresh : states.append)
    }

    /// Whether there is something to say: a load runs, or has failed.
    var isShown: Bool { state.isLoading || state.failure != nil }
  }
#endif
