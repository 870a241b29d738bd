/// Where rows stand that edits inserted or hid, among the rows of a generation; and so where all others stand.
///
/// A row's presented coordinate is its own one, plus the rows inserted before it, less those hidden before it. It is
/// stable as long as this value is. Look-ups cost O(log edits).
struct EditCoordinates: Equatable {
  /// A row that came or went.
  struct Entry: Equatable {
    /// An inserted row stands in front of the row of this coordinate; a hidden one has it.
    let base: Int
    let isInserted: Bool
    /// The edit that inserted it; 0 for a hidden row.
    let edit: UInt64
    /// What ``EditOverlay/Edit/stamp`` was.
    let stamp: UInt64
  }

  /// Which row a presented coordinate means.
  enum Row: Equatable {
    case base(Int)
    /// An inserted one in front of the row of that coordinate.
    case inserted(before: Int)
  }

  /// In the order of the list.
  private(set) var entries: [Entry] = []
  /// `nets[i]`: by how much what follows the first i entries has moved.
  private var nets = [0]

  mutating func append(_ entry: Entry) {
    nets.append(net + (entry.isInserted ? 1 : -1))
    entries.append(entry)
  }

  /// By how much the rows behind the loaded ones have moved.
  var net: Int { nets[entries.count] }

  /// The presented coordinate of the row at `base`, or where it is hidden, of the one that follows it.
  func presented(_ base: Int) -> Int {
    let before = count { $0.base < base || ($0.base == base && $0.isInserted) }
    return base + nets[before]
  }

  /// The row at a presented coordinate.
  func row(at presented: Int) -> Row {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if place(of: middle) <= presented { low = middle + 1 } else { high = middle }
    }
    if low > 0, entries[low - 1].isInserted, place(of: low - 1) == presented {
      return .inserted(before: entries[low - 1].base)
    }
    return .base(presented - nets[low])
  }

  /// The presented coordinate of an inserted row, or of the first row behind a hidden one.
  func place(of entry: Int) -> Int { entries[entry].base + nets[entry] }

  func isHidden(_ base: Int) -> Bool {
    let before = count { $0.base < base || ($0.base == base && $0.isInserted) }
    return before < entries.count && entries[before].base == base
  }

  /// The first row from `base` on that is not hidden; where there is none, the last before it; nil where all are
  /// hidden.
  func visible(from base: Int, in loaded: Range<Int>) -> Int? {
    var row = base
    while loaded.contains(row), isHidden(row) { row += 1 }
    if row < loaded.upperBound { return row }
    row = min(base, loaded.upperBound) - 1
    while loaded.contains(row), isHidden(row) { row -= 1 }
    return row >= loaded.lowerBound ? row : nil
  }

  /// How many entries come first for which `isBefore` holds.
  private func count(isBefore: (Entry) -> Bool) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(entries[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
