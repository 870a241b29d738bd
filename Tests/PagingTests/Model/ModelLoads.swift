import Loading
import Paging

/// Who a load belongs to.
enum ModelParty: Hashable {
  case candidate
  case edge(LoadType)
}

/// How a load ends.
enum ModelEnd {
  case page
  case failure
  case cancellation
  case invalidation
}

// What loads bring.
extension PagerModel {
  mutating func end(_ party: ModelParty, _ end: ModelEnd) {
    let end = conditions == .suspended && end.isFailure ? .cancellation : end
    switch party {
    case .candidate: endCandidate(end)
    case .edge(let side): endEdge(side, end)
    }
    advance()
  }

  private mutating func endCandidate(_ end: ModelEnd) {
    guard var taking = candidate, let load = taking.load else { return }
    switch end {
    case .page:
      let reply = server.reply(load.type, load.key, load.size)
      let came =
        taking.hasBegun
        ? taking.list.grow(load.type, reply, load, showsHoles: config.placeholders)
        : taking.list.start(reply, load, showsHoles: config.placeholders)
      taking.hasBegun = true
      taking.pagesTaken += came > 0 ? 1 : 0
      taking.emptyPages = came > 0 ? 0 : taking.emptyPages + 1
      taking.doing = .nothing
      candidate = taking
    case .cancellation:
      candidate?.doing = .nothing
      if conditions != .suspended {
        if taking.isJumpIntoPlaceholders {
          shown?.prepend.awaitsReport = true
          shown?.append.awaitsReport = true
        }
        followUpWasCancelled()
        giveUpCandidate("cancelled")
        endWaitingLoads("cancelled")
        firstAwaitsSign = shown == nil || isInvalidated
      }
    case .invalidation where allowsInvalidation():
      candidate?.commands = []
      mediator?.sourceSaysChanged()
      beginRefresh(.anchor, commands: taking.commands, isInvalidation: true)
    case .invalidation: failCandidate("invalidated")
    case .failure: failCandidate("failed")
    }
  }

  private mutating func endEdge(_ side: LoadType, _ end: ModelEnd) {
    guard var edge = shown?[side], let load = edge.load else { return }
    switch end {
    case .page: edgeTook(side, load)
    case .cancellation:
      finish(edge.takeCommands(), "cancelled")
      edge.rest(awaitingReport: conditions != .suspended)
      shown?[side] = edge
    case .invalidation where allowsInvalidation():
      finish(edge.takeCommands(), "invalidated")
      edge.rest(awaitingReport: true)
      shown?[side] = edge
      mediator?.sourceSaysChanged()
      beginRefresh(.anchor, commands: [], isInvalidation: true)
    case .invalidation: failEdge(side, "invalidated")
    case .failure: failEdge(side, "failed")
    }
  }

  private mutating func allowsInvalidation() -> Bool {
    thrownInvalidations += 1
    return thrownInvalidations <= 3
  }

  private mutating func edgeTook(_ side: LoadType, _ load: ModelLoad) {
    let came =
      shown?.grow(side, server.reply(load.type, load.key, load.size), load, showsHoles: config.placeholders) ?? 0
    guard var edge = shown?[side], let bounds = shown?.bounds else { return }
    viewport = viewport?.clamped(to: bounds)
    edge.doing = .nothing
    edge.emptyPages = came > 0 ? 0 : edge.emptyPages + 1
    let goesOn = came == 0 && edge.next != .end
    edge.following = goesOn ? load.purpose : nil
    thrownInvalidations = 0
    if !goesOn { finish(edge.takeCommands()) }
    let emptyPages = edge.emptyPages
    shown?[side] = edge
    if goesOn, emptyPages >= config.emptyPageBudget { failEdge(side, "emptyPages") }
    dropPages(grew: side, isWanted: edge.isLoadForced)
  }

  private mutating func failEdge(_ side: LoadType, _ error: String) {
    guard var edge = shown?[side] else { return }
    finish(edge.takeCommands(), error)
    edge.doing = .failed(error)
    edge.following = nil
    shown?[side] = edge
  }

  /// `isWanted`: the page that came was asked for in words, so the other side goes first.
  mutating func dropPages(grew: LoadType, isWanted: Bool = false) {
    guard let maxSize = config.maxSize else { return }
    while let side = shown?.sideToDrop(
      maxSize: maxSize, distance: config.prefetchDistance, viewport: viewport, grew: grew,
      isWanted: isWanted)
    {
      // Whether its load has begun or not, what was asked for at this end is let go of with it.
      if var edge = shown?[side] {
        finish(edge.takeCommands(), "cancelled")
        shown?[side] = edge
      }
      shown?.drop(at: side, showsHoles: config.placeholders)
    }
  }
}

extension ModelEnd {
  fileprivate var isFailure: Bool {
    if case .page = self { false } else { true }
  }
}
