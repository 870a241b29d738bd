/// Keeps account of a scroll: what was loaded, seen, let go and loaded again, and how long the reader looked at rows
/// that were not there. Pure: events in, figures out.
///
/// Holds a few bytes for each row of the list, and each wait.
struct ScrollAccount: Sendable {
  /// Rows that the list holds, by their place in it.
  private(set) var held = 0..<0
  /// Rows on screen.
  private(set) var screen = 0..<0
  private(set) var waits: [Duration] = []
  /// From each visit's begin until its first screen was full.
  private(set) var openings: [Duration] = []
  /// Rows that came, each as often as it came.
  private(set) var rowsLoaded = 0
  /// Rows that came and went without ever having been on screen.
  private(set) var rowsWasted = 0
  /// Rows that had come earlier in the same visit.
  private(set) var rowsLoadedAgain = 0
  /// Pages that held such rows.
  private(set) var pagesLoadedAgain = 0
  private(set) var mostRowsHeld = 0

  /// The visit that a row came in last; 0 for none.
  private var cameIn: [UInt32]
  /// Whether the copy that is held was on screen.
  private var wasSeen: [Bool]
  private var visit: UInt32 = 0
  private var came: [Range<Int>] = []
  private var opensSince: Duration?
  private var waitsSince: Duration?

  /// An account of a list of so many rows.
  init(rows: Int) {
    cameIn = Array(repeating: 0, count: rows)
    wasSeen = Array(repeating: false, count: rows)
  }

  /// Whether all rows on screen are there.
  var screenIsFull: Bool {
    screen.isEmpty || held.lowerBound <= screen.lowerBound && held.upperBound >= screen.upperBound
  }

  /// The reader opens the list.
  mutating func visitBegan(at now: Duration) {
    visit += 1
    screen = 0..<0
    opensSince = now
  }

  /// A page came.
  mutating func loaded(_ rows: Range<Int>) {
    rowsLoaded += rows.count
    let known = rows.count { cameIn[$0] == visit }
    rowsLoadedAgain += known
    if known > 0 { pagesLoadedAgain += 1 }
    for row in rows {
      // A copy that is still held when another one comes, as at a jump.
      if held.contains(row), !wasSeen[row] { rowsWasted += 1 }
      cameIn[row] = visit
      wasSeen[row] = false
    }
    came.append(rows)
  }

  /// The list holds these rows now.
  mutating func holds(_ rows: Range<Int>, at now: Duration) {
    for row in held where !rows.contains(row) { letGo(row) }
    for page in came {
      for row in page where !rows.contains(row) && !held.contains(row) { letGo(row) }
    }
    came = []
    held = rows
    mostRowsHeld = max(mostRowsHeld, rows.count)
    look(now)
  }

  /// These rows are on screen now.
  mutating func shows(_ rows: Range<Int>, at now: Duration) {
    screen = rows
    look(now)
  }

  /// The reader leaves the list, and it is let go.
  mutating func visitEnded(at now: Duration) {
    for row in held { letGo(row) }
    if let since = waitsSince { waits.append(now - since) }
    held = 0..<0
    screen = 0..<0
    came = []
    opensSince = nil
    waitsSince = nil
  }

  private mutating func letGo(_ row: Int) {
    if !wasSeen[row] { rowsWasted += 1 }
  }

  private mutating func look(_ now: Duration) {
    for row in screen.clamped(to: held) { wasSeen[row] = true }
    guard !screen.isEmpty else { return }
    if let since = opensSince {
      guard screenIsFull else { return }
      openings.append(now - since)
      opensSince = nil
    } else if screenIsFull {
      if let since = waitsSince { waits.append(now - since) }
      waitsSince = nil
    } else if waitsSince == nil {
      waitsSince = now
    }
  }
}
