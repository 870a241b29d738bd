/// Where a reader is in a list: the rows on screen and the one under the cursor. Pure: moves and lists in, places out.
///
/// It follows rows and not indices: when rows come or go above, what is on screen stays. Above the first row and below
/// the last one there may be a line that says how the list goes on there; it takes the place of a row.
struct BrowseModel<ID: Hashable> {
  /// How many rows fit; at least 1.
  private(set) var height: Int
  /// The index of the first row on screen; -1 where the line above the first row is on screen.
  private(set) var top = 0
  /// The index of the row under the cursor.
  private(set) var selected = 0
  private var count = 0
  private var hasStartLine = false
  private var topID: ID?
  private var selectedID: ID?
  private var held: (id: ID, line: Int)?
  /// The row that the reader went to, until the next move: a refresh that was on its way around the place before may come
  /// without it first.
  private var wanted: ID?
  private var wantedIndex: Int?
  private var staysAtStart = false

  init(height: Int) {
    self.height = max(1, height)
  }

  /// The rows on screen.
  var viewport: Range<Int> { min(max(0, top), count)..<max(0, min(top + height, count)) }

  /// Whether nothing lies above the screen.
  var isAtStart: Bool { top <= 0 }

  /// The screen has another size; the row under the cursor stays on it.
  mutating func resized(to height: Int) {
    self.height = max(1, height)
    keepInBounds()
  }

  /// The list looks like this now.
  ///
  /// - Parameter hasStartLine: Whether there is something to say above its first row.
  mutating func listChanged(to rows: some BrowseRows<ID>, hasStartLine: Bool = false) {
    count = rows.count
    self.hasStartLine = hasStartLine
    if let place = place(of: wanted, in: rows) {
      (top, selected) = (place, place)
    } else if let index = wantedIndex, index < count {
      wantedIndex = nil
      wanted = rows.id(at: index)
      (top, selected) = (index, index)
    } else if staysAtStart {
      (top, selected) = (0, 0)
    } else if let held, let place = place(of: held.id, in: rows) {
      show(from: place - held.line, cursorOn: selected - top, in: rows)
    } else if let place = place(of: topID, in: rows) {
      show(from: place, cursorOn: selected - max(0, top), in: rows)
    } else if let place = place(of: selectedID, in: rows) ?? rows.standIn {
      top += place - selected
      selected = place
    }
    keepInBounds()
    remember(rows)
  }

  /// The cursor goes so many rows down, or up where `count` is negative, and the screen with it.
  mutating func move(by distance: Int, in rows: some BrowseRows<ID>) {
    let (target, overflows) = selected.addingReportingOverflow(distance)
    move(to: overflows ? (distance < 0 ? 0 : count) : target, in: rows)
  }

  /// The cursor goes to a row, or to the nearest there is.
  mutating func move(to row: Int, in rows: some BrowseRows<ID>) {
    letGo()
    selected = row
    keepInBounds()
    remember(rows)
  }

  /// Screen and cursor go so many rows down or up.
  mutating func scroll(by distance: Int, in rows: some BrowseRows<ID>) {
    let (target, overflows) = top.addingReportingOverflow(distance)
    if !overflows { top = target }
    move(by: distance, in: rows)
  }

  /// A row goes to the top of the screen, with the cursor on it, now or as soon as it is there.
  mutating func go(to id: ID, in rows: some BrowseRows<ID>) {
    letGo()
    wanted = id
    listChanged(to: rows, hasStartLine: hasStartLine)
  }

  /// The row at `index` goes to the top of the screen, with the cursor on it, now or as soon as the list is that long.
  mutating func go(toIndex index: Int, in rows: some BrowseRows<ID>) {
    letGo()
    wantedIndex = index
    listChanged(to: rows, hasStartLine: hasStartLine)
  }

  /// The row at `index` stays where it is on screen, whatever comes above it, until the reader moves.
  mutating func hold(_ index: Int, in rows: some BrowseRows<ID>) {
    letGo()
    held = rows.id(at: index).map { ($0, index - top) }
  }

  /// The list is about to start again from its start, and the reader is there and wants to stay there.
  mutating func willStartAgain() {
    letGo()
    staysAtStart = true
  }

  private mutating func letGo() {
    staysAtStart = false
    held = nil
    wanted = nil
    wantedIndex = nil
  }

  private func place(of id: ID?, in rows: some BrowseRows<ID>) -> Int? { id.flatMap { rows.index(ofItem: $0) } }

  /// The cursor follows its row as long as that is on screen; else it stays on its line.
  private mutating func show(from top: Int, cursorOn line: Int, in rows: some BrowseRows<ID>) {
    self.top = top
    selected = top + line
    if let place = place(of: selectedID, in: rows), place >= top, place < top + height { selected = place }
  }

  /// One line more than there are rows can come on screen: it says how the list ends.
  private mutating func keepInBounds() {
    selected = max(0, min(selected, count - 1))
    top = max(0, min(top, count + 1 - height))
    if selected < top { top = selected }
    if selected >= top + height { top = selected - height + 1 }
    if selected == count - 1, height > 1, top + height == count { top += 1 }
    let hidesEnd = selected == count - 1 && height - 1 <= count
    if hasStartLine, top == 0, selected < height - 1, !hidesEnd { top = -1 }
  }

  private mutating func remember(_ rows: some BrowseRows<ID>) {
    topID = rows.id(at: max(0, top))
    selectedID = rows.id(at: selected)
  }
}
