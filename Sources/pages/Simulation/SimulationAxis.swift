/// Something of a combination that takes several values: what plots are drawn over, and series are named by.
struct SimulationAxis: Sendable {
  let name: String
  let value: @Sendable (SimulationResult) -> String

  /// All that a combination consists of, but the way of scrolling.
  static let all = [
    SimulationAxis(name: "page size") { "\($0.setting.pageSize)" },
    SimulationAxis(name: "prefetch distance") { "\($0.setting.prefetch)" },
    SimulationAxis(name: "first load") { "\($0.setting.firstLoad)" },
    SimulationAxis(name: "cap") { $0.setting.capText },
    SimulationAxis(name: "latency (ms)") { $0.world.latency.description },
    SimulationAxis(name: "bandwidth (Mbit/s)") { $0.world.megabits.map { brief($0) } ?? "none" },
  ]

  /// Those that take several values in `results`, and are no mere consequence of one before them, as a prefetch
  /// distance that goes with the page size is.
  static func varied(in results: [SimulationResult]) -> [SimulationAxis] {
    var varied: [SimulationAxis] = []
    for axis in all where axis.values(in: results).count > 1 {
      let isFollower = varied.contains { other in
        Dictionary(grouping: results, by: other.value).values.allSatisfy { axis.values(in: $0).count == 1 }
      }
      if !isFollower { varied.append(axis) }
    }
    return varied
  }

  /// The values, each once, in the order in which they come.
  func values(in results: [SimulationResult]) -> [String] {
    var values: [String] = []
    for value in results.map(value) where !values.contains(value) { values.append(value) }
    return values
  }
}

/// A figure that plots show.
struct SimulationMeasure: Sendable {
  let title: String
  let unit: String
  let value: @Sendable (SimulationFigures) -> Double

  static let all = [
    SimulationMeasure(title: "Waits", unit: "in 100 scrolls") { $0.waitsPerHundred },
    SimulationMeasure(title: "Time waited", unit: "seconds in 100 scrolls") { $0.secondsWaitedPerHundred },
    SimulationMeasure(title: "Rows never seen", unit: "% of those loaded") { $0.wastedShare * 100 },
    SimulationMeasure(title: "Pages loaded again", unit: "in 100 scrolls") { $0.pagesLoadedAgainPerHundred },
    SimulationMeasure(title: "Rows held at most", unit: "rows") { Double($0.mostRowsHeld) },
    SimulationMeasure(title: "First screen", unit: "seconds (p50)") { $0.openings.p50 / 1000 },
  ]
}
