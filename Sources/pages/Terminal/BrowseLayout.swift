/// How the lines and columns of a screen are shared out: rows of equal height, and one line at the bottom.
///
/// A row is as high whether or not its picture has come, or exists.
struct BrowseLayout: Hashable, Sendable {
  /// Columns of the screen.
  let columns: Int
  /// Lines of the screen.
  let lines: Int
  /// Lines of a row.
  let rowLines: Int
  /// The cells for a row's picture; nil where none are shown.
  let picture: PictureCells.Size?

  /// - Parameter hasPictures: Whether rows have pictures that are to be shown; small screens show none.
  init(columns: Int, lines: Int, hasPictures: Bool) {
    self.columns = max(0, columns)
    self.lines = max(0, lines)
    if hasPictures, columns >= 40, lines >= 10 {
      rowLines = lines >= 40 ? 4 : 3
      picture = PictureCells.Size(columns: 2 * rowLines, lines: rowLines)
    } else {
      rowLines = 1
      picture = nil
    }
  }

  /// Lines for rows.
  var listLines: Int { max(0, lines - 1) }
  /// How many rows fit whole; at least 1.
  var height: Int { max(1, listLines / rowLines) }
}
