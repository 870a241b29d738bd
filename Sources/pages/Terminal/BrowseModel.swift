import Paging

/// Where a reader is in a list: the rows on screen and the one under the cursor. Pure: keys and snapshots in, places out.
///
/// It follows rows and not indices: when rows come or go above, what is on screen stays.
struct BrowseModel {
  /// How many lines rows may take; at least 1.
  private(set) var height: Int
  /// The index of the first row on screen.
  private(set) var top = 0
  /// The index of the row under the cursor.
  private(set) var selected = 0
  private var count = 0
  private var topID: RowID?
  private var selectedID: RowID?
  private var staysAtStart = false

  init(height: Int) {
    self.height = max(1, height)
  }

  /// The rows on screen.
  var viewport: Range<Int> { min(top, count)..<min(top + height, count) }

  /// The screen has another size.
  mutating func resized(to height: Int) {
    self.height = max(1, height)
    keepInBounds()
  }

  /// The list looks like this now.
  mutating func listChanged(to snapshot: PagingSnapshot<RawRow>) {
    count = snapshot.count
    if staysAtStart {
      top = 0
      selected = 0
    } else if let index = topID.flatMap({ snapshot.index(ofItem: $0) }) {
      selected += index - top
      top = index
      if let index = selectedID.flatMap({ snapshot.index(ofItem: $0) }) { selected = index }
    } else if let index = selectedID.flatMap({ snapshot.index(ofItem: $0) }) ?? snapshot.anchor?.index {
      top += index - selected
      selected = index
    }
    keepInBounds()
    remember(snapshot)
  }

  /// The cursor goes so many rows down, or up where `rows` is negative, and the screen with it.
  mutating func move(by rows: Int, in snapshot: PagingSnapshot<RawRow>) {
    let (target, overflows) = selected.addingReportingOverflow(rows)
    move(to: overflows ? (rows < 0 ? 0 : count) : target, in: snapshot)
  }

  /// The cursor goes to a row, or to the nearest there is.
  mutating func move(to row: Int, in snapshot: PagingSnapshot<RawRow>) {
    staysAtStart = false
    selected = row
    keepInBounds()
    remember(snapshot)
  }

  /// Screen and cursor go so many rows down or up.
  mutating func scroll(by rows: Int, in snapshot: PagingSnapshot<RawRow>) {
    let (target, overflows) = top.addingReportingOverflow(rows)
    if !overflows { top = target }
    move(by: rows, in: snapshot)
  }

  /// The list is about to start again from its start, and the reader is there and wants to stay there.
  mutating func willStartAgain() {
    staysAtStart = true
  }

  /// One line more than there are rows can come on screen: it says how the list ends.
  private mutating func keepInBounds() {
    selected = max(0, min(selected, count - 1))
    top = max(0, min(top, count + 1 - height))
    if selected < top { top = selected }
    if selected >= top + height { top = selected - height + 1 }
    if selected == count - 1, height > 1, top + height == count { top += 1 }
  }

  private mutating func remember(_ snapshot: PagingSnapshot<RawRow>) {
    func id(_ index: Int) -> RowID? { index < snapshot.count ? snapshot[index].item?.id : nil }
    topID = id(top)
    selectedID = id(selected)
  }
}
