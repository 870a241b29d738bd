/// How much memory a loader should give back.
public struct MemoryPressure: Hashable, Sendable, CustomStringConvertible {
  /// The name, stable across releases.
  public let description: String
  /// The share of its bound that a loader keeps at most.
  let keptShare: Double

  /// The app went to the background: a tenth of the bound stays, for a quick return.
  public static let background = MemoryPressure(description: "background", keptShare: 0.1)
  /// The system asks politely: half of the bound stays.
  public static let moderate = MemoryPressure(description: "moderate", keptShare: 0.5)
  /// Memory is low: a quarter of the bound stays.
  public static let low = MemoryPressure(description: "low", keptShare: 0.25)
  /// Else the process may be ended: nothing stays but what targets show.
  public static let critical = MemoryPressure(description: "critical", keptShare: 0)
}

/// What a loader keeps between loads.
public struct CacheTiers: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// The tiers of those bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Decoded pictures in memory.
  public static let memory = CacheTiers(rawValue: 1)
  /// Bytes on disk, unfinished downloads and remembered failures.
  public static let disk = CacheTiers(rawValue: 2)
  /// Everything.
  public static let all: CacheTiers = [.memory, .disk]
}
