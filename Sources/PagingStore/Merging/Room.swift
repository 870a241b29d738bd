/// Free positions between rows.
struct Room {
  /// The distance between neighbours in a run, and between runs.
  let stride: Position
  let spacing: Position

  /// Positions for rows that follow one another, the newest first, strictly between two rows; nil: there is no room.
  ///
  /// A neighbour that the rows are joined to is near, another one far. O(count).
  func positions(
    _ count: Int, below upper: Position?, isJoinedAbove: Bool, above lower: Position?, isJoinedBelow: Bool
  ) -> [Position]? {
    guard count > 0 else { return [] }
    let count = Position(count)
    switch (upper, lower) {
    case (nil, nil):
      return fall(from: 0, by: stride, count)
    case (let upper?, nil):
      let (first, overflow) = upper.subtractingReportingOverflow(isJoinedAbove ? stride : spacing)
      return overflow ? nil : fall(from: first, by: stride, count)
    case (nil, let lower?):
      let (length, tooLong) = stride.multipliedReportingOverflow(by: count - 1)
      let (last, tooHigh) = lower.addingReportingOverflow(isJoinedBelow ? stride : spacing)
      let (first, overflow) = last.addingReportingOverflow(length)
      return tooLong || tooHigh || overflow ? nil : fall(from: first, by: stride, count)
    case (let upper?, let lower?):
      return between(count, upper, isJoinedAbove, lower, isJoinedBelow)
    }
  }

  private func between(
    _ count: Position, _ upper: Position, _ isJoinedAbove: Bool, _ lower: Position, _ isJoinedBelow: Bool
  ) -> [Position]? {
    let (difference, overflow) = upper.subtractingReportingOverflow(lower)
    let distance = overflow ? Position.max : difference
    let even = distance / (count + 1)
    guard even >= 1 else { return nil }
    let step = min(even, stride)
    switch (isJoinedAbove, isJoinedBelow) {
    case (true, false): return fall(from: upper - step, by: step, count)
    case (false, true): return fall(from: lower + step * count, by: step, count)
    case (true, true): return fall(from: lower + even * count, by: even, count)
    case (false, false): return fall(from: lower + distance / 2 + step * (count - 1) / 2, by: step, count)
    }
  }

  private func fall(from first: Position, by step: Position, _ count: Position) -> [Position]? {
    let (length, tooLong) = step.multipliedReportingOverflow(by: count - 1)
    let (_, overflow) = first.subtractingReportingOverflow(length)
    return tooLong || overflow ? nil : (0..<count).map { first - $0 * step }
  }
}
