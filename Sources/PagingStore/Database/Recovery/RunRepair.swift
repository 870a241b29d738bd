/// What can still be said of a list after rows of it were lost: runs end where a row may be missing, so that what was
/// lost shows as a gap and never as nothing. Pure.
struct RunRepair {
  /// The rows that stay, the newest first.
  private(set) var entries: [Entry] = []
  /// The runs over them, the newest first.
  private(set) var runs: [Run] = []

  /// - Parameters:
  ///   - rows: The rows that could be read, in any order.
  ///   - old: The runs that could be read.
  ///   - holes: Where rows may have been lost.
  ///   - knowsAllRuns: Whether all runs of the list could be read.
  ///   - draw: Numbers for new runs and new generations.
  init(rows: [Entry], runs old: [Run], holes: [ClosedRange<Position>], knowsAllRuns: Bool, draw: () -> Int64) {
    let rows = rows.sorted { $0.position > $1.position }
    var next = rows.startIndex
    let isWhole = holes.isEmpty && knowsAllRuns
    for run in old.sorted(by: { $0.high > $1.high }) {
      if run.isEmpty {
        // "The list is empty" is believed only where nothing was lost.
        if isWhole, rows.isEmpty { runs.append(Self.sober(run, draw)) }
        continue
      }
      // Rows above it that belong to no run that could be read: nobody knows what they were next to.
      while next < rows.endIndex, rows[next].position > run.high { next += 1 }
      var pieces: [[Entry]] = []
      while next < rows.endIndex, rows[next].position >= run.low {
        let row = rows[next]
        next += 1
        if let above = pieces.last?.last, !holes.contains(where: { $0.overlaps(row.position...above.position) }) {
          pieces[pieces.count - 1].append(row)
        } else {
          pieces.append([row])
        }
      }
      for piece in pieces {
        guard let top = piece.first, let bottom = piece.last else { continue }
        var part = run
        part.high = top.position
        part.low = bottom.position
        if top.position != run.high { part.newer = RunEdge(state: .open, token: nil, generation: 0) }
        if bottom.position != run.low || !isWhole && run.older.state == .reached {
          part.older = RunEdge(state: .open, token: nil, generation: 0)
        }
        // The lowest piece keeps the number: it names the gap above it, which it still is the lower side of.
        if bottom.position != run.low { part.number = draw() }
        runs.append(Self.sober(part, draw))
        entries += piece
      }
    }
  }

  /// No subscription outlives a recovery, and no request does.
  private static func sober(_ run: Run, _ draw: () -> Int64) -> Run {
    var run = run
    if run.newer.state == .live { run.newer.state = .open }
    run.newer.generation = draw()
    run.older.generation = draw()
    return run
  }
}
