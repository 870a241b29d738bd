/// Whether pages that are gathered for a refresh cover what is on screen, so that the switch shows no empty place.
///
/// They do when the row at the top of the screen has come again with a page's worth of rows below it; or, where the
/// order is not to be kept, when there are as many rows as the screen holds.
struct ScreenCover<ID: Hashable & Sendable>: Sendable {
  private let anchor: ID?
  private let rowsBelow: Int
  private var seen: Set<ID> = []
  private var rowsSinceAnchor: Int?
  private var pagesWithoutNews = 0

  /// How many pages in a row that bring nothing new end the gathering.
  private static var patience: Int { 3 }

  /// What is on screen.
  ///
  /// - Parameters:
  ///   - anchor: The row that is to come again; nil: rows are only counted.
  ///   - rowsBelow: How many rows, that one included, are to be there from it on.
  init(anchor: ID?, rowsBelow: Int) {
    self.anchor = anchor
    self.rowsBelow = max(1, rowsBelow)
  }

  /// Whether the rows that came so far cover it.
  var isCovered: Bool { (anchor == nil ? seen.count : rowsSinceAnchor ?? 0) >= rowsBelow }

  /// Whether so many pages in a row brought nothing new that more of them would be of no use.
  var isStuck: Bool { pagesWithoutNews >= Self.patience }

  /// A page came, below those before.
  mutating func came(_ ids: some Sequence<ID>) {
    let before = seen.count
    defer { pagesWithoutNews = seen.count > before ? 0 : pagesWithoutNews + 1 }
    for id in ids where seen.insert(id).inserted {
      if rowsSinceAnchor != nil || id == anchor { rowsSinceAnchor = (rowsSinceAnchor ?? 0) + 1 }
    }
  }
}
