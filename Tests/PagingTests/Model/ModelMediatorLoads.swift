import Loading
import Paging

/// How a load of a mediator ends.
enum ModelMediatorEnd {
  case brought(rows: Int, endReached: Bool)
  case failure
  case cancellation
}

// What a mediator's answers and loads come to.
extension PagerModel {
  mutating func mediatorAnswers(refreshes: Bool) {
    mediator?.opening = .answered
    if refreshes {
      mediator?.refresh.isRequired = true
      mediator?.refresh.isWanted = true
    }
    advance()
  }

  mutating func endMediatorLoad(_ end: ModelMediatorEnd) {
    defer { advance() }
    guard let load = mediator?.load else { return }
    switch end {
    case .brought(let rows, let endReached):
      server.count += rows
      mediatorBrought(load, endReached: endReached)
    case .failure where conditions != .suspended:
      mediator?.load = nil
      if load.type == .refresh {
        mediator?.refresh.failure = "failed"
        finishMediatorRefresh("failed")
      } else {
        mediator?[load.type].failure = "failed"
        mediator?[load.type].edge = nil
        finishMediatorSide(load.type, "failed")
      }
    default: mediatorWasCancelled(load, isHeld: conditions == .suspended, awaitsSign: true)
    }
  }

  private mutating func mediatorBrought(_ load: ModelMediator.Load, endReached: Bool) {
    guard var gate = mediator else { return }
    let startsOver = load.type == .refresh && gate.refresh.origin == .start
    let isSeen = !isInvalidated && !load.hearsChange && !startsOver
    // The first generation that has read what this load wrote.
    let from = (isSeen ? load.seenFrom : nil) ?? begun + 1
    gate.load = nil
    var following = gate.following ?? ModelMediator.Following(from: from)
    following.from = max(following.from, from)
    following.awaitsSign = false
    var done: [UInt64] = []
    if load.type == .refresh {
      following.commands += gate.refresh.commands
      following.origin = gate.refresh.origin
      following.isRemoteRefresh = true
      gate.refresh = ModelMediator.Refresh(isWanted: gate.refresh.isWanted, said: endReached)
      // It makes good what failed at the sides; what they said of their ends holds until the rows are shown.
      for side in [LoadType.prepend, .append] {
        done += gate[side].commands
        gate[side] = ModelMediator.Side(isEnded: gate[side].isEnded)
      }
    } else {
      gate[load.type].said = endReached
      following.commands += gate[load.type].commands
      gate[load.type].commands = []
    }
    gate.following = following
    mediator = gate
    finish(done)
    mediatorIsShown()
  }

  mutating func cancelMediatorLoad() {
    if let load = mediator?.load { mediatorWasCancelled(load, isHeld: false, awaitsSign: false) }
  }

  private mutating func mediatorWasCancelled(_ load: ModelMediator.Load, isHeld: Bool, awaitsSign: Bool) {
    mediator?.load = nil
    guard load.type == .refresh else {
      // What died while nothing may load runs again by itself.
      mediator?[load.type].failure = isHeld ? nil : load.repeats
      mediator?[load.type].awaitsReport = awaitsSign && !isHeld
      mediator?[load.type].edge = nil
      return finishMediatorSide(load.type, "cancelled")
    }
    if isHeld {
      mediator?.refresh.isWanted = true
      return
    }
    let isRequired = mediator?.refresh.isRequired == true
    mediator?.refresh.failure = load.repeats
    mediator?.refresh.isWanted = isRequired && load.repeats == nil
    mediator?.refresh.awaitsSign = awaitsSign
    finishMediatorRefresh("cancelled")
  }

  private mutating func finishMediatorRefresh(_ error: String) {
    finish(mediator?.refresh.commands ?? [], error)
    mediator?.refresh.commands = []
  }

  // MARK: - The generation that follows

  /// A generation is shown: with it what the loads said whose rows it has.
  mutating func mediatorIsShown() {
    guard var gate = mediator, let following = gate.following, shownNumber >= following.from else { return }
    gate.following = nil
    for side in [LoadType.prepend, .append] {
      gate[side].isEnded = gate[side].said ?? gate.refresh.said ?? gate[side].isEnded
      gate[side].said = nil
    }
    gate.refresh.said = nil
    mediator = gate
    finish(following.commands)
  }

  /// It failed: those who wait for it are told.
  mutating func followUpFailed(_ error: String) {
    guard isFollowUpOnItsWay else { return }
    endFollowUp(error)
  }

  /// It was cancelled: it begins once more after a report or a command.
  mutating func followUpWasCancelled() {
    guard isFollowUpOnItsWay else { return }
    mediator?.following?.awaitsSign = true
    endFollowUp("cancelled")
  }

  private mutating func endFollowUp(_ error: String) {
    finish(mediator?.following?.commands ?? [], error)
    mediator?.following?.commands = []
  }
}
