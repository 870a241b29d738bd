extension Connection {
  private static let moveEntries = SQL("UPDATE entry SET item_no = ? WHERE item_no = ?")
  private static let moveHeld = SQL("UPDATE OR IGNORE held SET item_no = ? WHERE item_no = ?")
  private static let moveSending = SQL("UPDATE sending SET item_no = ? WHERE item_no = ?")

  /// All that refers to one item refers to another from now on: rows, edits, what is held and sent. Where both stand in
  /// one list it throws `internalFault` and the transaction has to be undone: an item that only was created stands in
  /// none.
  func moveReferences(from old: Int64, to new: Int64) throws(ListStoreError) {
    try run(Self.moveEntries, new, old)
    try patches.move(from: old, to: new)
    try run(Self.moveSending, new, old)
    try run(Self.moveHeld, new, old)
    _ = try held.release(old)
  }

  /// What a list goes by; nil: there is none of that number.
  func name(ofFeed number: Int64) throws(ListStoreError) -> ListName? {
    guard let feed = try feeds.find(number), let kind = try kinds.name(of: feed.kind) else { return nil }
    return ListName(kind: kind, name: feed.name)
  }
}
