import Paging
import PagingTesting

/// Lets a reader scroll through a list whose pager is the real one, on a clock that stands still while anything is done
/// and then goes on to what comes next: an answer or a movement of the finger.
///
/// One setting in one world gives the same figures each time.
struct Simulation {
  /// The simulation can't go on; the pager, or this, is wrong.
  enum Fault: Error, Hashable, CustomStringConvertible {
    case stoppedLoading(row: Int)
    case wrongRow(at: Int, is: Int)

    var description: String {
      switch self {
      case .stoppedLoading(let row): "the list stopped loading with row \(row) on screen and not there."
      case .wrongRow(let place, let row): "the list shows row \(row) where row \(place) belongs."
      }
    }
  }

  /// How a setting becomes a pager's configuration.
  typealias Configure = @Sendable (SimulationSetting, SimulatedWorld) throws -> PagingConfig

  private let setting: SimulationSetting
  private let world: SimulatedWorld
  private let configure: Configure
  private let clock: ManualClock
  private let bell = Tally()
  private let link: SimulatedLink
  private let trace: TraceProcess?

  /// A simulation of `setting` in `world`.
  ///
  /// - Parameters:
  ///   - recorder: The trace to tell what happens; nil for none.
  ///   - configure: How the setting becomes a configuration; default: as it says.
  init(
    _ setting: SimulationSetting, in world: SimulatedWorld, tracedBy recorder: TraceRecorder? = nil,
    configure: @escaping Configure = { try $0.config(jumpThreshold: $1.jumpThreshold) }
  ) {
    self.setting = setting
    self.world = world
    self.configure = configure
    let clock = ManualClock()
    self.clock = clock
    trace = recorder?.process("simulation: \(setting.label)") { clock.now.offset }
    link = SimulatedLink(world, clock: clock, bell: bell, trace: trace.map { SimulationTrace($0) })
  }

  /// Plays all scrolls.
  ///
  /// - Throws: `CancellationError` when the task is cancelled; ``Fault``; what the configuration refuses.
  func run() async throws -> SimulationFigures {
    var reader = SimulatedReader(of: world)
    var account = ScrollAccount(rows: world.rows)
    var left = world.scrolls
    var visits = 0
    while left > 0 {
      let scrolls = min(left, max(1, world.visit))
      left -= scrolls
      visits += 1
      reader.startsAgain()
      link.startAgain()
      var visit = SimulatedVisit(
        config: try configure(setting, world), world: world, clock: clock, bell: bell, link: link, account: account,
        trace: trace.map { SimulationTrace($0) })
      try await visit.open(number: visits)
      for _ in 0..<scrolls { try await visit.play(reader.next()) }
      account = try await visit.leave(number: visits)
    }
    let (requests, cancelled) = link.sum
    return SimulationFigures(
      scrolls: world.scrolls, visits: visits, seconds: clock.now.offset / .seconds(1),
      waits: SimulationFigures.Times(account.waits), openings: SimulationFigures.Times(account.openings),
      requests: requests, cancelledRequests: cancelled, rowsLoaded: account.rowsLoaded,
      rowsWasted: account.rowsWasted, rowsLoadedAgain: account.rowsLoadedAgain,
      pagesLoadedAgain: account.pagesLoadedAgain, mostRowsHeld: account.mostRowsHeld, rowBytes: world.rowBytes)
  }
}
