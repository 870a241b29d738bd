import Paging
import Testing

@testable import pages

/// What larger and smaller settings must come to, whatever else is set.
private enum Law: String, CaseIterable, CustomTestStringConvertible {
  case largerPagesFewerWaits, moreAheadFewerWaits, moreAheadMoreWaste, smallerCapsMoreLoadedAgain

  var testDescription: String { rawValue }

  /// Settings that differ in one thing, the larger one later.
  var settings: [SimulationSetting] {
    switch self {
    case .largerPagesFewerWaits:
      [10, 25, 60].map { SimulationSetting(pageSize: $0, prefetch: 20, firstLoad: 60, cap: nil) }
    case .moreAheadFewerWaits, .moreAheadMoreWaste:
      [5, 25, 100].map { SimulationSetting(pageSize: 20, prefetch: $0, firstLoad: 60, cap: nil) }
    case .smallerCapsMoreLoadedAgain:
      [60, 120, 300, nil].map { SimulationSetting(pageSize: 20, prefetch: 20, firstLoad: 60, cap: $0) }
    }
  }

  /// Where it shows: who flings past rows before they have come never sees them either, so waste is a reader's.
  var style: ScrollStyle { self == .moreAheadMoreWaste ? .reading : .flinging }

  /// Where it is broken.
  func violations(_ figures: [SimulationFigures]) -> [String] {
    zip(figures, figures.dropFirst()).enumerated().compactMap { number, pair in
      let (less, more) = pair
      let holds =
        switch self {
        case .largerPagesFewerWaits, .moreAheadFewerWaits:
          more.waits.count < less.waits.count && more.waits.total < less.waits.total
        case .moreAheadMoreWaste: more.rowsWasted > less.rowsWasted && more.wastedShare > less.wastedShare
        case .smallerCapsMoreLoadedAgain:
          more.pagesLoadedAgain < less.pagesLoadedAgain && more.mostRowsHeld >= less.mostRowsHeld
        }
      return holds ? nil : "\(rawValue): \(settings[number].label) → \(settings[number + 1].label)"
    }
  }

  /// The setting as a pager that ignores it has it.
  func ignored(_ setting: SimulationSetting) -> SimulationSetting {
    switch self {
    case .largerPagesFewerWaits:
      SimulationSetting(pageSize: 20, prefetch: setting.prefetch, firstLoad: setting.firstLoad, cap: setting.cap)
    case .moreAheadFewerWaits, .moreAheadMoreWaste:
      SimulationSetting(pageSize: setting.pageSize, prefetch: 20, firstLoad: setting.firstLoad, cap: setting.cap)
    case .smallerCapsMoreLoadedAgain:
      SimulationSetting(pageSize: setting.pageSize, prefetch: setting.prefetch, firstLoad: setting.firstLoad, cap: nil)
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct SimulationTests {
  private static func world(_ style: ScrollStyle = .flinging, scrolls: Int = 200, seed: UInt64 = 1) -> SimulatedWorld {
    var world = SimulatedWorld()
    (world.style, world.scrolls, world.seed) = (style, scrolls, seed)
    return world
  }

  private static func world(of law: Law, seed: UInt64 = 1) -> SimulatedWorld {
    var world = world(law.style, scrolls: 400, seed: seed)
    world.latency = .between(150, 450)
    return world
  }

  private let usual = SimulationSetting(pageSize: 20, prefetch: 20, firstLoad: 60, cap: 200)

  @Test(arguments: Law.allCases, [1, 2])
  private func figuresFollowTheSettings(_ law: Law, _ seed: UInt64) async throws {
    var figures: [SimulationFigures] = []
    for setting in law.settings {
      figures.append(try await Simulation(setting, in: Self.world(of: law, seed: seed)).run())
    }
    #expect(law.violations(figures) == [])
    if law == .smallerCapsMoreLoadedAgain { #expect(figures.last?.pagesLoadedAgain == 0) }
  }

  @Test(arguments: Law.allCases) private func aPagerThatIgnoresASettingIsFoundOut(_ law: Law) async throws {
    var figures: [SimulationFigures] = []
    for setting in law.settings {
      let simulation = Simulation(setting, in: Self.world(of: law)) { setting, world in
        try law.ignored(setting).config(jumpThreshold: world.jumpThreshold)
      }
      figures.append(try await simulation.run())
    }
    #expect(law.violations(figures).count == law.settings.count - 1)
    #expect(Set(figures).count == 1)
  }

  @Test(arguments: ScrollStyle.allCases) func oneSeedGivesTheSameFigures(_ style: ScrollStyle) async throws {
    let first = try await Simulation(usual, in: Self.world(style)).run()
    for _ in 0..<3 { #expect(try await Simulation(usual, in: Self.world(style)).run() == first) }
    #expect(try await Simulation(usual, in: Self.world(style, seed: 2)).run() != first)
    #expect(first.scrolls == 200 && first.visits == 4 && first.openings.count == 4)
    #expect(first.requests >= 4 && first.rowsLoaded >= first.rowsWasted)
    // What protects rows from being let go is the cap, and two pages more.
    #expect(first.mostRowsHeld <= 200 + 2 * 60)
  }

  @Test func aServerThatAnswersAtOnceLetsNobodyWait() async throws {
    var world = Self.world()
    (world.latency, world.megabits) = (.fixed(0), nil)
    let figures = try await Simulation(usual, in: world).run()
    #expect(figures.waits.count == 0)
    // Answers come at whole microseconds.
    #expect(figures.openings.max < 0.01)
  }

  @Test func theFirstScreenTakesLatencyAndTheTimeOfItsBytes() async throws {
    var world = Self.world(.reading)
    (world.latency, world.megabits, world.rowBytes) = (.fixed(100), 8, 1000)
    let figures = try await Simulation(usual, in: world).run()
    // 60 rows of 1,000 bytes at 1,000 bytes a millisecond.
    #expect(abs(figures.openings.p50 - 160) < 0.01 && abs(figures.openings.max - 160) < 0.01)
  }

  @Test(arguments: [(1, 12), (5, 12), (12, 12), (13, 12), (400, 1)])
  func smallListsAndScreensWork(_ rows: Int, _ screen: Int) async throws {
    for style in ScrollStyle.allCases {
      var world = Self.world(style, scrolls: 60)
      (world.rows, world.screen) = (rows, screen)
      let figures = try await Simulation(usual, in: world).run()
      #expect(figures.visits == 2)
      #expect(figures.mostRowsHeld <= rows)
    }
  }

  @Test func withoutPrefetchingTheReaderPressesAButton() async throws {
    let setting = SimulationSetting(pageSize: 20, prefetch: 0, firstLoad: 20, cap: nil)
    let figures = try await Simulation(setting, in: Self.world(.reading)).run()
    #expect(figures.waits.count > 10)
    #expect(figures.rowsLoaded > 400)
  }

  @Test func aSimulationThatIsCancelledEnds() async throws {
    let setting = usual
    let task = Task { try await Simulation(setting, in: Self.world(scrolls: 10_000_000)).run() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
