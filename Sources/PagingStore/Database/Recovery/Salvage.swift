/// Reads what can be read of a table whose pages are partly unreadable.
///
/// It reads from the front until a page fails, from the back until a page fails, and looks between the two by halves,
/// the widest stretch first, until it has looked often enough. Pure but for what `read` does.
struct Salvage {
  /// The keys that failed, as ranges in rising order: rows may have been lost there.
  private(set) var holes: [ClosedRange<Int64>] = []

  /// Reads the rows of a range of keys in order, calls `saw` with each key, and throws where a page fails.
  typealias Read = (
    _ range: ClosedRange<Int64>, _ falling: Bool, _ saw: (Int64) -> Void
  ) throws(ListStoreError) -> Void

  /// Reads everything within `range`.
  ///
  /// - Parameter looks: How often to look between pages that failed. Each look that fails costs microseconds.
  init(_ range: ClosedRange<Int64>, looks: Int = 400, read: Read) {
    var waiting = [range]
    var looks = looks
    while let index = waiting.indices.max(by: { waiting[$0].width < waiting[$1].width }) {
      let range = waiting.remove(at: index)
      guard let unread = Self.unread(of: range, read) else { continue }
      looks -= 1
      guard looks > 0, unread.lowerBound < unread.upperBound else {
        holes.append(unread)
        continue
      }
      // The shift keeps the sum from overflowing.
      let middle = (unread.lowerBound >> 1) + (unread.upperBound >> 1) + (unread.lowerBound & unread.upperBound & 1)
      waiting.append(unread.lowerBound...middle)
      waiting.append((middle + 1)...unread.upperBound)
    }
    holes.sort { $0.lowerBound < $1.lowerBound }
  }

  /// What is left between the last row that can be read from the front and the last from the back; nil: nothing.
  private static func unread(of range: ClosedRange<Int64>, _ read: Read) -> ClosedRange<Int64>? {
    var low = range.lowerBound
    var high = range.upperBound
    var isDone = false
    do throws(ListStoreError) {
      try read(range, false) { key in
        isDone = key >= range.upperBound
        low = isDone ? key : max(low, key + 1)
      }
      return nil
    } catch {}
    guard !isDone else { return nil }
    do throws(ListStoreError) {
      try read(low...high, true) { key in
        isDone = key <= low
        high = isDone ? key : min(high, key - 1)
      }
      return nil
    } catch {}
    return isDone || low > high ? nil : low...high
  }
}

extension ClosedRange<Int64> {
  fileprivate var width: UInt64 { UInt64(bitPattern: upperBound) &- UInt64(bitPattern: lowerBound) }
}
