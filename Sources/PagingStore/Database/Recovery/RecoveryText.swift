/// Statements that read whole tables, in both directions, because the middle may not be readable. Only recovery runs
/// them.
enum RecoveryText {
  /// A small table that is copied as it is.
  struct Copied {
    /// What its rows are called in a report.
    let name: String
    let rising: SQL
    let falling: SQL
    let insert: SQL
  }

  static let kinds = Copied(
    name: "kinds", rising: SQL("SELECT kind_no, name FROM kind ORDER BY kind_no"),
    // Its index holds all of it once more.
    falling: SQL("SELECT kind_no, name FROM kind INDEXED BY sqlite_autoindex_kind_1 ORDER BY name"),
    insert: SQL("INSERT OR IGNORE INTO kind (kind_no, name) VALUES (?, ?)"))

  static let itemsRising = SQL(
    """
    SELECT item_no, kind_no, item_id, base, base_ver, base_seq, deleted_seq, used_at FROM item
    WHERE item_no >= ? AND item_no <= ? ORDER BY item_no
    """)
  static let itemsFalling = SQL(
    """
    SELECT item_no, kind_no, item_id, base, base_ver, base_seq, deleted_seq, used_at FROM item
    WHERE item_no >= ? AND item_no <= ? ORDER BY item_no DESC
    """)
  static let entriesRising = SQL(
    "SELECT pos, item_no, skey, placed FROM entry WHERE list_no = ? AND pos >= ? AND pos <= ? ORDER BY pos")
  static let entriesFalling = SQL(
    "SELECT pos, item_no, skey, placed FROM entry WHERE list_no = ? AND pos >= ? AND pos <= ? ORDER BY pos DESC")

  static let afterItems: [Copied] = [
    Copied(
      name: "aliases", rising: SQL("SELECT kind_no, alias_id, item_no FROM alias ORDER BY kind_no, alias_id"),
      falling: SQL("SELECT kind_no, alias_id, item_no FROM alias ORDER BY kind_no DESC, alias_id DESC"),
      insert: SQL("INSERT OR IGNORE INTO alias (kind_no, alias_id, item_no) VALUES (?, ?, ?)")),
    Copied(
      name: "edits",
      rising: SQL(
        """
        SELECT patch_no, item_no, list_no, intent, idem, op, whole, state, seen_ver, acked_ver, made_seq, acked_seq, tries,
          made_at FROM patch ORDER BY patch_no
        """),
      falling: SQL(
        """
        SELECT patch_no, item_no, list_no, intent, idem, op, whole, state, seen_ver, acked_ver, made_seq, acked_seq, tries,
          made_at FROM patch ORDER BY patch_no DESC
        """),
      insert: SQL(
        """
        INSERT OR IGNORE INTO patch (patch_no, item_no, list_no, intent, idem, op, whole, state, seen_ver, acked_ver,
          made_seq, acked_seq, tries, made_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)),
    Copied(
      name: "lists",
      rising: SQL("SELECT feed_no, kind_no, name, policy, current_list, previous_list FROM feed ORDER BY feed_no"),
      // Its index holds the names; which order is current is found out by the mendings.
      falling: SQL(
        "SELECT feed_no, kind_no, name, NULL, NULL, NULL FROM feed INDEXED BY sqlite_autoindex_feed_1 ORDER BY kind_no, name"
      ),
      insert: SQL(
        """
        INSERT OR IGNORE INTO feed (feed_no, kind_no, name, policy, current_list, previous_list) VALUES (?, ?, ?, ?, ?, ?)
        """)),
    Copied(
      name: "orders",
      rising: SQL(
        """
        SELECT list_no, feed_no, role, session, session_until, epoch, version, head_seq, head_asof, shown_pos, hint_new,
          total, conflicts, made_at FROM list ORDER BY list_no
        """),
      falling: SQL(
        """
        SELECT list_no, feed_no, role, session, session_until, epoch, version, head_seq, head_asof, shown_pos, hint_new,
          total, conflicts, made_at FROM list ORDER BY list_no DESC
        """),
      insert: SQL(
        """
        INSERT OR IGNORE INTO list (list_no, feed_no, role, session, session_until, epoch, version, head_seq, head_asof,
          shown_pos, hint_new, total, conflicts, made_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)),
    Copied(
      name: "sent items", rising: SQL("SELECT list_no, local_no, item_no FROM sending ORDER BY list_no, local_no"),
      falling: SQL("SELECT list_no, local_no, item_no FROM sending ORDER BY list_no DESC, local_no DESC"),
      insert: SQL("INSERT OR IGNORE INTO sending (list_no, local_no, item_no) VALUES (?, ?, ?)")),
    Copied(
      name: "places",
      rising: SQL(
        """
        SELECT view, feed_no, list_no, epoch, item_id, skey, pos, edge, offset, fraction, near, at_head, saved_at
        FROM place ORDER BY view
        """),
      falling: SQL(
        """
        SELECT view, feed_no, list_no, epoch, item_id, skey, pos, edge, offset, fraction, near, at_head, saved_at
        FROM place ORDER BY view DESC
        """),
      insert: SQL(
        """
        INSERT OR IGNORE INTO place (view, feed_no, list_no, epoch, item_id, skey, pos, edge, offset, fraction, near,
          at_head, saved_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)),
    Copied(
      name: "shown IDs", rising: SQL("SELECT feed_no, item_id, first_seq FROM seen ORDER BY feed_no, item_id"),
      falling: SQL("SELECT feed_no, item_id, first_seq FROM seen ORDER BY feed_no DESC, item_id DESC"),
      insert: SQL("INSERT OR IGNORE INTO seen (feed_no, item_id, first_seq) VALUES (?, ?, ?)")),
  ]

  static let runsRising = SQL(
    """
    SELECT run_no, hi, lo, newer_state, newer_tok, newer_gen, newer_fail, older_state, older_tok, older_gen, older_fail,
      list_no FROM run ORDER BY run_no
    """)
  static let runsFalling = SQL(
    """
    SELECT run_no, hi, lo, newer_state, newer_tok, newer_gen, newer_fail, older_state, older_tok, older_gen, older_fail,
      list_no FROM run ORDER BY run_no DESC
    """)

  static let listNumbers = SQL("SELECT list_no FROM list ORDER BY list_no")
  static let largestNumbers = SQL(
    """
    SELECT max(coalesce((SELECT max(item_no) FROM item), 0), coalesce((SELECT max(list_no) FROM list), 0),
      coalesce((SELECT max(run_no) FROM run), 0), coalesce((SELECT max(patch_no) FROM patch), 0),
      coalesce((SELECT max(base_seq) FROM item), 0), coalesce((SELECT max(placed) FROM entry), 0))
    """)
  /// Makes orders and their feeds fit each other again, in this order.
  static let mendings = [
    // A feed that was only found by its index shows its newest order.
    SQL(
      """
      UPDATE feed SET current_list = (SELECT max(list_no) FROM list WHERE list.feed_no = feed.feed_no AND role = 0)
      WHERE current_list IS NULL AND EXISTS (SELECT 1 FROM list WHERE list.feed_no = feed.feed_no AND role = 0)
      """),
    // An order that lost its record keeps its rows.
    SQL(
      """
      INSERT INTO list (list_no, feed_no) SELECT current_list, feed_no FROM feed
      WHERE current_list IS NOT NULL AND current_list NOT IN (SELECT list_no FROM list)
      """),
    SQL("UPDATE feed SET previous_list = NULL WHERE previous_list NOT IN (SELECT list_no FROM list)"),
    SQL("DELETE FROM feed WHERE kind_no NOT IN (SELECT kind_no FROM kind)"),
    SQL("DELETE FROM list WHERE feed_no NOT IN (SELECT feed_no FROM feed)"),
  ]
  static let forgetItemsOfUnknownKinds = SQL("DELETE FROM item WHERE kind_no NOT IN (SELECT kind_no FROM kind)")
}
