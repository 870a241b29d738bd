/// Whether pages that are gathered for a refresh cover what is on screen, so that the switch shows no empty place.
///
/// They do when the row at the top of the screen has come again with a page's worth of rows below it; or, where the order is
/// not to be kept, when there are as many rows as the screen holds.
struct ScreenCover<ID: Hashable & Sendable>: Sendable {
  private let anchor: ID?
  private let rowsBelow: Int
  private var rows = 0
  private var rowsSinceAnchor: Int?

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
  var isCovered: Bool { (anchor == nil ? rows : rowsSinceAnchor ?? 0) >= rowsBelow }

  /// A page came, below those before.
  mutating func came(_ ids: some Sequence<ID>) {
    for id in ids {
      rows += 1
      if rowsSinceAnchor != nil || id == anchor { rowsSinceAnchor = (rowsSinceAnchor ?? 0) + 1 }
    }
  }
}
