import NotesSQLite
import Paging

struct Note: Identifiable, Equatable {
  var id: Int
  var text: String
  var isStarred = false
}

/// The app's own table.
final class NoteTable: Sendable {
  private nonisolated(unsafe) let database: OpaquePointer?  // SQLite locks it
  let signal = ChangeSignal<Note>()

  init() {
    var database: OpaquePointer?
    sqlite3_open_v2(":memory:", &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nil)
    self.database = database
    query("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, starred INTEGER)")
  }

  func store(_ notes: [Note]) {
    for note in notes { query("INSERT OR IGNORE INTO note VALUES (\(note.id), ?, 0)", note.text) }
    signal.send(.everything)
  }

  @discardableResult
  func query(_ sql: String, _ text: String = "") -> [Note] {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(database, sql, -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    return text.withCString { text in
      var notes: [Note] = []
      sqlite3_bind_text(statement, 1, text, -1, nil)
      while sqlite3_step(statement) == SQLITE_ROW {
        let (id, starred) = (sqlite3_column_int64(statement, 0), sqlite3_column_int(statement, 2))
        let words = String(cString: sqlite3_column_text(statement, 1))
        notes.append(Note(id: Int(id), text: words, isStarred: starred == 1))
      }
      return notes
    }
  }
}

struct NoteSource: PageSource {
  let table: NoteTable
  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Note> {
    let notes = table.query("SELECT * FROM note WHERE id > \(params.key ?? 0) ORDER BY id LIMIT \(params.loadSize)")
    return Page(notes, nextKey: notes.count < params.loadSize ? nil : notes.last?.id)
  }
  func changes() -> AsyncStream<SourceChange<Note>>? { table.signal.stream() }
}

struct NoteMediator: Mediator {
  let table: NoteTable
  func load(_ request: MediatorRequest<Int, Note>) async throws -> MediatorResult {
    guard request.type == .refresh else { throw Offline() }  // a server that answers once
    table.store((1...40).map { Note(id: $0, text: "Note \($0)") })
    return MediatorResult(endReached: false)
  }
}
struct Offline: Error {}

@main
struct SQLiteNotes {
  static func main() async {
    let table = NoteTable()
    let pager = Pager(mediator: NoteMediator(table: table), source: NoteSource(table: table))
    await pager.settled()
    let edit = pager.edit(3) { $0.isStarred = true }
    print("\(pager.snapshot.items.count) notes; starred at once: \(pager.snapshot.items[2].isStarred)")

    table.query("UPDATE note SET starred = 1 WHERE id = 3")  // and into the app's list of what to send
    edit.confirm()
    pager.invalidate()
    await pager.settled()
    print("read again from the table: \(pager.snapshot.items[2].isStarred)")
  }
}
