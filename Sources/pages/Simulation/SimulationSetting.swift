import Paging

/// What is tried: the four sizes of a pager's configuration.
struct SimulationSetting: Hashable, Sendable {
  let pageSize: Int
  let prefetch: Int
  let firstLoad: Int
  /// Rows held at most; nil: no limit.
  let cap: Int?

  /// The pager's configuration.
  ///
  /// - Parameter jumpThreshold: How far inside placeholders a viewport starts a jump; nil: never.
  /// - Throws: ``/Paging/PagingError/Code/contradictoryConfig`` where the cap is too small for the others.
  func config(jumpThreshold: Int? = nil) throws(PagingError) -> PagingConfig {
    var config =
      if let cap {
        try PagingConfig(pageSize: pageSize, prefetchDistance: prefetch, initialLoadSize: firstLoad, maxSize: cap)
      } else {
        PagingConfig(pageSize: pageSize, prefetchDistance: prefetch, initialLoadSize: firstLoad)
      }
    config.jumpThreshold = jumpThreshold
    return config
  }

  /// The least cap that goes with page size and prefetch distance.
  static func leastCap(pageSize: Int, prefetch: Int) -> Int { pageSize + 2 * prefetch }
}

/// What it is tried on: a server, a connection, a list and somebody who scrolls through it.
struct SimulatedWorld: Hashable, Sendable {
  var latency = LatencyModel.percentiles(120, 600)
  /// Megabits in a second; nil: rows take no time on the way.
  var megabits: Double? = 8
  var rowBytes = 1000
  var style = ScrollStyle.flinging
  var scrolls = 1000
  /// How many scrolls until the reader leaves and comes back to the start of the list.
  var visit = 50
  /// Rows of the list.
  var rows = 10_000
  /// Rows on screen.
  var screen = 12
  var seed: UInt64 = 1

  /// How far inside placeholders the list jumps instead of loading all on the way; nil: it never does.
  var jumpThreshold: Int? { style == .jumping ? 3 * screen : nil }

  /// How long so many rows are on their way once the server answers, in milliseconds: at most an hour, since nobody
  /// waits longer, and a clock counts only so far.
  func transferTime(of rows: Int) -> Double {
    guard let megabits, megabits > 0 else { return 0 }
    return min(3_600_000, Double(rows) * Double(rowBytes) * 8 / (megabits * 1000))
  }
}
