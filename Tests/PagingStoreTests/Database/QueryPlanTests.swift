import Foundation
import Testing

@testable import PagingStore

/// How SQLite goes about every statement of the module.
@Suite struct QueryPlanTests {
  /// Statements by the file that they stand in, found in the sources: one that nobody registered can't be forgotten.
  static func statements() throws -> [(file: String, text: String)] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/PagingStore")
    let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
    var found: [(String, String)] = []
    for case let url as URL in files where url.pathExtension == "swift" {
      let source = try String(contentsOf: url, encoding: .utf8)
      let long = #/SQL\(\s*"""\n(?<text>(?s:.*?))"""/#
      let short = #/SQL\(\s*"(?<text>(?:[^"\\\n]|\\.)+)"/#
      let texts = source.matches(of: long).map { String($0.text) } + source.matches(of: short).map { String($0.text) }
      // Every use of the initializer is one of the two, or this test sees less than there is.
      let uses = source.ranges(of: #/\bSQL\(/#).count
      #expect(
        uses == texts.count, "\(url.lastPathComponent) has \(uses) statements, of which \(texts.count) can be read.")
      // No text comes to SQLite by another way.
      #expect(!source.contains("SQL.init(") && !source.contains("sqlite3_exec"), "\(url.lastPathComponent)")
      #expect(!source.contains("sqlite3_prepare") || url.lastPathComponent == "Connection.swift")
      found += texts.map { (url.lastPathComponent, $0.replacing(#"\\"#, with: #"\"#)) }
    }
    return found
  }

  private static var isData: Regex<(Substring, Substring)> {
    #/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|REPLACE)/#.ignoresCase()
  }

  /// A store with 50,000 rows in 5 lists, whose planner knows nothing of how many there are.
  private func filled(_ path: String) throws {
    _ = try Database(at: path)
    try DatabaseFolder.script(
      path,
      """
      BEGIN;
      INSERT INTO kind VALUES (1, 'Post');
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
        INSERT INTO item (item_no, kind_no, item_id, base) SELECT i, 1, 'item ' || i, x'7b7d' FROM n;
      INSERT INTO entry SELECT item_no % 5, item_no << 20, item_no, CAST(item_no AS BLOB), 1 FROM item;
      INSERT INTO run SELECT value + 1, value, 50000 << 20, 1 << 20, 0, NULL, 1, 0, 0, NULL, 1, 0
        FROM json_each('[0,1,2,3,4]');
      COMMIT;
      """)
  }

  @Test func B100_noStatementScansAWholeTable() throws {
    let folder = try DatabaseFolder()
    try filled(folder.file())
    var looked = 0
    for (file, text) in try Self.statements() {
      // Saving what can be read of a damaged file means reading all of it.
      guard text.firstMatch(of: Self.isData) != nil, !Self.readsEverything.contains(file) else { continue }
      looked += 1
      for step in try DatabaseFolder.lines(folder.file(), "EXPLAIN QUERY PLAN " + text, column: 3) {
        let isScan = step.hasPrefix("SCAN ") && !step.contains("CONSTANT ROW") && !step.hasPrefix("SCAN (")
        // What a window reads it reads in order: a sort would read all of it first.
        let isSort = step.contains("USE TEMP B-TREE")
        #expect(!isScan && !isSort || text.contains("sqlite_schema"), "\(file): \(step)\n\(text)")
      }
    }
    #expect(looked > 50)
  }

  private static let readsEverything = ["RecoveryText.swift", "Recovery.swift"]

  @Test func B100_noStatementCountsRowsToSkipThem() throws {
    for (file, text) in try Self.statements() {
      #expect(text.firstMatch(of: #/\bLIMIT\b.*\bOFFSET\b/#.ignoresCase()) == nil, "\(file): \(text)")
    }
  }

  @Test func everyStatementCanBePrepared() throws {
    let folder = try DatabaseFolder()
    _ = try Database(at: folder.file())
    for (_, text) in try Self.statements() where text.firstMatch(of: Self.isData) != nil {
      _ = try DatabaseFolder.lines(folder.file(), "EXPLAIN " + text)
    }
  }
}
