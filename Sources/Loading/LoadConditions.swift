/// The host app's word on the network and on itself.
public struct LoadConditions: Hashable, Sendable {
  private let rawValue: Int

  /// Load what is on screen and fetch ahead.
  public static let normal = LoadConditions(rawValue: 0)
  /// Metered or saving: nothing is fetched ahead; what is on screen is.
  public static let constrained = LoadConditions(rawValue: 1)
  /// In the background: nothing starts; a load that dies meanwhile was cancelled, not failed.
  public static let suspended = LoadConditions(rawValue: 2)
}
