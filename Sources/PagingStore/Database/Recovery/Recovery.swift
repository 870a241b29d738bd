import CSQLite

extension Database {
  /// Copies what can be read of a store to a new one; the old file stays as it is. Blocks for as long as reading all of
  /// it takes.
  ///
  /// Where rows of a list are lost a gap stands afterwards, so a list never looks whole that isn't. What cannot be
  /// reached at all is a file whose first page is damaged, as it says where everything else is.
  ///
  /// - Parameters:
  ///   - source: The store. It may be open.
  ///   - target: Where nothing is yet.
  /// - Throws: `notADatabase`, `newerSchema`, `damaged` when nothing can be read, `diskFull`, `inputOutput`, also when
  ///   there is a file at the target already.
  static func recover(from source: String, to target: String) throws(ListStoreError) -> ListStoreRecovery {
    guard FileFacts(source).size != nil else {
      throw ListStoreError(.inputOutput, message: "There is no file at \(source), or it can't be seen by this process.")
    }
    guard FileFacts(target).size == nil else {
      throw ListStoreError(
        .inputOutput,
        message:
          "There is a file at \(target) already. Recover to a new path, then put that file in the old one's place.")
    }
    let old = try Connection(path: source, flags: SQLITE_OPEN_READONLY, busyTimeout: 5000)
    try Schema.checkIdentity(old, path: source)
    try old.run(SchemaText.beginReading)
    defer { old.attempt(SchemaText.rollback) }
    do throws(ListStoreError) {
      return try copy(old, to: target)
    } catch {
      // What is half written is of no use, and in the way of another try.
      for suffix in ["", "-wal", "-shm"] { FileFacts.remove(target + suffix) }
      throw error
    }
  }

  private static func copy(_ old: Connection, to target: String) throws(ListStoreError) -> ListStoreRecovery {
    let new = try Database(at: target)
    var recovery = Recovery(old: old)
    try new.write { transaction throws(ListStoreError) in try recovery.run(into: transaction) }
    try new.checkpoint()
    let problems = try new.problems()
    guard problems.isEmpty else {
      throw ListStoreError(
        .internalFault, message: "The recovered store isn't sound: \(problems.joined(separator: "; ")).")
    }
    return recovery.report
  }
}

/// One recovery under way.
private struct Recovery {
  let old: Connection
  var report = ListStoreRecovery()

  init(old: Connection) {
    self.old = old
  }

  mutating func run(into transaction: WriteTransaction) throws(ListStoreError) {
    let new = transaction.connection
    // A page can read as an empty one: then what is read as whole isn't.
    let isSound = fitsItself()
    report.isComplete = isSound
    try copy(RecoveryText.kinds, into: new, fromBothSides: !isSound)
    try copyItems(into: new)
    // A number that a lost name had may be given to another type.
    let unknown = try new.run(RecoveryText.forgetItemsOfUnknownKinds)
    report.items -= unknown
    if unknown > 0 { report.isComplete = false }
    for table in RecoveryText.afterItems {
      try copy(table, into: new, fromBothSides: !isSound)
      if table.name == "edits" { report.edits = try Self.count(new) }
    }
    for mending in RecoveryText.mendings where try new.run(mending) > 0 { report.isComplete = false }
    let (runs, couldReadAll) = readRuns()
    let knowsAllRuns = couldReadAll && isSound
    // Before anything is drawn, so that no number is given twice.
    let largest = try new.first(RecoveryText.largestNumbers) { row throws(ListStoreError) in try row.int64(0) } ?? 0
    let known = (try? WriteTransaction.lastSequence(old)) ?? 0
    let runNumbers = runs.values.joined().map(\.number).max() ?? 0
    transaction.numbers = MergeNumbers(sequence: max(largest, known, runNumbers, transaction.sequence) + 1)
    for list in try new.all(RecoveryText.listNumbers, read: { row throws(ListStoreError) in try row.int64(0) }) {
      try copyOrder(list, runs: runs[list] ?? [], knowsAllRuns: knowsAllRuns, into: transaction)
    }
  }

  private func fitsItself() -> Bool {
    do throws(ListStoreError) { return try Schema.findContradiction(old) == nil } catch { return false }
  }

  /// Copies a small table, from the front and, where that fails or isn't to be believed, from the back or from an
  /// index.
  private mutating func copy(
    _ table: RecoveryText.Copied, into new: Connection, fromBothSides: Bool
  ) throws(ListStoreError) {
    for (text, isFirst) in [(table.rising, true), (table.falling, false)] {
      var rows: [[Cell]] = []
      var isWhole = true
      do throws(ListStoreError) {
        try old.each(text) { row in rows.append(row.cells) }
      } catch {
        isWhole = false
      }
      for row in rows {
        do throws(ListStoreError) {
          // Read from the front no row comes twice: one that changes nothing broke a rule of the table.
          if try new.run(table.insert, cells: row) == 0, isFirst { report.isComplete = false }
        } catch {
          try lose(error)
        }
      }
      if !isWhole { report.isComplete = false }
      if isWhole, !fromBothSides { return }
    }
  }

  private mutating func copyItems(into new: Connection) throws(ListStoreError) {
    var records: [ItemRecord] = []
    let old = old
    let salvage = Salvage(.min ... .max) { range, falling, saw throws(ListStoreError) in
      let text = falling ? RecoveryText.itemsFalling : RecoveryText.itemsRising
      try old.each(text, range.lowerBound, range.upperBound) { row throws(ListStoreError) in
        records.append(try ItemTable.record(row))
        saw(try row.int64(0))
      }
    }
    if !salvage.holes.isEmpty { report.isComplete = false }
    for record in records {
      do throws(ListStoreError) {
        try new.items.insert(record)
        report.items += 1
      } catch {
        try lose(error)
      }
    }
  }

  /// The runs of all lists, and whether all could be read.
  private mutating func readRuns() -> ([Int64: [Run]], Bool) {
    var runs: [Int64: [Int64: Run]] = [:]
    for text in [RecoveryText.runsRising, RecoveryText.runsFalling] {
      do throws(ListStoreError) {
        try old.each(text) { row throws(ListStoreError) in
          let run = try ListOrder.run(row)
          runs[try row.int64(11), default: [:]][run.number] = run
        }
        return (runs.mapValues { Array($0.values) }, true)
      } catch {
        report.isComplete = false
      }
    }
    return (runs.mapValues { Array($0.values) }, false)
  }

  private mutating func copyOrder(
    _ list: Int64, runs: [Run], knowsAllRuns: Bool, into transaction: WriteTransaction
  ) throws(ListStoreError) {
    let new = transaction.connection
    var rows: [Entry] = []
    let old = old
    let salvage = Salvage(.min ... .max) { range, falling, saw throws(ListStoreError) in
      let text = falling ? RecoveryText.entriesFalling : RecoveryText.entriesRising
      try old.each(text, list, range.lowerBound, range.upperBound) { row throws(ListStoreError) in
        rows.append(try ListOrder.entry(row))
        saw(try row.int64(0))
      }
    }
    // What a run says is its end must be there, else rows were lost without any page having failed.
    let standing = Set(rows.map(\.position))
    var holes = salvage.holes
    for run in runs where !run.isEmpty {
      holes += [run.high, run.low].filter { !standing.contains($0) }.map { $0...$0 }
    }
    var kept: [Entry] = []
    var items: Set<Int64> = []
    for row in rows {
      if items.insert(row.item).inserted, try new.items.find(row.item) != nil {
        kept.append(row)
      } else {
        holes.append(row.position...row.position)
      }
    }
    if !holes.isEmpty { report.isComplete = false }
    let repair = RunRepair(rows: kept, runs: runs, holes: holes, knowsAllRuns: knowsAllRuns) { transaction.draw() }
    let order = new.order(of: list)
    for entry in repair.entries { try order.put(entry) }
    report.rows += repair.entries.count
    if repair.entries.count < kept.count { report.isComplete = false }
    for run in repair.runs { try order.apply([.putRun(run)]) }
    // Joints of pages are tokens that can be had again; they are kept only where nothing was lost.
    guard holes.isEmpty, let cuts = try? old.order(of: list).cuts(in: .min ... .max, limit: .max) else { return }
    for cut in cuts {
      try order.apply([.putCut(position: cut.position, olderToken: cut.olderToken, newerToken: cut.newerToken)])
    }
  }

  /// A row that the new store refuses is lost; a disk that is full ends everything.
  private mutating func lose(_ error: ListStoreError) throws(ListStoreError) {
    guard error.code == .internalFault || error.code == .damaged else { throw error }
    report.isComplete = false
  }

  private static func count(_ connection: Connection) throws(ListStoreError) -> Int {
    try connection.first(SQL("SELECT count(*) FROM patch")) { row throws(ListStoreError) in try row.int(0) } ?? 0
  }
}
