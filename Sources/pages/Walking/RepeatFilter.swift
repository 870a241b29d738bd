/// Remembers the last rows and tells which come again: what `walk` leaves out.
///
/// Holds at most ``window`` IDs. Rows without an ID are never repeats.
struct RepeatFilter {
  /// How many IDs are remembered.
  static let window = 10_000

  private var seen: Set<RowID> = []
  private var order: [RowID] = []
  private var oldest = 0
  /// How many repeats came.
  private(set) var repeats = 0

  /// Counts repeats from zero again: those so far were no news.
  mutating func forgetCount() { repeats = 0 }

  /// Whether a row with this ID has not come lately; from now on it has. Takes constant time.
  mutating func isNew(_ id: RowID) -> Bool {
    guard id.tells else { return true }
    guard seen.insert(id).inserted else {
      repeats += 1
      return false
    }
    if order.count < Self.window {
      order.append(id)
    } else {
      seen.remove(order[oldest])
      order[oldest] = id
      oldest = (oldest + 1) % Self.window
    }
    return true
  }
}
