/// What becomes of live items that come while nobody can say that nothing is missing before them: after a reconnection,
/// say, before the head was asked for again.
public struct UnprovenLive: Hashable, Sendable {
  private let rawValue: Int

  /// They wait until a page of the head says where they belong; nothing is told of them before.
  public static let held = UnprovenLive(rawValue: 0)
  /// They wait, and count as new items: ``PendingCount`` is at least so many.
  public static let counted = UnprovenLive(rawValue: 1)
  /// They are not taken into the list; a page of the head brings them.
  public static let refused = UnprovenLive(rawValue: 2)
}
