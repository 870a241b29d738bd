extension Connection {
  private static let heldOf = SQL(
    """
    SELECT h.item_no, h.skey, i.deleted_seq, h.arrival FROM held h JOIN item i ON i.item_no = h.item_no
    WHERE h.list_no = ? ORDER BY h.arrival
    """)

  /// What a list holds back until its head is known to be current, in the order of arrival.
  func heldItems(of list: Int64) throws(ListStoreError) -> [HeldItem] {
    try all(Self.heldOf, list) { row throws(ListStoreError) in
      HeldItem(
        item: MergeItem(
          try row.int64(0), sortBytes: try row.optionalSortBytes(1), tombstone: try row.optionalInt64(2)),
        arrival: try row.int64(3))
    }
  }
}
