/// A transaction that may write, with its place in the store's sequence.
///
/// The sequence is the store's clock: one counter that rises in every write transaction. What a request remembers as
/// its departure is ``lastSequence(_:)`` at that moment; what a transaction writes carries ``sequence``, which is
/// larger than that of every earlier one.
final class WriteTransaction {
  /// What to run statements on.
  let connection: Connection
  /// The numbers of this transaction: lend it to the merger, which draws too.
  var numbers: MergeNumbers

  /// This transaction's number.
  var sequence: Int64 { numbers.sequence }

  init(_ connection: Connection) throws(ListStoreError) {
    self.connection = connection
    numbers = MergeNumbers(sequence: try Self.lastSequence(connection) + 1)
  }

  /// The number of the last transaction, and of the last thing that was named: everything stored so far has one at most
  /// as large.
  static func lastSequence(_ connection: Connection) throws(ListStoreError) -> Int64 {
    guard let value = try connection.first(readSequence, read: { row throws(ListStoreError) in try row.int64(0) }),
      value >= 0, value < .max / 2
    else {
      throw ListStoreError(
        .damaged, message: "The store has lost its sequence number. It is damaged: recover(to:) saves what can be read."
      )
    }
    return value
  }

  /// A number that nothing in this store ever had, larger than all before: for new items, lists, runs, edits.
  func draw() -> Int64 { numbers.draw() }

  /// Written at the end, once for all that was drawn.
  func storeSequence() throws(ListStoreError) {
    try connection.run(Self.writeSequence, numbers.last)
  }

  private static let readSequence = SQL("SELECT v FROM meta WHERE k = 'seq'")
  private static let writeSequence = SQL("UPDATE meta SET v = ? WHERE k = 'seq'")
}
