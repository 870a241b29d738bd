/// One local edit as it is stored.
struct StoredPatch: Hashable, Sendable {
  /// Its number; later edits have larger ones.
  var number: Int64
  /// The item that it changes.
  var item: Int64
  /// The list that it makes the item in; nil: the item was there.
  var list: Int64?
  /// The app's word for it.
  var intent: String
  /// Names it to servers, the same at every try.
  var idempotencyKey: String
  /// What it changes.
  var patch: MergePatch
  /// How far it has come.
  var life = EditLife()
  /// The version that the item had when it was made.
  var seenVersion: Int64?
  /// When it was made: the sequence, and milliseconds since 1970.
  var madeAt: (sequence: Int64, time: Int64) = (0, 0)

  static func == (a: Self, b: Self) -> Bool {
    a.number == b.number && a.item == b.item && a.list == b.list && a.intent == b.intent
      && a.idempotencyKey == b.idempotencyKey && a.patch == b.patch && a.life == b.life
      && a.seenVersion == b.seenVersion
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(item)
  }
}

/// Reads and writes local edits.
struct PatchTable {
  let connection: Connection

  /// Whether there is any edit at all: most of the time there is none, and nothing has to be folded. A few
  /// microseconds.
  var isEmpty: Bool {
    get throws(ListStoreError) { !(try connection.has(Self.any)) }
  }

  /// The edits of an item in their order.
  func patches(of item: Int64) throws(ListStoreError) -> [StoredPatch] {
    try connection.all(Self.ofItem, item) { row throws(ListStoreError) in try decoded(row) }
  }

  /// One edit; nil: it is no more.
  func patch(_ number: Int64) throws(ListStoreError) -> StoredPatch? {
    try connection.first(Self.byNumber, number) { row throws(ListStoreError) in try decoded(row) }
  }

  /// All edits in their order, from after a number on.
  func patches(
    after number: Int64 = 0, limit: Int = .max
  ) throws(ListStoreError) -> [StoredPatch] {
    try connection.all(Self.afterNumber, number, limit) { row throws(ListStoreError) in try decoded(row) }
  }

  /// What a reader sees of an item: the server's copy with all edits laid over it; nil: nothing is known but its ID.
  func folded(
    _ base: [UInt8]?, of item: Int64
  ) throws(ListStoreError) -> [UInt8]? {
    Self.fold(try patches(of: item).map(\.patch), over: base)
  }

  /// Edits laid over a copy, one after the other.
  static func fold(_ patches: [MergePatch], over base: [UInt8]?) -> [UInt8]? {
    var value = base
    for patch in patches {
      if let bytes = value {
        value = patch.folded(over: bytes)
      } else if case .whole(let bytes) = patch {
        value = bytes
      }
    }
    return value
  }

  func insert(_ patch: StoredPatch) throws(ListStoreError) {
    try connection.run(
      Self.insertion, patch.number, patch.item, patch.list, patch.intent, patch.idempotencyKey, patch.patch.encoded,
      patch.patch.isWhole, patch.life.phase.rawValue, patch.seenVersion, patch.life.version, patch.madeAt.sequence,
      patch.life.acknowledgedAt, patch.life.tries, patch.madeAt.time)
  }

  func setLife(_ life: EditLife, of number: Int64) throws(ListStoreError) {
    try connection.run(Self.lifeUpdate, life.phase.rawValue, life.version, life.acknowledgedAt, life.tries, number)
  }

  func setPatch(_ patch: MergePatch, of number: Int64) throws(ListStoreError) {
    try connection.run(Self.patchUpdate, patch.encoded, patch.isWhole, number)
  }

  func delete(_ number: Int64) throws(ListStoreError) {
    try connection.run(Self.deletion, number)
  }

  /// All edits of one item are of another from now on: two turned out to be one.
  func move(from item: Int64, to other: Int64) throws(ListStoreError) {
    try connection.run(Self.itemUpdate, other, item)
  }

  private func decoded(_ row: Row) throws(ListStoreError) -> StoredPatch {
    guard let phase = EditLife.Phase(rawValue: try row.int64(7)) else {
      throw ListStoreError(
        .damaged, message: "An edit in the store is in a state that doesn't exist; recover(to:) saves what can be read."
      )
    }
    return StoredPatch(
      number: try row.int64(0), item: try row.int64(1), list: try row.optionalInt64(2), intent: try row.text(3),
      idempotencyKey: try row.text(4), patch: try MergePatch(encoded: row.blob(5), isWhole: row.bool(6)),
      life: EditLife(
        phase: phase, tries: try row.int(12), version: try row.optionalInt64(9),
        acknowledgedAt: try row.optionalInt64(11)),
      seenVersion: try row.optionalInt64(8), madeAt: (try row.int64(10), try row.int64(13)))
  }

  private static let any = SQL("SELECT 1 FROM patch WHERE patch_no > 0 LIMIT 1")
  private static let ofItem = SQL(
    """
    SELECT patch_no, item_no, list_no, intent, idem, op, whole, state, seen_ver, acked_ver, made_seq, acked_seq, tries, made_at
    FROM patch WHERE item_no = ? ORDER BY patch_no
    """)
  private static let byNumber = SQL(
    """
    SELECT patch_no, item_no, list_no, intent, idem, op, whole, state, seen_ver, acked_ver, made_seq, acked_seq, tries, made_at
    FROM patch WHERE patch_no = ?
    """)
  private static let afterNumber = SQL(
    """
    SELECT patch_no, item_no, list_no, intent, idem, op, whole, state, seen_ver, acked_ver, made_seq, acked_seq, tries, made_at
    FROM patch WHERE patch_no > ? ORDER BY patch_no LIMIT ?
    """)
  private static let insertion = SQL(
    """
    INSERT INTO patch (patch_no, item_no, list_no, intent, idem, op, whole, state, seen_ver, acked_ver, made_seq, acked_seq,
      tries, made_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  private static let lifeUpdate = SQL(
    "UPDATE patch SET state = ?, acked_ver = ?, acked_seq = ?, tries = ? WHERE patch_no = ?")
  private static let patchUpdate = SQL("UPDATE patch SET op = ?, whole = ? WHERE patch_no = ?")
  private static let deletion = SQL("DELETE FROM patch WHERE patch_no = ?")
  private static let itemUpdate = SQL("UPDATE patch SET item_no = ? WHERE item_no = ?")
}

extension Connection {
  /// Local edits.
  var patches: PatchTable { PatchTable(connection: self) }
}
