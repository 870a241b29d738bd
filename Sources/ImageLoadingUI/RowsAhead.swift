/// Decides which rows' pictures are wanted soon, as a screen moves over a list: those ahead of it, the way that it went
/// last.
///
/// A row whose picture was wanted stays wanted while it is on screen: who shows it may not have asked for it yet. Pure;
/// rows are told apart by identity, since their indices change with the list.
struct RowsAhead<ID: Hashable> {
  /// How many rows ahead; nil: as many as two screens hold.
  private let distance: Int?
  private var goesBack = false
  /// The first row on screen, when the screen moved last.
  private var first: ID?
  private var wanted: Set<ID> = []

  /// - Parameter distance: How many rows ahead, at least 0; nil: as many as two screens hold.
  init(distance: Int?) {
    self.distance = distance.map { max(0, $0) }
  }

  /// The screen shows these rows, or the list has changed around them.
  ///
  /// - Parameters:
  ///   - visible: The indices of the rows on screen.
  ///   - count: How many rows there are.
  ///   - id: The identity of the row at an index.
  ///   - index: The index of a row, if it is still there.
  /// - Returns: The indices of the rows that are wanted, the most wanted first.
  mutating func moved(
    to visible: Range<Int>, count: Int, id: (Int) -> ID, index: (ID) -> Int?
  ) -> [Int] {
    let visible = visible.clamped(to: 0..<max(0, count))
    guard let firstVisible = visible.first else {
      wanted = []
      return []
    }
    if let before = first.flatMap(index), before != firstVisible { goesBack = firstVisible < before }
    first = id(firstVisible)

    let (screens, overflows) = visible.count.multipliedReportingOverflow(by: 2)
    let reach = distance ?? (overflows ? count : screens)
    var rows =
      goesBack
      ? Array((visible.lowerBound - min(reach, visible.lowerBound)..<visible.lowerBound).reversed())
      : Array(visible.upperBound..<visible.upperBound + min(reach, count - visible.upperBound))
    rows += visible.filter { wanted.contains(id($0)) }
    wanted = Set(rows.map(id))
    return rows
  }

  /// Nothing is known to be on screen.
  mutating func left() { wanted = [] }
}
