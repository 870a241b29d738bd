extension ListOrder {
  private static let insert = SQL("INSERT INTO entry (list_no, pos, item_no, skey, placed) VALUES (?, ?, ?, ?, ?)")
  private static let remove = SQL("DELETE FROM entry WHERE list_no = ? AND pos = ?")
  private static let move = SQL("UPDATE entry SET pos = ?, placed = ? WHERE list_no = ? AND pos = ?")
  private static let setKey = SQL("UPDATE entry SET skey = ? WHERE list_no = ? AND pos = ?")
  private static let putRun = SQL(
    """
    INSERT INTO run (run_no, list_no, hi, lo, newer_state, newer_tok, newer_gen, newer_fail,
      older_state, older_tok, older_gen, older_fail) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (run_no) DO UPDATE SET hi = excluded.hi, lo = excluded.lo,
      newer_state = excluded.newer_state, newer_tok = excluded.newer_tok, newer_gen = excluded.newer_gen,
      newer_fail = excluded.newer_fail, older_state = excluded.older_state, older_tok = excluded.older_tok,
      older_gen = excluded.older_gen, older_fail = excluded.older_fail
    """)
  private static let deleteRun = SQL("DELETE FROM run WHERE run_no = ? AND list_no = ?")
  private static let putCut = SQL(
    """
    INSERT INTO cut (list_no, pos, older_tok, newer_tok) VALUES (?, ?, ?, ?)
    ON CONFLICT (list_no, pos) DO UPDATE SET older_tok = excluded.older_tok, newer_tok = excluded.newer_tok
    """)
  private static let deleteEntries = SQL("DELETE FROM entry WHERE list_no = ?")
  private static let deleteRuns = SQL("DELETE FROM run WHERE list_no = ?")
  private static let deleteCuts = SQL("DELETE FROM cut WHERE list_no = ?")
  private static let deleteCutsWithin = SQL("DELETE FROM cut WHERE list_no = ? AND pos >= ? AND pos <= ?")
  private static let nextEpoch = SQL("UPDATE list SET epoch = epoch + 1, shown_pos = NULL WHERE list_no = ?")
  private static let setHead = SQL("UPDATE list SET head_seq = ? WHERE list_no = ?")
  private static let clearHeld = SQL("DELETE FROM held WHERE list_no = ?")

  private static let dropHeld = SQL("DELETE FROM held WHERE item_no = ? AND list_no = ?")

  /// Applies a plan in order, in the write transaction that it was read in. A step that doesn't fit what is stored (a
  /// position that is taken, a row that is gone) is a fault of the plan: it throws `internalFault`, and the transaction
  /// is undone.
  func apply(_ writes: [OrderWrite]) throws(ListStoreError) {
    for write in writes { try apply(write) }
  }

  private func apply(_ write: OrderWrite) throws(ListStoreError) {
    switch write {
    case .insert(let entry):
      try connection.run(Self.insert, list, entry.position, entry.item, entry.sortBytes, entry.placed)
    case .remove(let position):
      try expectOne(write, try connection.run(Self.remove, list, position))
    case .move(let from, let to, let placed):
      try expectOne(write, try connection.run(Self.move, to, placed, list, from))
    case .setSortBytes(let position, let key):
      try expectOne(write, try connection.run(Self.setKey, key, list, position))
    case .putRun(let run):
      try connection.run(
        Self.putRun, run.number, list, run.high, run.low, run.newer.state, run.newer.token, run.newer.generation,
        run.newer.failures, run.older.state, run.older.token, run.older.generation, run.older.failures)
    case .deleteRun(let number):
      try expectOne(write, try connection.run(Self.deleteRun, number, list))
    case .putCut(let position, let olderToken, let newerToken):
      try connection.run(Self.putCut, list, position, olderToken, newerToken)
    case .dropCuts(let range):
      try deleteCuts(in: range)
    case .renumber:
      try renumber()
    case .clear:
      try empty()
      try expectOne(write, try connection.run(Self.nextEpoch, list))
    case .setHeadSequence(let sequence):
      try expectOne(write, try connection.run(Self.setHead, sequence, list))
    case .clearHeld:
      try connection.run(Self.clearHeld, list)
    case .dropHeld(let item):
      try connection.run(Self.dropHeld, item, list)
    }
  }

  /// Deletes all rows, runs and joints; the list itself stays.
  func empty() throws(ListStoreError) {
    try connection.run(Self.deleteEntries, list)
    try connection.run(Self.deleteRuns, list)
    try connection.run(Self.deleteCuts, list)
  }

  /// Forgets the joints within positions, both inclusive.
  func deleteCuts(in range: ClosedRange<Position>) throws(ListStoreError) {
    try connection.run(Self.deleteCutsWithin, list, range.lowerBound, range.upperBound)
  }

  /// Puts back a row as it is; for spreading positions and for what was recovered.
  func put(_ entry: Entry) throws(ListStoreError) {
    try connection.run(Self.insert, list, entry.position, entry.item, entry.sortBytes, entry.placed)
  }

  private func expectOne(_ write: OrderWrite, _ count: Int) throws(ListStoreError) {
    guard count == 1 else {
      throw ListStoreError(
        .internalFault,
        message: "A plan for list \(list) doesn't fit what is stored: \(write) met \(count) rows. Nothing was changed.")
    }
  }
}
