/// All combinations of what is to be tried, in the order in which they are reported.
struct SimulationPlan: Sendable {
  /// Settings that are tried in one world.
  struct Group: Sendable {
    let world: SimulatedWorld
    let settings: [SimulationSetting]
  }

  /// The most combinations that one run tries.
  static let mostCombinations = 400

  var pageSizes = [20]
  /// Nil: as many as a page.
  var prefetches: [Int]?
  /// Nil: three pages.
  var firstLoads: [Int]?
  var caps: [Int?] = [nil]
  var latencies = [SimulatedWorld().latency]
  var megabits: [Double?] = [SimulatedWorld().megabits]
  var styles = [SimulatedWorld().style]
  /// What all worlds have in common.
  var world = SimulatedWorld()

  /// How many combinations there are, also those that can't be.
  var combinationCount: Int {
    [pageSizes.count, prefetches?.count ?? 1, firstLoads?.count ?? 1, caps.count, latencies.count, megabits.count]
      .reduce(styles.count) { $0.multipliedReportingOverflow(by: $1).overflow ? .max : $0 * $1 }
  }

  /// Settings that can be.
  var settings: [SimulationSetting] { combinations.filter { !contradictsItself($0) } }
  /// Settings whose cap is too small for page size and prefetch distance.
  var contradictions: [SimulationSetting] { combinations.filter { contradictsItself($0) } }

  /// The worlds, each with all settings.
  var groups: [Group] {
    var groups: [Group] = []
    for style in styles {
      for latency in latencies {
        for rate in megabits {
          var world = world
          (world.style, world.latency, world.megabits) = (style, latency, rate)
          groups.append(Group(world: world, settings: settings))
        }
      }
    }
    return groups
  }

  private var combinations: [SimulationSetting] {
    var all: [SimulationSetting] = []
    for pageSize in pageSizes {
      for prefetch in prefetches ?? [pageSize] {
        for firstLoad in firstLoads ?? [3 * pageSize] {
          for cap in caps {
            all.append(SimulationSetting(pageSize: pageSize, prefetch: prefetch, firstLoad: firstLoad, cap: cap))
          }
        }
      }
    }
    return all
  }

  private func contradictsItself(_ setting: SimulationSetting) -> Bool {
    (try? setting.config()) == nil
  }
}

/// What one combination came to.
struct SimulationResult: Sendable {
  let world: SimulatedWorld
  let setting: SimulationSetting
  let figures: SimulationFigures
}

extension SimulationSetting {
  /// All of it in a few words.
  var label: String { "page \(pageSize), prefetch \(prefetch), first \(firstLoad), cap \(capText)" }
  /// The cap as its option has it.
  var capText: String { cap.map { String($0) } ?? "none" }
}

extension SimulatedWorld {
  /// The server, the connection and the reader in a few words.
  var label: String {
    "\(style.rawValue), latency \(latency) ms, "
      + (megabits.map { "\(brief($0)) Mbit/s" } ?? "rows take no time on the way")
  }
}
