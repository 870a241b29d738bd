/// What a pager's shell holds under its lock, without the types of its pager: as generic code, every turn of the lock
/// looked its types up again.
struct GuardedPager {
  var state: PagerState
  var publisher: SnapshotPublisher
  let board: SnapshotBoard
  /// The tasks of loads that are under way.
  var loads: [UInt64: Task<Void, Never>] = [:]
  var sources: SourceShelf
  var outcomes: [CommandID: PagingCommand.Outcome] = [:]
  var nextCommand: CommandID = 1
  var settling: [UInt64: CheckedContinuation<Void, Never>] = [:]
  var nextSettling: UInt64 = 0
  var statistics = PagerStatistics()
  /// Events that the observer has not heard of, and whether somebody is telling it.
  var unheard: [PagingEvent] = []
  var isReporting = false
  var jitter: any RandomNumberGenerator & Sendable
}

/// What an event leaves to do outside the lock.
struct PagerTurn {
  var actions: [PagerAction] = []
  var snapshot: (any AnySnapshotBody)?
  /// What the snapshot took the place of, held so that its rows die outside the lock.
  var replaced: (any AnySnapshotBody)?
  var finished: [(outcome: PagingCommand.Outcome, error: (any Error)?)] = []
  var cancelled: [Task<Void, Never>] = []
  var settled: [CheckedContinuation<Void, Never>] = []
  var hasNews = false
}

/// One page to load, with all that it takes.
struct LoadJob: Sendable {
  let id: UInt64
  let params: OpaqueParams
  let source: SourceNode
}

extension GuardedPager {
  /// Sorts an event's actions into what is done here and what is left to do outside the lock.
  mutating func turn(
    doing actions: [PagerAction], hasObserver: Bool
  ) -> PagerTurn {
    var turn = PagerTurn()
    for action in actions {
      switch action {
      case .report(let event):
        statistics.fold(event)
        if event.endsLoad, let task = loads.removeValue(forKey: event.id),
          event.outcome == "cancelled"
        {
          turn.cancelled.append(task)
        }
        if hasObserver { unheard.append(event) }
      case .finish(let command, let error):
        if let outcome = outcomes.removeValue(forKey: command) { turn.finished.append((outcome, error)) }
      case .cancel(let id):
        if let task = loads.removeValue(forKey: id) { turn.cancelled.append(task) }
      case .load, .openMediator, .mediate, .openSource, .closeSource, .chooseSurvivor, .wake:
        turn.actions.append(action)
      }
    }
    turn.hasNews = !unheard.isEmpty && !isReporting
    if turn.hasNews { isReporting = true }
    let visible = state.visible
    if visible != publisher.shown {
      let snapshot = publisher.snapshot(of: state, showing: visible)
      turn.replaced = board.show(snapshot)
      turn.snapshot = snapshot
    }
    if !settling.isEmpty, state.isSettled || state.isClosed {
      turn.settled = Array(settling.values)
      settling = [:]
    }
    return turn
  }
}

extension PagerAction {
  var isLoad: Bool {
    if case .load = self { true } else { false }
  }
}
