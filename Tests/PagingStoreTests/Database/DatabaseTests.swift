import Foundation
import Synchronization
import Testing

@testable import PagingStore

@Suite struct DatabaseTests {
  private static let add = SQL("INSERT INTO kind (kind_no, name) VALUES (?, ?)")
  private static let names = SQL("SELECT name FROM kind WHERE kind_no > ? ORDER BY kind_no")
  private static let count = SQL("SELECT count(*) FROM kind WHERE kind_no > ?")

  private func names(_ database: Database) throws -> [String] {
    try database.read { connection throws(ListStoreError) in
      try connection.all(Self.names, 0) { row throws(ListStoreError) in try row.text(0) }
    }
  }

  @Test(arguments: [true, false]) func S2_aTransactionIsWholeOrNothing(inMemory: Bool) throws {
    let folder = try DatabaseFolder()
    let database = try inMemory ? Database.inMemory() : Database(at: folder.file())
    let first = try database.write { transaction throws(ListStoreError) in
      try transaction.connection.run(Self.add, transaction.draw(), "Post")
      return transaction.sequence
    }
    #expect(first == 1)
    #expect(throws: ListStoreError.self) {
      try database.write { transaction throws(ListStoreError) in
        try transaction.connection.run(Self.add, 7, "Gone")
        throw ListStoreError(.notFound, message: "no")
      }
    }
    #expect(try names(database) == ["Post"])
    #expect(try database.problems().isEmpty)
    #expect(
      try database.write { $0.sequence } == 3, "Two numbers were drawn, and the transaction that failed took none.")
  }

  @Test func S2_whatWasCommittedIsThereWhenTheStoreIsOpenedAgain() throws {
    let folder = try DatabaseFolder()
    let last = try {
      let database = try Database(at: folder.file())
      return try database.write(durably: true) { transaction throws(ListStoreError) in
        try transaction.connection.run(Self.add, 1, "Post")
        return transaction.draw()
      }
    }()
    let database = try Database(at: folder.file())
    #expect(try names(database) == ["Post"])
    #expect(try database.write { $0.sequence } > last, "No number is ever given twice.")
  }

  @Test func S12_readersSeeOneMomentWhileOthersWrite() throws {
    let folder = try DatabaseFolder()
    let database = try Database(at: folder.file())
    let counts = try database.read { connection throws(ListStoreError) in
      let before = try connection.first(Self.count, 0) { row throws(ListStoreError) in try row.int(0) }
      // A write from elsewhere, which is done before the read goes on.
      let other = try Database(at: folder.file())
      try other.write { transaction throws(ListStoreError) in _ = try transaction.connection.run(Self.add, 1, "Post") }
      let after = try connection.first(Self.count, 0) { row throws(ListStoreError) in try row.int(0) }
      return [before, after]
    }
    #expect(counts == [0, 0])
    #expect(try names(database) == ["Post"])
  }

  @Test func S12_onlyAnotherConnectionsCommitChangesTheDataVersion() throws {
    let folder = try DatabaseFolder()
    let database = try Database(at: folder.file())
    let other = try Database(at: folder.file())
    let before = try database.dataVersion()
    try database.write { transaction throws(ListStoreError) in _ = try transaction.connection.run(Self.add, 1, "Own") }
    _ = try names(database)
    #expect(try database.dataVersion() == before)
    try other.write { transaction throws(ListStoreError) in _ = try transaction.connection.run(Self.add, 2, "Other") }
    let after = try database.dataVersion()
    #expect(after != before)
    #expect(try database.dataVersion() == after)
    #expect(try names(database) == ["Own", "Other"])
  }

  @Test(arguments: [true, false]) func S2_manyThreadsWriteAndReadAndNothingIsLost(inMemory: Bool) throws {
    let folder = try DatabaseFolder()
    let database = try inMemory ? Database.inMemory() : Database(at: folder.file())
    let faults = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      do {
        for round in 0..<25 {
          if thread < 4 {
            try database.write { transaction throws(ListStoreError) in
              // Two rows that only ever appear together.
              try transaction.connection.run(Self.add, transaction.draw(), "\(thread)-\(round)-a")
              try transaction.connection.run(Self.add, transaction.draw(), "\(thread)-\(round)-b")
            }
          } else {
            let count = try database.read { connection throws(ListStoreError) in
              try connection.first(Self.count, 0) { row throws(ListStoreError) in try row.int(0) }
            }
            if count?.isMultiple(of: 2) != true { faults.withLock { $0.append("half a transaction was seen") } }
          }
        }
      } catch {
        faults.withLock { $0.append("\(error)") }
      }
    }
    #expect(faults.withLock { $0 } == [])
    #expect(try names(database).count == 200)
    #expect(try database.problems().isEmpty)
  }

  @Test func aStatementThatIsBeingReadCanBeRunAgainInside() throws {
    let database = try Database.inMemory()
    try database.write { transaction throws(ListStoreError) in
      for number in 1...3 { try transaction.connection.run(Self.add, number, "\(number)") }
    }
    let pairs = try database.read { connection throws(ListStoreError) in
      try connection.all(Self.names, 0) { row throws(ListStoreError) in
        let inner = try connection.all(Self.names, 1) { row throws(ListStoreError) in try row.text(0) }
        return try row.text(0) + ":" + inner.joined()
      }
    }
    #expect(pairs == ["1:23", "2:23", "3:23"])
  }

  @Test func valuesComeBackAsTheyWereBound() throws {
    let database = try Database.inMemory()
    let text = "'; DROP TABLE kind; -- \u{0} é 👩‍👩‍👧"
    try database.write { transaction throws(ListStoreError) in _ = try transaction.connection.run(Self.add, 1, text) }
    #expect(try names(database) == [text])
    let echo = SQL("SELECT ?, ?, ?, ?, ?, ?")
    try database.read { connection throws(ListStoreError) in
      _ = try connection.first(echo, Int64.min, "", [UInt8](), Double.infinity, [UInt8]([0, 255]), String?.none) {
        row throws(ListStoreError) in
        #expect(try row.int64(0) == .min)
        #expect(try row.text(1) == "")
        #expect(try row.blob(2) == [])
        #expect(try row.double(3) == .infinity)
        #expect(try row.blob(4) == [0, 255])
        #expect(try row.optionalText(5) == nil)
      }
    }
  }

  @Test func S13_aColumnOfAnotherTypeIsDamageAndNoTrap() throws {
    let database = try Database.inMemory()
    let odd = SQL("SELECT 'text', 1.5, x'ff', NULL, CAST(x'c328' AS TEXT)")
    for kind in 0..<8 {
      let error = #expect(throws: ListStoreError.self) {
        try database.read { connection throws(ListStoreError) in
          _ = try connection.first(odd) { row throws(ListStoreError) in try read(row, kind) }
        }
      }
      #expect(error?.code == .damaged)
    }
  }

  private func read(_ row: Row, _ kind: Int) throws(ListStoreError) {
    switch kind {
    case 0: _ = try row.int64(0)
    case 1: _ = try row.int64(1)
    case 2: _ = try row.text(2)
    case 3: _ = try row.text(3)
    case 4: _ = try row.text(4)
    case 5: _ = try row.blob(0)
    case 6: _ = try row.double(0)
    default: _ = try row.int64(99)
    }
  }
}
