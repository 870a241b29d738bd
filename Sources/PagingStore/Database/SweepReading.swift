/// What a sweep looks at.
struct SweepTable {
  let connection: Connection

  /// One item as a sweep sees it.
  struct Candidate: Hashable, Sendable {
    var number: Int64
    var usedAt: Int64
    var isDeleted: Bool
    /// Whether a row, an edit, or something that is held or sent refers to it.
    var isReferenced: Bool
  }

  /// Items by number, a batch at a time.
  func items(after number: Int64, limit: Int) throws(ListStoreError) -> [Candidate] {
    try connection.all(Self.batch, number, limit) { row throws(ListStoreError) in
      Candidate(
        number: try row.int64(0), usedAt: try row.int64(1), isDeleted: try row.bool(2), isReferenced: try row.bool(3))
    }
  }

  /// Deletes an item with its aliases, unless something refers to it by now; answers whether it did.
  func deleteUnreferenced(_ number: Int64) throws(ListStoreError) -> Bool {
    guard try !connection.has(Self.referenced, number) else { return false }
    try connection.items.delete(number)
    return true
  }

  private static let batch = SQL(
    """
    SELECT i.item_no, i.used_at, i.deleted_seq IS NOT NULL,
      EXISTS (SELECT 1 FROM entry e WHERE e.item_no = i.item_no) OR EXISTS (SELECT 1 FROM patch p WHERE p.item_no = i.item_no)
      OR EXISTS (SELECT 1 FROM held h WHERE h.item_no = i.item_no)
      OR EXISTS (SELECT 1 FROM sending s WHERE s.item_no = i.item_no)
    FROM item i WHERE i.item_no > ? ORDER BY i.item_no LIMIT ?
    """)
  private static let referenced = SQL(
    """
    SELECT 1 FROM item i WHERE i.item_no = ? AND (
      EXISTS (SELECT 1 FROM entry e WHERE e.item_no = i.item_no) OR EXISTS (SELECT 1 FROM patch p WHERE p.item_no = i.item_no)
      OR EXISTS (SELECT 1 FROM held h WHERE h.item_no = i.item_no)
      OR EXISTS (SELECT 1 FROM sending s WHERE s.item_no = i.item_no))
    """)
}

extension Connection {
  /// What a sweep looks at.
  var sweeping: SweepTable { SweepTable(connection: self) }
}
