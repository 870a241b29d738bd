/// What a simulation came to.
struct SimulationFigures: Hashable, Sendable {
  /// How long something took, in milliseconds.
  struct Times: Hashable, Sendable, Codable {
    var count = 0
    var total = 0.0
    var p50 = 0.0
    var p95 = 0.0
    var max = 0.0

    /// The times of those durations; a percentile is the least of them that so many are not above.
    init(_ durations: [Duration]) {
      let sorted = durations.map { $0 / .milliseconds(1) }.sorted()
      count = sorted.count
      total = sorted.reduce(0, +)
      p50 = Self.percentile(50, of: sorted)
      p95 = Self.percentile(95, of: sorted)
      max = sorted.last ?? 0
    }

    private static func percentile(_ percent: Int, of sorted: [Double]) -> Double {
      guard !sorted.isEmpty else { return 0 }
      return sorted[Swift.max(0, (sorted.count * percent + 99) / 100 - 1)]
    }
  }

  let scrolls: Int
  let visits: Int
  /// How long the scrolling took, in the time of the simulation.
  let seconds: Double
  /// Rows on screen that were not there; without those of the opening.
  let waits: Times
  /// Until the first screen was full.
  let openings: Times
  let requests: Int
  /// Requests that nobody wanted any more before their answer came.
  let cancelledRequests: Int
  let rowsLoaded: Int
  let rowsWasted: Int
  let rowsLoadedAgain: Int
  let pagesLoadedAgain: Int
  let mostRowsHeld: Int
  let rowBytes: Int

  var bytesLoaded: Int { rowsLoaded * rowBytes }
  var bytesWasted: Int { rowsWasted * rowBytes }
  var mostBytesHeld: Int { mostRowsHeld * rowBytes }
  /// Of the rows that came, between 0 and 1.
  var wastedShare: Double { rowsLoaded > 0 ? Double(rowsWasted) / Double(rowsLoaded) : 0 }
  /// For each hundred scrolls.
  var waitsPerHundred: Double { perHundred(Double(waits.count)) }
  /// Seconds for each hundred scrolls.
  var secondsWaitedPerHundred: Double { perHundred(waits.total / 1000) }
  var pagesLoadedAgainPerHundred: Double { perHundred(Double(pagesLoadedAgain)) }

  private func perHundred(_ amount: Double) -> Double { scrolls > 0 ? amount * 100 / Double(scrolls) : 0 }
}
