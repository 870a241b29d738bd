import Foundation

/// What simulations came to, as JSON: times in milliseconds, sizes in rows and bytes.
struct SimulationJSON: Encodable {
  private struct Combination: Encodable {
    let pageSize: Int
    let prefetchDistance: Int
    let firstLoad: Int
    let cap: Int?
    let scrolling: String
    let latency: String
    let megabitsPerSecond: Double?
    let scrolls: Int
    let visits: Int
    let simulatedSeconds: Double
    let waits: SimulationFigures.Times
    let firstScreen: SimulationFigures.Times
    let requests: Int
    let cancelledRequests: Int
    let rowsLoaded: Int
    let rowsNeverSeen: Int
    let rowsLoadedAgain: Int
    let pagesLoadedAgain: Int
    let mostRowsHeld: Int
    let bytesLoaded: Int
    let bytesNeverSeen: Int
    let mostBytesHeld: Int

    init(_ result: SimulationResult) {
      let (world, setting, figures) = (result.world, result.setting, result.figures)
      pageSize = setting.pageSize
      prefetchDistance = setting.prefetch
      firstLoad = setting.firstLoad
      cap = setting.cap
      scrolling = world.style.rawValue
      latency = world.latency.description
      megabitsPerSecond = world.megabits
      scrolls = figures.scrolls
      visits = figures.visits
      simulatedSeconds = figures.seconds
      waits = figures.waits
      firstScreen = figures.openings
      requests = figures.requests
      cancelledRequests = figures.cancelledRequests
      rowsLoaded = figures.rowsLoaded
      rowsNeverSeen = figures.rowsWasted
      rowsLoadedAgain = figures.rowsLoadedAgain
      pagesLoadedAgain = figures.pagesLoadedAgain
      mostRowsHeld = figures.mostRowsHeld
      bytesLoaded = figures.bytesLoaded
      bytesNeverSeen = figures.bytesWasted
      mostBytesHeld = figures.mostBytesHeld
    }
  }

  private let seed: UInt64
  private let rows: Int
  private let rowBytes: Int
  private let rowsOnScreen: Int
  private let combinations: [Combination]

  /// The results of a plan.
  init(_ results: [SimulationResult], of plan: SimulationPlan) {
    seed = plan.world.seed
    rows = plan.world.rows
    rowBytes = plan.world.rowBytes
    rowsOnScreen = plan.world.screen
    combinations = results.map { Combination($0) }
  }

  /// As text, members in the order of the alphabet.
  var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
