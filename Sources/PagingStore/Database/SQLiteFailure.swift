import CSQLite

/// What SQLite said, as the cause of a ``ListStoreError``.
struct SQLiteFailure: Error, Hashable, CustomStringConvertible {
  /// SQLite's extended result code.
  let code: Int32
  /// SQLite's words for it.
  let text: String

  var description: String { "SQLite \(code): \(text)" }
}

extension ListStoreError {
  /// The error for a result code of SQLite.
  ///
  /// - Parameters:
  ///   - result: The extended code.
  ///   - handle: The connection that it came from, for SQLite's own words; nil: the code's general ones.
  ///   - task: What was being done: "open the store", in a sentence after "Can't".
  ///   - preparing: A statement was being prepared. All texts are fixed and tested, so one that doesn't fit means that
  ///     the file's tables aren't those that we made.
  static func sqlite(
    _ result: Int32, _ handle: OpaquePointer?, cant task: String, preparing: Bool = false
  ) -> ListStoreError {
    let own = handle.flatMap { sqlite3_extended_errcode($0) == result ? sqlite3_errmsg($0) : nil }
    let text = (own ?? sqlite3_errstr(result)).map { String(cString: $0) } ?? "unknown"
    let (code, remedy) = kind(of: result, preparing: preparing)
    return ListStoreError(
      code, message: "Can't \(task): \(text). \(remedy)", cause: SQLiteFailure(code: result, text: text))
  }

  private static func kind(of result: Int32, preparing: Bool) -> (Code, String) {
    // Some extended codes say more than their family.
    if result == SQLITE_IOERR | (32 << 8) || result == SQLITE_IOERR | (33 << 8) { return damage }
    switch result & 0xFF {
    case SQLITE_NOTADB:
      return (.notADatabase, "The file is no database: give the store a path of its own, or delete the file.")
    case SQLITE_CORRUPT, SQLITE_FORMAT, SQLITE_MISMATCH:
      return damage
    case SQLITE_ERROR where preparing:
      return damage
    case SQLITE_FULL:
      return (.diskFull, "Nothing was changed. Free some space and try again; what is stored can still be read.")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return (
        .locked,
        "Nothing was changed. Another process holds the file: try again, and keep write transactions short there."
      )
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_CANTOPEN:
      return (.inputOutput, "The file and its folder must exist, be readable and be writable for this process.")
    case SQLITE_IOERR, SQLITE_NOLFS, SQLITE_PROTOCOL:
      return (
        .inputOutput,
        "The disk or the file system reported a fault; nothing was changed. Look at the medium, then open the store again."
      )
    case SQLITE_NOMEM, SQLITE_TOOBIG:
      return (
        .inputOutput,
        "There is not enough memory for it; nothing was changed. Store smaller items or read fewer at once."
      )
    default:
      return (.internalFault, "Nothing was changed. This is a defect of the store: please report it with this text.")
    }
  }

  private static var damage: (Code, String) {
    (.damaged, "The file is damaged: recover(to:) saves what can be read to a new file.")
  }
}
