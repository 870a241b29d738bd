/// How soon queued work runs; the caller raises and lowers it while the work waits or runs.
///
/// Three levels have names. Values between and beyond them are allowed and order as their raw values do.
public struct LoadPriority: RawRepresentable, Hashable, Comparable, Sendable {
  /// The level as a number; a higher one runs sooner.
  public let rawValue: Int

  /// A level of one's own, ordered among the named ones by `rawValue`.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Work that nobody waits for, such as fetching ahead.
  public static let low = LoadPriority(rawValue: -1)
  /// The default.
  public static let medium = LoadPriority(rawValue: 0)
  /// Work that somebody looks at an empty space for.
  public static let high = LoadPriority(rawValue: 1)

  /// Orders by raw value.
  public static func < (a: LoadPriority, b: LoadPriority) -> Bool {
    a.rawValue < b.rawValue
  }
}
