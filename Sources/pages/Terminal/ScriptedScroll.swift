import Paging

/// Scrolls through a list as a reader would, down, up again and through a refresh, and holds every row that came on
/// screen against what its server serves.
struct ScriptedScroll {
  /// What came of it.
  struct Figures: Hashable, Sendable {
    /// How many different rows were on screen.
    var rows = 0
    /// How many times a row stood below itself, or below one that comes after it.
    var duplicates = 0
    /// How many rows were missing between two that stood together, or were never seen on the way.
    var holes = 0
  }

  private(set) var figures = Figures()
  private let pager: any PagedContent<RawRow>
  private let places: [[UInt8]: Int]
  private var model = BrowseModel<RowID>(height: 23)
  private var seen: Set<Int> = []

  /// A scroll through `pager`, whose server serves `rows`.
  init(_ pager: some PagedContent<RawRow>, serving rows: ServedRows) {
    self.pager = pager
    var places: [[UInt8]: Int] = [:]
    for index in 0..<rows.count {
      let line = (try? JSONSlice(checking: Array(rows[index].utf8)))?.compact ?? []
      places[line] = index
    }
    self.places = places
  }

  /// Scrolls `depth` rows down, back to the start, and refreshes there and in the middle.
  ///
  /// - Throws: What a load threw.
  mutating func run(depth: Int) async throws {
    try await look()
    while let last = seen.max(), last < depth {
      let before = seen.count
      try await scroll(by: model.height - 3)
      if seen.count == before { break }
    }
    let deepest = seen.max() ?? 0
    try await pager.refresh(from: .anchor).finished()
    try await look()
    while let first = pager.snapshot[model.viewport].first?.item.flatMap({ places[$0.line] }), first > 0 {
      let top = first
      try await scroll(by: 3 - model.height)
      if pager.snapshot[model.viewport].first?.item.flatMap({ places[$0.line] }) == top { break }
    }
    try await pager.refresh(from: .start).finished()
    try await look()
    figures.rows = seen.count
    figures.holes += (0...deepest).count { !seen.contains($0) }
  }

  private mutating func scroll(by rows: Int) async throws {
    model.scroll(by: rows, in: pager.snapshot)
    try await look()
  }

  /// Reports the rows on screen, waits for what that loads, and checks them.
  private mutating func look() async throws {
    await pager.settled()
    var snapshot = pager.snapshot
    // Each page that comes may bring rows on screen that ask for another.
    while true {
      model.listChanged(to: snapshot)
      pager.viewportChanged(to: model.viewport, of: snapshot)
      await pager.settled()
      let newer = pager.snapshot
      if newer.version == snapshot.version { break }
      snapshot = newer
    }
    let states = snapshot.states
    if let failure = states.refresh.failure ?? states.append.failure ?? states.prepend.failure { throw failure.error }
    check(snapshot[model.viewport].map(\.item))
  }

  private mutating func check(_ rows: [RawRow?]) {
    var last: Int?
    for row in rows {
      // A placeholder on a settled screen, or a row that the server never had, is a hole.
      guard let place = row.flatMap({ places[$0.line] }) else {
        figures.holes += 1
        continue
      }
      if let last, place <= last { figures.duplicates += 1 }
      if let last, place > last + 1 { figures.holes += place - last - 1 }
      last = place
      seen.insert(place)
    }
  }
}
