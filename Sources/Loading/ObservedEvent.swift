/// Something that a module did, in a form that a trace can show.
///
/// An event never carries contents, keys, error texts or full URLs.
public protocol ObservedEvent: Sendable {
  /// What it is, in a few words that are stable across releases.
  var name: String { get }
  /// Whether it begins something, ends it, or is over at once.
  var phase: EventPhase { get }
  /// Pairs a begin with its end; unique among the events of one instance.
  var id: UInt64 { get }
}

/// Where an event stands in what it tells of.
public struct EventPhase: Hashable, Sendable {
  private let rawValue: Int

  /// Something began; an event with the same `id` will end it.
  public static let begin = EventPhase(rawValue: 0)
  /// What began under the same `id` is over.
  public static let end = EventPhase(rawValue: 1)
  /// Something that takes no time.
  public static let instant = EventPhase(rawValue: 2)
}
