/// The identities of a list of rows, with their hashes.
struct RowIdentities<ID: Equatable> {
  var hashes: [Int]
  var ids: [ID]
}

/// Which rows of one list are in another, and which of them have to move.
///
/// Rows are matched by identity, hashes first. No identity may occur twice in a list; where one does, the second is
/// matched with nothing. Linear in the rows, plus O(n log n) for those that lie out of order.
struct IdentityDiff {
  /// Stands for no row.
  static let none: Int32 = -1

  /// For each new row the old one of its identity, or ``none``.
  private(set) var oldIndices: [Int32]
  /// For each old row the new one of its identity, or ``none``.
  private(set) var newIndices: [Int32]
  /// For each new row whether it has to move. Those that needn't are as many as can be.
  private(set) var isMoved: [Bool]
  /// How many rows have to move.
  private(set) var moveCount = 0

  private var isInOrder = true

  init<ID: Equatable>(from old: RowIdentities<ID>, to new: RowIdentities<ID>) {
    oldIndices = Array(repeating: Self.none, count: new.hashes.count)
    newIndices = Array(repeating: Self.none, count: old.hashes.count)
    isMoved = Array(repeating: false, count: new.hashes.count)
    old.ids.withUnsafeBufferPointer { oldIDs in
      new.ids.withUnsafeBufferPointer { newIDs in
        match(old: old.hashes, new: new.hashes) { oldIDs[$0] == newIDs[$1] }
      }
    }
    if !isInOrder { markMoves() }
  }

  // MARK: - Matching

  /// How far ahead the next old row is looked for, before it is left to the table.
  private static let lookahead = 32
  /// After so many new rows in a row that were not found near, the table does the rest.
  private static let patience = 64

  private mutating func match(old: [Int], new: [Int], isEqual: (Int, Int) -> Bool) {
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, old[prefix] == new[prefix], isEqual(prefix, prefix) {
      pair(prefix, prefix)
      prefix += 1
    }
    var oldEnd = old.count
    var newEnd = new.count
    while oldEnd > prefix, newEnd > prefix, old[oldEnd - 1] == new[newEnd - 1], isEqual(oldEnd - 1, newEnd - 1) {
      oldEnd -= 1
      newEnd -= 1
      pair(oldEnd, newEnd)
    }
    guard prefix < oldEnd, prefix < newEnd else { return }
    let unmatched = matchNear(old: old, oldRange: prefix..<oldEnd, new: new, newRange: prefix..<newEnd, isEqual)
    if !unmatched.isEmpty { matchByTable(old: old, oldRange: prefix..<oldEnd, new: new, rows: unmatched, isEqual) }
    var last = Self.none
    for row in prefix..<newEnd where oldIndices[row] >= 0 {
      if oldIndices[row] < last { isInOrder = false }
      last = oldIndices[row]
    }
  }

  private mutating func pair(_ old: Int, _ new: Int) {
    oldIndices[new] = Int32(truncatingIfNeeded: old)
    newIndices[old] = Int32(truncatingIfNeeded: new)
  }

  /// Matches rows that still follow one another, with single rows and short stretches gone or come in between.
  ///
  /// Returns the new rows that it found no match for.
  private mutating func matchNear(
    old: [Int], oldRange: Range<Int>, new: [Int], newRange: Range<Int>, _ isEqual: (Int, Int) -> Bool
  ) -> [Int] {
    var unmatched: [Int] = []
    var next = oldRange.lowerBound
    var misses = 0
    for row in newRange {
      guard misses < Self.patience else {
        unmatched.append(contentsOf: row..<newRange.upperBound)
        break
      }
      let hash = new[row]
      let end = min(next + Self.lookahead, oldRange.upperBound)
      var candidate = next
      while candidate < end, old[candidate] != hash { candidate += 1 }
      if candidate < end, isEqual(candidate, row) {
        pair(candidate, row)
        next = candidate + 1
        misses = 0
      } else {
        unmatched.append(row)
        misses += 1
      }
    }
    return unmatched
  }

  /// Matches the given new rows with whatever old rows are not matched yet, wherever they are.
  private mutating func matchByTable(
    old: [Int], oldRange: Range<Int>, new: [Int], rows: [Int], _ isEqual: (Int, Int) -> Bool
  ) {
    let free = oldRange.count - (newIndices[oldRange].lazy.filter { $0 >= 0 }.count)
    var table = HashTable(capacity: free)
    for row in oldRange where newIndices[row] < 0 { table.insert(row, hash: old[row]) }
    for row in rows {
      let hash = new[row]
      var slot = table.slot(of: hash)
      while let candidate = table[slot] {
        if old[candidate] == hash, newIndices[candidate] < 0, isEqual(candidate, row) {
          pair(candidate, row)
          break
        }
        slot = table.slot(after: slot)
      }
    }
  }

  // MARK: - Moves

  /// Marks all but a longest increasing subsequence of the old indices (patience sorting, with a short cut for a row
  /// that continues the longest one so far).
  private mutating func markMoves() {
    /// `tails[n]` is the new row at which the best increasing sequence of n + 1 rows ends.
    var tails: [Int32] = []
    var previous = Array(repeating: Self.none, count: oldIndices.count)
    for row in oldIndices.indices where oldIndices[row] >= 0 {
      let value = oldIndices[row]
      isMoved[row] = true
      guard let last = tails.last else {
        tails.append(Int32(truncatingIfNeeded: row))
        continue
      }
      if oldIndices[Int(last)] < value {
        previous[row] = last
        tails.append(Int32(truncatingIfNeeded: row))
        continue
      }
      var low = 0
      var high = tails.count - 1
      while low < high {
        let middle = (low + high) / 2
        if oldIndices[Int(tails[middle])] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[row] = tails[low - 1] }
      tails[low] = Int32(truncatingIfNeeded: row)
    }
    var row = tails.last ?? Self.none
    while row >= 0 {
      isMoved[Int(row)] = false
      row = previous[Int(row)]
    }
    for row in isMoved.indices where isMoved[row] { moveCount += 1 }
  }
}

/// Row numbers by hash: open addressing, at most half full. It knows no keys; who asks compares.
private struct HashTable {
  private var slots: [Int32]
  private let shift: Int

  init(capacity: Int) {
    var bits = 4
    while 1 << bits < capacity * 2 { bits += 1 }
    slots = Array(repeating: IdentityDiff.none, count: 1 << bits)
    shift = Int.bitWidth - bits
  }

  /// Where to look first. The hash is multiplied by 2⁶⁴ / φ, so that weak hashes spread too.
  func slot(of hash: Int) -> Int {
    Int(bitPattern: (UInt(bitPattern: hash) &* UInt(truncatingIfNeeded: 0x9e37_79b9_7f4a_7c15 as UInt64)) >> shift)
  }

  func slot(after slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

  subscript(slot: Int) -> Int? {
    let row = slots[slot]
    return row >= 0 ? Int(row) : nil
  }

  mutating func insert(_ row: Int, hash: Int) {
    var slot = slot(of: hash)
    while slots[slot] >= 0 { slot = self.slot(after: slot) }
    slots[slot] = Int32(truncatingIfNeeded: row)
  }
}
