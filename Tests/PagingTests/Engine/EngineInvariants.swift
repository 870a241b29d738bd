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
    if server.counts, server.goesBack, state.config.placeholders, !rows.isEmpty, list.count != server.count {
      return "P16: \(list.count) rows are shown of \(server.count)"
    }
    if shown.prepend.isAtEnd, let first = rows.first, first != 0, server.goesBack { return "P4: no end at \(first)" }
    if shown.append.isAtEnd, let last = rows.last, last != server.count - 1 { return "P4: no end at \(last)" }
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
    if state.isSettled != pending.isEmpty { return "settled though loads run, or the other way round" }
    for side in EdgeSide.allCases where state.shown[side].state.isLoading != (state.shown[side].loadID != nil) {
      return "P18: the state of \(side) is not what it does"
    }
    let sources = (state.isShowing ? [state.shown.number] : []) + (state.candidate.map { [$0.build.number] } ?? [])
    return openSources == Set(sources) ? nil : "sources \(openSources) are open, generations \(sources) are there"
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
