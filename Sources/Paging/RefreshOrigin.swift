/// Where a refresh starts.
public struct RefreshOrigin: Hashable, Sendable {
  private let rawValue: Int

  /// At the row that is on screen, which keeps its place: the default.
  public static let anchor = RefreshOrigin(rawValue: 0)
  /// At the start of the list.
  public static let start = RefreshOrigin(rawValue: 1)
}
