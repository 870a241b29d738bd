/// How often rows were bound, for the script.
@MainActor
struct BindCounts {
  /// How many stretches of rows GTK was told of.
  var splices = 0
  /// How many updates of the list came.
  private(set) var updates = 0
  private(set) var binds = 0
  /// Binds of rows that had been bound before the update that was under way.
  private(set) var rebinds = 0
  private var before: Set<FeedRows.Place>?

  mutating func updateBegins(bound: [FeedRows.Place: RowView]) {
    updates += 1
    before = Set(bound.keys)
  }

  mutating func binds(_ place: FeedRows.Place) {
    binds += 1
    if before?.contains(place) ?? false { rebinds += 1 }
  }

  mutating func updateEnds() { before = nil }
}
