import Foundation
import Loading
import Testing

@testable import Paging

/// Random scripts against a model that says, after every event, what loads, what is shown and how each command ended.
///
/// A failure names its seed, which plays the same script again. `MODEL_EVENTS` in the environment says how many events are
/// played in all, in scripts of 500; CI plays a million. `MODEL_SEED` is the first seed.
@Suite struct ModelTests {
  private static func environment(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private static let scripts = max(10, (environment("MODEL_EVENTS") ?? 50_000) / 500)
  private static let firstSeed = environment("MODEL_SEED") ?? 0

  @Test(arguments: 0..<10)
  func everyEventLeavesWhatTheModelSays(tenth: Int) throws {
    let share = Self.scripts / 10
    let seeds = Self.firstSeed + tenth * share..<Self.firstSeed + (tenth + 1) * share
    for seed in seeds {
      var script = try ModelScript(seed: UInt64(seed))
      if let problem = script.play(events: 500) {
        Issue.record("seed \(seed): \(problem)")
        return
      }
    }
    print("The model agrees after each of \(share * 500) events, seeds \(seeds).")
  }
}
