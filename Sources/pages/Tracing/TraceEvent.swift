/// One event of Chrome's trace format, as chrome://tracing and Perfetto read it.
///
/// Source: "Trace Event Format", Google, the phases B, E, i, C and M.
struct TraceEvent: Encodable, Hashable, Sendable {
  /// What kind of event.
  enum Phase: String, Encodable, Sendable {
    case begin = "B", end = "E", instant = "i", counter = "C", metadata = "M"
  }

  /// A value of an event's arguments.
  enum Value: Hashable, Sendable, Encodable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case text(String)
    case number(Int)

    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(number) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .text(let text): try container.encode(text)
      case .number(let number): try container.encode(number)
      }
    }
  }

  typealias Arguments = [String: Value]

  let name: String
  /// The kinds of event that a viewer can hide.
  var category: String?
  let phase: Phase
  /// Microseconds.
  let time: Double
  let process: Int
  let track: Int
  var arguments: Arguments = [:]

  /// The event at `time`, which is since the start of the trace.
  init(
    _ name: String, _ phase: Phase, category: String? = nil, at time: Duration = .zero, process: Int, track: Int,
    _ arguments: Arguments = [:]
  ) {
    self.name = name
    self.phase = phase
    self.category = category
    self.time = Double(time.wholeNanoseconds) / 1000
    self.process = process
    self.track = track
    self.arguments = arguments
  }

  private enum CodingKeys: String, CodingKey {
    case name, category = "cat", phase = "ph", time = "ts", process = "pid", track = "tid", scope = "s"
    case arguments = "args"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(category, forKey: .category)
    try container.encode(phase, forKey: .phase)
    try container.encode(time, forKey: .time)
    try container.encode(process, forKey: .process)
    try container.encode(track, forKey: .track)
    // Of one track: it is drawn there and not across all.
    if phase == .instant { try container.encode("t", forKey: .scope) }
    if !arguments.isEmpty { try container.encode(arguments, forKey: .arguments) }
  }
}
