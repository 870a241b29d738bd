import Loading

@testable import Paging

// What happens to a pager's mediator.
extension ModelScript {
  /// Nil where nothing is asked of the mediator that could end.
  mutating func mediatorStep() -> String? {
    if harness.isMediatorAsked {
      let refreshes = Bool.random(using: &chance)
      harness.answer(refreshes ? .refresh : .skip)
      model.mediatorAnswers(refreshes: refreshes)
      return "the mediator \(refreshes ? "asks for a refresh" : "skips")"
    }
    if !harness.remoteCancelled.isEmpty, Int.random(in: 0..<6, using: &chance) == 0 {
      harness.mediateLate(at: Int.random(in: harness.remoteCancelled.indices, using: &chance))
      model.advance()
      return "a late answer of the mediator"
    }
    guard let type = harness.remote.first?.type else { return nil }
    switch Int.random(in: 0..<10, using: &chance) {
    case 0..<2:
      harness.failRemote(Broken())
      model.endMediatorLoad(.failure)
      return "the mediator's \(type) fails"
    case 2:
      harness.failRemote(CancellationError())
      model.endMediatorLoad(.cancellation)
      return "the mediator's \(type) is cancelled"
    default:
      let rows = max(0, Int.random(in: -3...4, using: &chance))
      let endReached = Int.random(in: 0..<8, using: &chance) == 0
      harness.mediate(rows: rows, endReached: endReached)
      model.endMediatorLoad(.brought(rows: rows, endReached: endReached))
      return "the mediator's \(type) brings \(rows)\(endReached ? ", the last" : "")"
    }
  }

  /// In what the engine's mediator is not what the model says; nil: nothing.
  var mediatorDifference: String? {
    guard let gate = model.mediator else { return nil }
    let remote = harness.remote.map(\.type)
    if remote != [gate.load?.type].compactMap(\.self) {
      return "the mediator loads \(remote), the model says \(gate.load.map { "\($0.type)" } ?? "nothing")"
    }
    if harness.isMediatorAsked != (gate.opening == .asked) { return "P28: the mediator is asked, or not, otherwise" }
    guard let engine = harness.state.mediatorStates else { return "there is no mediator" }
    let states = LoadType.allCases.map { Self.name(engine[$0]) }
    if states != model.mediatorStates { return "mediator: \(states), the model says \(model.mediatorStates ?? [])" }
    let combined = CombinedLoadStates(source: harness.state.states, mediator: engine)
    let both = LoadType.allCases.map { Self.name(combined[$0]) }
    if both != model.combinedStates { return "combined: \(both), the model says \(model.combinedStates)" }
    if (harness.state.mediator?.following == nil) != (gate.following == nil) {
      return "P29: a generation is to follow, or not, otherwise"
    }
    return nil
  }
}
