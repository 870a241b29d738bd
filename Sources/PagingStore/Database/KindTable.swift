/// Names of item types as small numbers.
struct KindTable {
  let connection: Connection

  private static let find = SQL("SELECT kind_no FROM kind WHERE name = ?")
  private static let name = SQL("SELECT name FROM kind WHERE kind_no = ?")
  private static let add = SQL("INSERT INTO kind (name) VALUES (?)")

  /// The number of a type's name; nil: nothing of that type was ever stored.
  func number(of name: String) throws(ListStoreError) -> Int64? {
    try connection.first(Self.find, name) { row throws(ListStoreError) in try row.int64(0) }
  }

  /// The type's name that has a number; nil: none has.
  func name(of number: Int64) throws(ListStoreError) -> String? {
    try connection.first(Self.name, number) { row throws(ListStoreError) in try row.text(0) }
  }

  /// The number of a type's name, which is given one if it has none. Only in a write transaction.
  func add(_ name: String) throws(ListStoreError) -> Int64 {
    if let number = try number(of: name) { return number }
    try connection.run(Self.add, name)
    guard let number = try number(of: name) else {
      throw ListStoreError(.internalFault, message: "The kind \(name) was added and isn't there.")
    }
    return number
  }
}

extension Connection {
  /// Names of item types as small numbers.
  var kinds: KindTable { KindTable(connection: self) }
}
