import CSQLite
import Foundation
import Testing

@testable import PagingStore

/// A folder of a test's own, gone with this object.
final class DatabaseFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)").path(
      percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func file(_ name: String = "store.db") -> String { path + "/" + name }

  /// Runs SQL of any text on a file, as another program would.
  static func script(_ path: String, _ text: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    let result = sqlite3_exec(handle, text, nil, nil, nil)
    try #require(result == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  }

  /// The rows of a query of any text, each as one line.
  static func lines(_ path: String, _ text: String, column: Int32 = 0) throws -> [String] {
    var handle: OpaquePointer?
    var statement: OpaquePointer?
    defer {
      sqlite3_finalize(statement)
      sqlite3_close_v2(handle)
    }
    try #require(sqlite3_open(path, &handle) == SQLITE_OK)
    try #require(
      sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK,
      "\(text): \(String(cString: sqlite3_errmsg(handle)))")
    var lines: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      lines.append(sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "null")
    }
    return lines
  }
}

/// A store with lists whose rows are known.
enum StoreSample {
  /// Fills a store: feeds "a", "b", …, each with a list of runs; row n of a list holds the item "<feed>-n", the first list also in the
  /// second one's place of every third row, so that items are shared. Answers the lists' numbers.
  @discardableResult
  static func fill(_ database: Database, feeds: Int = 2, runs: Int = 3, rows: Int = 40) throws -> [Int64] {
    try database.write { transaction throws(ListStoreError) in
      let connection = transaction.connection
      let kind = try connection.kinds.add("Post")
      var lists: [Int64] = []
      for feed in 0..<feeds {
        let list = transaction.draw()
        let number = transaction.draw()
        try connection.feeds.insert(FeedRecord(number: number, kind: kind, name: "feed \(feed)", current: list))
        try connection.lists.insert(ListRecord(number: list, feed: number))
        lists.append(list)
        var position = Position(runs) << 40
        for run in 0..<runs {
          var entries: [Entry] = []
          for row in 0..<rows {
            let key = ItemKey(text: "\(feed)-\(run)-\(row)")
            let item = ItemRecord(
              number: transaction.draw(), kind: kind, key: key,
              base: Array(#"{"id":"\#(key.text)","title":"Title of it"}"#.utf8),
              baseSequence: transaction.sequence)
            try connection.items.insert(item)
            entries.append(
              Entry(
                position: position - Position(row) << 20, item: item.number,
                sortBytes: SortBytes(ListSortKey(Int64(1_000_000 - run * rows - row)), tieBreak: key),
                placed: transaction.sequence))
          }
          position -= 1 << 40
          guard let top = entries.first, let bottom = entries.last else { continue }
          let order = connection.order(of: list)
          try order.apply(entries.map { .insert($0) })
          try order.apply([
            .putRun(
              Run(
                number: transaction.draw(), high: top.position, low: bottom.position,
                newer: RunEdge(state: .open, token: "n\(run)", generation: transaction.draw()),
                older: RunEdge(
                  state: run == runs - 1 ? .reached : .open, token: run == runs - 1 ? nil : "o\(run)",
                  generation: transaction.draw()))),
            .putCut(position: entries[entries.count / 2].position, olderToken: "cut", newerToken: nil),
          ])
        }
      }
      return lists
    }
  }

  /// All rows of a list, read as windows are.
  static func keys(of list: Int64, in database: Database) throws -> [String] {
    try database.read { connection throws(ListStoreError) in
      try connection.order(of: list).window(at: .max, newer: 0, older: .max).rows.map(\.key.text)
    }
  }
}
