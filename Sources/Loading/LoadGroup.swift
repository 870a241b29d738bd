/// What limits work together, as all requests to one host do.
public struct LoadGroup: Hashable, Sendable, ExpressibleByStringLiteral {
  /// What the group is called.
  public let name: String

  /// The group of that name.
  public init(_ name: String) {
    self.name = name
  }

  /// The group of that name.
  public init(stringLiteral value: String) {
    name = value
  }
}
