/// What a target waits for; it lives in the target, so that it ends with it and never speaks for another target at the
/// same address.
public struct ImageBinding: Sendable {
  /// What is waited for, or was; its going ends it.
  var token: ImageBindingToken?

  /// Nothing is waited for.
  public init() {}
}
