import Testing

@testable import PagingStore

@Suite struct DatabaseTests {
  private static let rename = SQL("INSERT INTO kind (kind_no, name) VALUES (?, ?)")
  private static let name = SQL("SELECT name FROM kind WHERE kind_no = ?")

  @Test func S2_aTransactionIsWholeOrNothing() throws {
    let database = try Database.inMemory()
    let first = try database.write { transaction throws(ListStoreError) in
      try transaction.connection.run(Self.rename, transaction.draw(), "Post")
      return transaction.sequence
    }
    #expect(first == 1)
    #expect(throws: ListStoreError.self) {
      try database.write { transaction throws(ListStoreError) in
        try transaction.connection.run(Self.rename, 7, "Gone")
        throw ListStoreError(.notFound, message: "no")
      }
    }
    let names = try database.read { connection throws(ListStoreError) in
      try connection.all(SQL("SELECT name FROM kind WHERE kind_no > ?"), 0) { row throws(ListStoreError) in
        try row.text(0)
      }
    }
    #expect(names == ["Post"])
    #expect(try database.problems().isEmpty)
    let next = try database.write { $0.sequence }
    #expect(next == 3)
  }
}
