import BareSQLite
import Foundation

/// The file of a store, read and written by statements that were prepared once, and nothing else.
final class BareStore {
  private let file: OpaquePointer
  private let window: OpaquePointer
  private let placeOf: OpaquePointer
  private let upsertItem: OpaquePointer
  private let upsertRow: OpaquePointer
  private let begin: OpaquePointer
  private let commit: OpaquePointer
  private let decoder = JSONDecoder()
  /// The order that the first list shows.
  let list: Int64
  private var next: Int64

  init(at path: String) {
    var opened: OpaquePointer?
    precondition(sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK)
    guard let file = opened else { preconditionFailure("SQLite has no connection") }
    self.file = file
    sqlite3_exec(file, "PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY", nil, nil, nil)
    func prepare(_ text: String) -> OpaquePointer {
      var statement: OpaquePointer?
      let result = sqlite3_prepare_v3(file, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
      guard result == SQLITE_OK, let statement else { preconditionFailure(String(cString: sqlite3_errmsg(file))) }
      return statement
    }
    window = prepare(
      """
      SELECT e.pos, e.item_no, i.base FROM entry e JOIN item i ON i.item_no = e.item_no
      WHERE e.list_no = ? AND e.pos <= ? ORDER BY e.pos DESC LIMIT ?
      """)
    placeOf = prepare(
      "SELECT e.pos, e.item_no FROM item i JOIN entry e ON e.item_no = i.item_no WHERE i.kind_no = 1 AND i.item_id = ?")
    upsertItem = prepare(
      """
      INSERT INTO item (item_no, kind_no, item_id, base, base_seq, used_at) VALUES (?, 1, ?, ?, 1, 1)
      ON CONFLICT (kind_no, item_id) DO UPDATE SET base = excluded.base, base_seq = excluded.base_seq
      """)
    upsertRow = prepare(
      """
      INSERT INTO entry (list_no, pos, item_no, placed) VALUES (?, ?, ?, 1)
      ON CONFLICT (list_no, pos) DO UPDATE SET placed = excluded.placed
      """)
    begin = prepare("BEGIN IMMEDIATE")
    commit = prepare("COMMIT")
    func number(_ text: String) -> Int64 {
      let statement = prepare(text)
      defer { sqlite3_finalize(statement) }
      return sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0
    }
    list = number("SELECT current_list FROM feed ORDER BY feed_no LIMIT 1")
    next = number("SELECT max(item_no) FROM item") + 1
  }

  deinit {
    for statement in [window, placeOf, upsertItem, upsertRow, begin, commit] { sqlite3_finalize(statement) }
    sqlite3_close_v2(file)
  }

  /// The row of an item.
  struct Place {
    var position: Int64
    var item: Int64
  }

  /// Where an item stands.
  func place(of id: Int) -> Place {
    guard let place = find(id) else { preconditionFailure("\(id) isn't stored") }
    return place
  }

  /// Whether an item is stored.
  func has(_ id: Int) -> Bool { find(id) != nil }

  private func find(_ id: Int) -> Place? {
    bind(String(id), placeOf)
    defer { sqlite3_reset(placeOf) }
    guard sqlite3_step(placeOf) == SQLITE_ROW else { return nil }
    return Place(position: sqlite3_column_int64(placeOf, 0), item: sqlite3_column_int64(placeOf, 1))
  }

  /// Reads and decodes rows from a position down.
  func posts(from position: Int64, count: Int) -> [Post] {
    var posts: [Post] = []
    posts.reserveCapacity(count)
    sqlite3_bind_int64(window, 1, list)
    sqlite3_bind_int64(window, 2, position)
    sqlite3_bind_int64(window, 3, Int64(count))
    while sqlite3_step(window) == SQLITE_ROW {
      consume(sqlite3_column_int64(window, 0) &+ sqlite3_column_int64(window, 1))
      guard let start = sqlite3_column_blob(window, 2) else { continue }
      let data = Data(bytes: start, count: Int(sqlite3_column_bytes(window, 2)))
      if let post = try? decoder.decode(Post.self, from: data) { posts.append(post) }
    }
    sqlite3_reset(window)
    return posts
  }

  /// Writes encoded items and a row for each, in one transaction. One without a place is new, and goes from `position` down.
  func upsert(_ items: [(id: String, data: Data, place: Place?)], from position: Int64) {
    sqlite3_step(begin)
    sqlite3_reset(begin)
    var position = position
    for (id, data, place) in items {
      let number = place?.item ?? next
      if place == nil { next += 1 }
      sqlite3_bind_int64(upsertItem, 1, number)
      bind(id, upsertItem, at: 2)
      _ = data.withUnsafeBytes { sqlite3_bind_blob64(upsertItem, 3, $0.baseAddress, UInt64($0.count), copies) }
      step(upsertItem)
      sqlite3_bind_int64(upsertRow, 1, list)
      sqlite3_bind_int64(upsertRow, 2, place?.position ?? position)
      sqlite3_bind_int64(upsertRow, 3, number)
      step(upsertRow)
      if place == nil { position -= 1 << 20 }
    }
    step(commit)
  }

  private func step(_ statement: OpaquePointer) {
    guard sqlite3_step(statement) == SQLITE_DONE else { preconditionFailure(String(cString: sqlite3_errmsg(file))) }
    sqlite3_reset(statement)
  }

  private func bind(_ text: String, _ statement: OpaquePointer?, at index: Int32 = 1) {
    sqlite3_bind_text(statement, index, text, -1, copies)
  }

  private let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
