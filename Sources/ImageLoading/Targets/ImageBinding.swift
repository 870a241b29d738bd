/// What a target waits for; it lives in the target, so that it ends with it and never speaks for another target at the same address.
public struct ImageBinding: Sendable {
  /// Nothing is waited for.
  public init() {}
}
