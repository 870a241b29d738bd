@testable import Paging

extension EngineHarness {
  /// What must hold after every event, whatever the order of events; nil: it does.
  var brokenInvariant: String? {
    let rows = rows
    let shown = state.shown
    if Set(rows).count != rows.count { return "P17: a row is there twice: \(rows)" }
    for (row, next) in zip(rows, rows.dropFirst()) where next != row + 1 {
      return "rows are skipped between \(row) and \(next)"
    }
    if pages.contains(where: \.isEmpty) { return "an empty page is kept" }
    if let problem = loadsProblem ?? indexProblem { return problem }
    if let maxSize = state.config.maxSize, let problem = sizeProblem(maxSize) { return "P14: \(problem)" }
    if let problem = mediatorProblem { return problem }
    if state.mediator == nil, server.counts, server.goesBack, state.config.placeholders, !rows.isEmpty,
      list.count != server.count
    {
      return "P16: \(list.count) rows are shown of \(server.count)"
    }
    if shown.prepend.isAtEnd, let first = rows.first, first != 0, server.goesBack { return "P4: no end at \(first)" }
    // What a mediator brings later is not in a generation that has read its last page.
    if state.mediator == nil, shown.append.isAtEnd, let last = rows.last, last != server.count - 1 {
      return "P4: no end at \(last)"
    }
    if let wrong = finished.first(where: { $0.value != 1 }) {
      return "P12: command \(wrong.key) ended \(wrong.value) times"
    }
    if let viewport = state.viewports.union, viewport.clamped(to: shown.bounds) != viewport, !rows.isEmpty {
      return "the viewport \(viewport) lies outside \(shown.bounds)"
    }
    return nil
  }

  /// At most one load a direction, each of them waited for by the state that shows it.
  private var loadsProblem: String? {
    let expected = [state.candidate?.loadID, state.shown.prepend.loadID, state.shown.append.loadID].compactMap { $0 }
    if Set(expected) != Set(pending.map(\.id)) || expected.count != pending.count {
      return "P1: \(pending.count) loads run and \(expected.count) are waited for"
    }
    if state.isSettled != (pending.isEmpty && remote.isEmpty && !isMediatorAsked) {
      return "settled though loads run, or the other way round"
    }
    for side in EdgeSide.allCases where state.shown[side].state.isLoading != (state.shown[side].loadID != nil) {
      return "P18: the state of \(side) is not what it does"
    }
    let sources = (state.isShowing ? [state.shown.number] : []) + (state.candidate.map { [$0.build.number] } ?? [])
    return openSources == Set(sources) ? nil : "sources \(openSources) are open, generations \(sources) are there"
  }

  /// One load of the mediator at a time, after it was asked how to begin, and states that say what it does.
  private var mediatorProblem: String? {
    guard let gate = state.mediator, let states = state.mediatorStates else {
      return remote.isEmpty && !isMediatorAsked ? nil : "a mediator loads that isn't there"
    }
    if remote.map(\.id) != [gate.running?.id].compactMap(\.self) {
      return "P29: \(remote.count) loads of the mediator run and \(gate.running == nil ? 0 : 1) are waited for"
    }
    if isMediatorAsked, !pending.isEmpty || !remote.isEmpty {
      return "P28: something loads before the mediator was asked"
    }
    if let running = gate.running, states[running.type] != .loading { return "P18: a load runs that doesn't show" }
    if state.isSettled, LoadType.allCases.contains(where: { states[$0] == .loading }) {
      return "a mediator's state is loading though nothing runs"
    }
    if gate.following == nil, gate.running == nil, !isMediatorAsked,
      LoadType.allCases.contains(where: { states[$0] == .loading })
    {
      return "a mediator's state is loading though no load and no generation is"
    }
    return nil
  }

  /// Every row is found by its identity, and nothing else is.
  private var indexProblem: String? {
    let shown = state.shown
    if shown.index.count != rows.count { return "\(shown.index.count) identities are indexed of \(rows.count)" }
    for (position, id) in rows.enumerated() {
      guard let address = shown.address(of: SoughtItem(id, of: Row.self)) else { return "row \(id) is not indexed" }
      if shown.coordinate(at: address) != shown.firstCoordinate + position { return "row \(id) is indexed elsewhere" }
    }
    return nil
  }

  private func sizeProblem(_ maxSize: Int) -> String? {
    let distance = state.config.prefetchDistance
    let protected =
      state.viewports.union.map { viewport in
        max(
          0,
          min(viewport.upper + distance, state.shown.loaded.upperBound)
            - max(viewport.lower - distance, state.shown.loaded.lowerBound))
      } ?? 0
    let longest = pages.map(\.count).max() ?? 0
    let bound = max(maxSize, protected) + 2 * longest
    return rows.count <= bound ? nil : "\(rows.count) rows are held, \(bound) are allowed"
  }
}
