/// The statements that make a store's file what it is.
///
/// Every number that names something (`item_no`, `list_no`, `run_no`, `patch_no`) is drawn from the store's sequence
/// (``WriteTransaction/draw()``) and so is never used twice, not even after what it named was deleted. Sequence numbers
/// order requests, placements and deletions; clocks are never compared. Times (`used_at`, `made_at`, `saved_at`) are
/// milliseconds since 1970.
enum SchemaText {
  /// All tables and indexes, each with its name.
  static let objects: [(name: String, text: SQL)] = [
    ("meta", meta), ("kind", kind), ("item", item), ("item_deleted", itemDeleted), ("alias", alias),
    ("alias_item", aliasItem), ("patch", patch), ("patch_item", patchItem), ("feed", feed), ("list", list),
    ("list_feed", listFeed), ("entry", entry), ("entry_item", entryItem), ("entry_skey", entrySkey), ("run", run),
    ("run_list", runList), ("cut", cut), ("held", held), ("held_item", heldItem), ("sending", sending),
    ("sending_item", sendingItem), ("place", place), ("place_list", placeList), ("seen", seen),
    ("seen_order", seenOrder),
  ]

  /// Numbers of the whole store: `seq`, the sequence.
  static let meta = SQL("CREATE TABLE meta (k TEXT PRIMARY KEY NOT NULL, v INTEGER NOT NULL) WITHOUT ROWID")
  /// Names of item types as small numbers.
  static let kind = SQL("CREATE TABLE kind (kind_no INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)")

  /// Each item once. `item_id` is an ``ItemKey``'s text. `base` is what the server last said, encoded; null: known only
  /// by ID. `base_ver` is the server's version, `base_seq` the sequence number at which the request left that brought
  /// it. `deleted_seq` marks an item that the server deleted, and when that became known.
  static let item = SQL(
    """
    CREATE TABLE item (
      item_no INTEGER PRIMARY KEY, kind_no INTEGER NOT NULL, item_id TEXT NOT NULL,
      base BLOB, base_ver INTEGER, base_seq INTEGER NOT NULL DEFAULT 0, deleted_seq INTEGER,
      used_at INTEGER NOT NULL DEFAULT 0, UNIQUE (kind_no, item_id))
    """)
  static let itemDeleted = SQL("CREATE INDEX item_deleted ON item (deleted_seq) WHERE deleted_seq IS NOT NULL")
  /// Other IDs that an item goes by: the local one of an item that was created here.
  static let alias = SQL(
    """
    CREATE TABLE alias (
      kind_no INTEGER NOT NULL, alias_id TEXT NOT NULL, item_no INTEGER NOT NULL REFERENCES item (item_no),
      PRIMARY KEY (kind_no, alias_id)) WITHOUT ROWID
    """)
  static let aliasItem = SQL("CREATE INDEX alias_item ON alias (item_no)")

  /// Local edits over `item.base`, in the order of their numbers. `op` is a merge patch, or with `whole` a whole value.
  /// `state` is the raw value of ``EditLife/Phase``. `made_seq` and `acked_seq` are sequence numbers. `idem` names the
  /// edit to servers. A creation has the number of the list that it was made in: there `item.base` is null until it is
  /// confirmed.
  static let patch = SQL(
    """
    CREATE TABLE patch (
      patch_no INTEGER PRIMARY KEY, item_no INTEGER NOT NULL REFERENCES item (item_no), list_no INTEGER,
      intent TEXT NOT NULL, idem TEXT NOT NULL, op BLOB NOT NULL, whole INTEGER NOT NULL DEFAULT 0,
      state INTEGER NOT NULL, seen_ver INTEGER, acked_ver INTEGER, made_seq INTEGER NOT NULL DEFAULT 0,
      acked_seq INTEGER, tries INTEGER NOT NULL DEFAULT 0, made_at INTEGER NOT NULL DEFAULT 0)
    """)
  static let patchItem = SQL("CREATE INDEX patch_item ON patch (item_no, patch_no)")

  /// A list as the app names it. `current_list` is the order on screen, `previous_list` the one before a refresh
  /// switched.
  static let feed = SQL(
    """
    CREATE TABLE feed (
      feed_no INTEGER PRIMARY KEY, kind_no INTEGER NOT NULL, name TEXT NOT NULL, policy BLOB,
      current_list INTEGER, previous_list INTEGER, UNIQUE (kind_no, name))
    """)
  /// One stored order: the feed's own, a session, or a window that touches neither (`role`).
  /// `head_seq` is when the last applied head request left, `shown_pos` hides what stands above it, null: nothing.
  static let list = SQL(
    """
    CREATE TABLE list (
      list_no INTEGER PRIMARY KEY, feed_no INTEGER NOT NULL, role INTEGER NOT NULL DEFAULT 0,
      session TEXT, session_until INTEGER, epoch INTEGER NOT NULL DEFAULT 0, version INTEGER NOT NULL DEFAULT 0,
      head_seq INTEGER NOT NULL DEFAULT 0, head_asof INTEGER, shown_pos INTEGER, hint_new INTEGER,
      total INTEGER, conflicts INTEGER NOT NULL DEFAULT 0, made_at INTEGER NOT NULL DEFAULT 0)
    """)
  static let listFeed = SQL("CREATE INDEX list_feed ON list (feed_no)")
  /// The rows of an order: larger `pos` is nearer the head. `placed` is the sequence number at which a row was put
  /// there.
  static let entry = SQL(
    """
    CREATE TABLE entry (
      list_no INTEGER NOT NULL, pos INTEGER NOT NULL, item_no INTEGER NOT NULL REFERENCES item (item_no),
      skey BLOB, placed INTEGER NOT NULL, PRIMARY KEY (list_no, pos)) WITHOUT ROWID
    """)
  /// An item stands once in a list, and is found in all of them.
  static let entryItem = SQL("CREATE UNIQUE INDEX entry_item ON entry (item_no, list_no)")
  static let entrySkey = SQL("CREATE INDEX entry_skey ON entry (list_no, skey) WHERE skey IS NOT NULL")
  /// Stretches without a hole. A run without a row has `lo > hi`.
  static let run = SQL(
    """
    CREATE TABLE run (
      run_no INTEGER PRIMARY KEY, list_no INTEGER NOT NULL, hi INTEGER NOT NULL, lo INTEGER NOT NULL,
      newer_state INTEGER NOT NULL, newer_tok TEXT, newer_gen INTEGER NOT NULL, newer_fail INTEGER NOT NULL DEFAULT 0,
      older_state INTEGER NOT NULL, older_tok TEXT, older_gen INTEGER NOT NULL, older_fail INTEGER NOT NULL DEFAULT 0)
    """)
  static let runList = SQL("CREATE INDEX run_list ON run (list_no, hi)")
  /// Joints of pages inside runs: below the row at `pos` the run can be cut.
  static let cut = SQL(
    """
    CREATE TABLE cut (
      list_no INTEGER NOT NULL, pos INTEGER NOT NULL, older_tok TEXT, newer_tok TEXT,
      PRIMARY KEY (list_no, pos)) WITHOUT ROWID
    """)

  /// Live items that arrived while the head wasn't known to be current.
  static let held = SQL(
    """
    CREATE TABLE held (
      list_no INTEGER NOT NULL, arrival INTEGER NOT NULL, item_no INTEGER NOT NULL REFERENCES item (item_no),
      skey BLOB, event INTEGER, PRIMARY KEY (list_no, arrival)) WITHOUT ROWID
    """)
  static let heldItem = SQL("CREATE UNIQUE INDEX held_item ON held (item_no, list_no)")
  /// Items that were created here and that the server hasn't confirmed, in the order they were sent.
  static let sending = SQL(
    """
    CREATE TABLE sending (
      list_no INTEGER NOT NULL, local_no INTEGER NOT NULL, item_no INTEGER NOT NULL REFERENCES item (item_no),
      PRIMARY KEY (list_no, local_no)) WITHOUT ROWID
    """)
  static let sendingItem = SQL("CREATE INDEX sending_item ON sending (item_no)")
  /// Where readers were, one row a view. It names the row by ID, as the item may be swept away before the reader
  /// returns.
  static let place = SQL(
    """
    CREATE TABLE place (
      view TEXT PRIMARY KEY NOT NULL, feed_no INTEGER NOT NULL, list_no INTEGER NOT NULL, epoch INTEGER NOT NULL,
      item_id TEXT NOT NULL, skey BLOB, pos INTEGER, edge INTEGER NOT NULL DEFAULT 0, offset REAL NOT NULL DEFAULT 0,
      fraction REAL, near BLOB, at_head INTEGER NOT NULL DEFAULT 0, saved_at INTEGER NOT NULL) WITHOUT ROWID
    """)
  static let placeList = SQL("CREATE INDEX place_list ON place (list_no)")
  /// IDs that a ranked feed has shown, for requests that leave them out.
  static let seen = SQL(
    """
    CREATE TABLE seen (
      feed_no INTEGER NOT NULL, item_id TEXT NOT NULL, first_seq INTEGER NOT NULL,
      PRIMARY KEY (feed_no, item_id)) WITHOUT ROWID
    """)
  static let seenOrder = SQL("CREATE INDEX seen_order ON seen (feed_no, first_seq)")

  static let firstSequence = SQL("INSERT INTO meta (k, v) VALUES ('seq', 0)")
  /// A table that is empty while another one has rows that need it: a page of it lost them. Or an index that is empty
  /// beside its table.
  static let contradiction = SQL(
    """
    SELECT CASE
      WHEN EXISTS (SELECT 1 FROM item WHERE item_no > 0) AND NOT EXISTS (SELECT 1 FROM kind WHERE kind_no > 0) THEN 'kind'
      WHEN EXISTS (SELECT 1 FROM item WHERE item_no > 0) <> EXISTS (
        SELECT 1 FROM item INDEXED BY sqlite_autoindex_item_1 WHERE kind_no > 0) THEN 'item'
      WHEN EXISTS (SELECT 1 FROM feed WHERE feed_no > 0) AND NOT EXISTS (SELECT 1 FROM kind WHERE kind_no > 0) THEN 'kind'
      WHEN EXISTS (SELECT 1 FROM list WHERE list_no > 0) AND NOT EXISTS (SELECT 1 FROM feed WHERE feed_no > 0) THEN 'feed'
      WHEN EXISTS (SELECT 1 FROM run WHERE run_no > 0) AND NOT EXISTS (SELECT 1 FROM list WHERE list_no > 0) THEN 'list'
      WHEN EXISTS (SELECT 1 FROM entry WHERE list_no > 0) AND NOT EXISTS (SELECT 1 FROM run WHERE run_no > 0) THEN 'run'
      WHEN EXISTS (SELECT 1 FROM entry WHERE list_no > 0) AND NOT EXISTS (SELECT 1 FROM item WHERE item_no > 0) THEN 'item'
      WHEN EXISTS (SELECT 1 FROM entry WHERE list_no > 0) <> EXISTS (
        SELECT 1 FROM entry INDEXED BY entry_item WHERE item_no > 0) THEN 'entry' END
    """)
  /// The tables by which everything else is found, which have few rows: each is looked at as a whole.
  static let smallTables = [
    SQL("PRAGMA integrity_check(kind)"), SQL("PRAGMA integrity_check(feed)"), SQL("PRAGMA integrity_check(list)"),
    SQL("PRAGMA integrity_check(run)"),
  ]
  static let application = SQL("PRAGMA application_id")
  static let setApplication = SQL("PRAGMA application_id = 1348948852")
  static let version = SQL("PRAGMA user_version")
  static let setVersion = SQL("PRAGMA user_version = 1")
  static let names = SQL("SELECT name FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
  static let useWriteAheadLog = SQL("PRAGMA journal_mode = WAL")
  static let begin = SQL("BEGIN IMMEDIATE")
  static let beginReading = SQL("BEGIN")
  static let commit = SQL("COMMIT")
  static let rollback = SQL("ROLLBACK")
}
