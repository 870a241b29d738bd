/// The name of a message, as `#selector` makes it.
public struct Selector: Sendable {
  public init(_ name: String) {}
}
