import Loading

/// Sessions of a ranked list: each an order of the rows that were there when it began.
struct RankedSessions: Sendable {
  /// How many are kept, and how many rows in all of them; the oldest are forgotten.
  static let maxSessions = 64
  static let maxRows = 4_000_000
  /// How far a row may come forward in a ranking.
  private static let reach = 100

  /// One session.
  struct Session: Sendable {
    let id: String
    let began: Duration
    let order: [Int32]
  }

  /// What became of a session that was asked for.
  enum Found: Sendable {
    case found(Session)
    case expired
    case unknown
  }

  private var kept: [Session] = []
  private var count: UInt64 = 0

  /// Begins a session on rows, whose ranking is another each time, over much the same rows.
  mutating func begin(_ rows: [Int32], at now: Duration) -> Found {
    count += 1
    var chance = SeededGenerator(seed: count)
    let ranked = rows.enumerated().map { ($0.offset + Int.random(in: 0..<Self.reach, using: &chance), $0.element) }
      .sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }
    let id = "s\(count)-" + String(stableHash("\(count)".utf8) % 1_000_000, radix: 36)
    let session = Session(id: id, began: now, order: ranked.map(\.1))
    kept.append(session)
    while kept.count > Self.maxSessions || (kept.count > 1 && kept.reduce(0) { $0 + $1.order.count } > Self.maxRows) {
      kept.removeFirst()
    }
    return .found(session)
  }

  /// The session of that ID.
  func session(_ id: String, at now: Duration, life: Duration) -> Found {
    guard let session = kept.first(where: { $0.id == id }) else { return .unknown }
    return now - session.began > life ? .expired : .found(session)
  }
}

/// Which rows each reader was given.
struct ReaderMemory: Sendable {
  /// How many readers are known, and how many rows of all of them; the oldest readers are forgotten.
  static let maxReaders = 64
  static let maxRows = 2_000_000

  private var seen: [String: Set<Int32>] = [:]
  private var readers: [String] = []

  /// The rows that a reader was given.
  func seen(by reader: String) -> Set<Int32> { seen[reader] ?? [] }

  /// A reader was given rows.
  mutating func gave(_ rows: [Int32], to reader: String) {
    if seen[reader] == nil { readers.append(reader) }
    seen[reader, default: []].formUnion(rows)
    while readers.count > Self.maxReaders
      || (readers.count > 1 && seen.values.reduce(0) { $0 + $1.count } > Self.maxRows)
    {
      seen[readers.removeFirst()] = nil
    }
  }
}
