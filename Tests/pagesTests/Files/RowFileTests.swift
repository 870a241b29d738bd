import CSQLite
import Foundation
import Loading
import Testing

@testable import pages

/// Files of rows, good and bad: the rows that were meant, or a fault that names line and column.
@Suite struct RowFileTests {
  private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Corpus")

  private func path(_ name: String) -> String { Self.corpus.appendingPathComponent(name).path }

  private func ids(_ file: RowFile) -> [String] { file.rows.compactMap { file.identity.value(in: $0)?.scalarText } }

  @Test(arguments: [
    ("good.ndjson", RowFile.Format.ndjson), ("good-bom.ndjson", .ndjson), ("good-array.json", .json),
    ("good-object.json", .json), ("good-lines.json", .ndjson), ("good-unknown", .json), ("good.csv", .csv),
    ("good.tsv", .tsv), ("good-numbered.csv", .csv),
  ])
  func goodFilesGiveTheirRows(_ name: String, _ format: RowFile.Format) throws {
    let file = try RowFile(path(name))
    #expect(file.format == format)
    #expect(ids(file) == ["1", "2", "3"])
    #expect(file.numbers == ["1": 0, "2": 1, "3": 2])
    #expect(file.isNumbered == name.contains("numbered"))
  }

  @Test func columnsOfCSVAreNumbersTruthsOrTexts() throws {
    let rows = try RowFile(path("good.csv")).rows.map { String(decoding: $0.compact, as: UTF8.self) }
    #expect(
      rows == [
        "{\"id\":1,\"name\":\"A \\\"quoted\\\" name, and more\",\"zip\":\"01234\",\"ok\":true,\"note\":null}",
        "{\"id\":2,\"name\":\"two\\u000d\\nlines\",\"zip\":\"00001\",\"ok\":false,\"note\":\"\"}",
        "{\"id\":3,\"name\":\"Zoë\",\"zip\":\"99999\",\"ok\":true,\"note\":\"x\"}",
      ])
    func only(_ text: String) throws -> [String] {
      try RowFile(Array(("id,x\n" + text).utf8), .init(format: .csv)).rows.map {
        String(decoding: ($0.member("x")?.compact ?? []), as: UTF8.self)
      }
    }
    #expect(try only("1,1e5\n2,-0.5\n3,") == ["1e5", "-0.5", "null"])
    #expect(try only("1,1\n2,01\n") == ["\"1\"", "\"01\""])
    #expect(try only("1,12345678901234567890\n2,\"7\"") == ["12345678901234567890", "7"])
    #expect(try only("1,true\n2,1") == ["\"true\"", "\"1\""])
    #expect(try only("1, 1\n2,1 ") == ["\" 1\"", "\"1 \""])
    #expect(try only("1,a\rb\n2,c") == ["\"a\\u000db\"", "\"c\""])
  }

  @Test(arguments: [
    ("bad-comma.ndjson", 2, 10), ("bad-cut.ndjson", 2, 9), ("bad-two.ndjson", 2, 11), ("bad-utf8.ndjson", 2, 17),
    ("bad-kind.ndjson", 2, 1), ("bad-array.json", 3, 2), ("bad-cut.json", 2, 11), ("bad-deep.json", 1, 513),
    ("bad-quote.csv", 2, 4), ("bad-open.csv", 3, 3), ("bad-after.csv", 2, 6), ("bad-fields.csv", 3, 1),
    ("bad-header.csv", 1, 1), ("bad-names.csv", 1, 1), ("bad-utf8.csv", 3, 3),
  ])
  func badFilesAreToldByLineAndColumn(_ name: String, _ line: Int, _ column: Int) throws {
    do throws(RowFileFault) {
      _ = try RowFile(path(name))
      Issue.record("\(name) was read")
    } catch {
      #expect(error.line == line, "\(error)")
      #expect(error.column == column, "\(error)")
      #expect(error.description.hasPrefix("line \(line), column \(column): "))
      #expect(error.description.hasSuffix("."))
    }
  }

  @Test(arguments: [
    ("bad-value.json", "without a list"), ("bad-lists.json", "several lists: a, b"),

    ("bad-empty.csv", "nothing in it"), ("bad-empty.json", "nothing"),
    ("bad-what", "--format"), ("bad-header-only.db", "SQLite can't read it"), ("bad-random.db", "SQLite can't read it"),
    ("none.json", "No such file"), (".", "directory"),
  ])
  func otherBadFilesAreToldInWords(_ name: String, _ words: String) throws {
    do throws(RowFileFault) {
      let file = try RowFile(path(name))
      Issue.record("\(name) was read: \(file.rows.count) rows")
    } catch {
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test func limitsHold() throws {
    func fault(_ text: String, _ hints: RowFile.Hints) -> String {
      do throws(RowFileFault) {
        _ = try RowFile(Array(text.utf8), hints)
        return "none"
      } catch { return error.description }
    }
    let few = RowFile.Hints(limits: RowFileLimits(bytes: 200, rows: 2, rowBytes: 50))
    #expect(fault("{\"id\":1}\n{\"id\":2}\n{\"id\":3}", few) == "line 3, column 1: there are more than 2 rows.")
    #expect(fault("[{\"id\":1},{\"id\":2},{\"id\":3}]", few).contains("more than 2 rows"))
    #expect(fault("id,a\n1,\n2,\n3,", few).contains("more than 2 rows"))
    let long = String(repeating: "x", count: 60)
    #expect(fault("{\"id\":\"\(long)\"}\n{\"id\":1}", few) == "line 1, column 1: the row is longer than 50 bytes.")
    #expect(fault("id,a\n1,\(long)", few) == "row 1 is longer than 50 bytes.")
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(repeating: 0x20, count: 2000).write(to: file)
    #expect(throws: RowFileFault("it is larger than 0 MB.")) { try RowFile(file.path, few) }
    // One without end.
    #expect(throws: RowFileFault("it is larger than 0 MB.")) { try RowFile("/dev/zero", few) }
  }

  @Test func hintsAreFollowed() throws {
    let lists = try RowFile(path("bad-lists.json"), .init(items: JSONPath("b")))
    #expect(ids(lists) == ["2"])
    let byName = try RowFile(Array("[{\"id\":1,\"k\":\"a\"},{\"id\":1,\"k\":\"b\"}]".utf8), .init(id: JSONPath("k")))
    #expect(ids(byName) == ["a", "b"])
    #expect(throws: RowFileFault("rows 1 and 2 have the same ID, 1, at id.")) {
      try RowFile(path("twice.json"), .init(id: JSONPath("id")))
    }
    let twice = try RowFile(path("twice.json"))
    #expect(twice.isNumbered)
    #expect(twice.identity == JSONPath("_id"))
    // An object with no list of objects in it is one row.
    #expect(try RowFile(path("single.json")).rows.count == 1)
    #expect(throws: RowFileFault("it is a JSON value without a list of rows; --items says where one is.")) {
      try RowFile(path("single.json"), .init(format: .json))
    }
    #expect(throws: RowFileFault("row 1 has no text and no number at x.y, where its ID is.")) {
      try RowFile(path("good.ndjson"), .init(id: JSONPath("x.y")))
    }
    #expect(throws: RowFileFault("it is no SQLite file, so --table says nothing.")) {
      try RowFile(path("good.csv"), .init(table: "x"))
    }
  }

  // MARK: - SQLite

  private func withDatabase(_ sql: String, _ run: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    sqlite3_close(handle)
    try run(path)
  }

  @Test func aTableGivesItsRows() throws {
    let sql = """
      CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY, t TEXT, r REAL, b BLOB);
      INSERT INTO "odd ""name" VALUES (3, 'c', 1.5, x'00ff'), (1, 'a"\n', 9e999, NULL), (2, NULL, -2, x'');
      """
    try withDatabase(sql) { path in
      let file = try RowFile(path)
      #expect(file.format == .sqlite)
      #expect(
        file.rows.map { String(decoding: $0.compact, as: UTF8.self) } == [
          "{\"id\":1,\"t\":\"a\\\"\\n\",\"r\":null,\"b\":null}", "{\"id\":2,\"t\":null,\"r\":-2.0,\"b\":\"\"}",
          "{\"id\":3,\"t\":\"c\",\"r\":1.5,\"b\":\"AP8=\"}",
        ])
    }
  }

  @Test func theTableIsNamedWhereThereAreSeveral() throws {
    let sql = """
      CREATE TABLE a (id TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO a VALUES ('x'), ('y');
      CREATE TABLE b (n INTEGER); INSERT INTO b VALUES (7), (7);
      CREATE VIEW c AS SELECT id || '!' AS id FROM a;
      CREATE TABLE d (t TEXT); INSERT INTO d VALUES (CAST(x'ff' AS TEXT));
      """
    try withDatabase(sql) { path in
      #expect(throws: RowFileFault("--table says which table is meant; it has a, b, d, c.")) { try RowFile(path) }
      #expect(throws: RowFileFault("it has no table 'z'; it has a, b, d, c.")) { try RowFile(path, .init(table: "z")) }
      #expect(ids(try RowFile(path, .init(table: "A"))) == ["x", "y"])
      #expect(ids(try RowFile(path, .init(table: "c"))) == ["x!", "y!"])
      let numbered = try RowFile(path, .init(table: "b"))
      #expect(numbered.isNumbered)
      #expect(ids(numbered) == ["1", "2"])
      #expect(throws: RowFileFault("row 1 of d: the text in 't' is not UTF-8.")) {
        try RowFile(path, .init(table: "d"))
      }
    }
  }

  @Test func aViewWithoutEndIsCutOff() throws {
    let sql = "CREATE VIEW v AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n;"
    try withDatabase(sql) { path in
      #expect(throws: RowFileFault("it has more than 100 rows.")) {
        try RowFile(path, .init(limits: RowFileLimits(bytes: 1 << 20, rows: 100, rowBytes: 1000)))
      }
    }
    let big = "CREATE VIEW v AS SELECT 1 AS id, hex(zeroblob(500000000)) AS x;"
    try withDatabase(big) { path in
      #expect(throws: RowFileFault.self) { try RowFile(path) }
    }
  }

  // MARK: - Anything

  /// How many mutants of each file are read; by hand `FUZZ=5000`.
  private static let rounds = ProcessInfo.processInfo.environment["FUZZ"].flatMap { Int($0) } ?? 40

  @Test func noFileEndsTheProgram() throws {
    var chance = SeededGenerator(seed: 9)
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path).sorted()
    #expect(names.count > 30)
    let limits = RowFileLimits(bytes: 1 << 16, rows: 100, rowBytes: 1 << 12)
    var read = 0
    for name in names {
      let whole = [UInt8](try Data(contentsOf: Self.corpus.appendingPathComponent(name)))
      for round in 0..<Self.rounds {
        let text = mutated(whole, &chance)
        let format = round % 3 == 0 ? RowFile.Format.allCases.randomElement(using: &chance) : nil
        let hints = RowFile.Hints(format: format, limits: limits)
        let file: RowFile
        do throws(RowFileFault) {
          file = try RowFile(text, hints, name: name)
        } catch {
          #expect(!error.description.isEmpty)
          #expect(!error.description.unicodeScalars.contains(where: steersTerminal))
          continue
        }
        read += 1
        #expect(file.rows.count == file.numbers.count)
        for row in file.rows { #expect(row.kind == .object) }
      }
    }
    #expect(read > 50)
  }

  @Test func noDatabaseEndsTheProgram() throws {
    var chance = SeededGenerator(seed: 10)
    let sql =
      "CREATE TABLE a (id INTEGER PRIMARY KEY, t TEXT); INSERT INTO a VALUES (1, 'one'), (2, 'two'), (3, 'three');"
    try withDatabase(sql) { path in
      let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      for _ in 0..<Self.rounds {
        let text = mutated(whole, &chance)
        try Data(text).write(to: URL(fileURLWithPath: path))
        let file: RowFile
        do throws(RowFileFault) {
          file = try RowFile(path, .init(format: .sqlite))
        } catch {
          #expect(!error.description.isEmpty)
          continue
        }
        #expect(file.rows.count == file.numbers.count)
      }
    }
  }

  private func mutated(_ text: [UInt8], _ chance: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0..<Int.random(in: 1...4, using: &chance) {
      let at = text.isEmpty ? 0 : Int.random(in: 0..<text.count, using: &chance)
      let marks = Array("{}[],:\"\\\n\r\t0e-.n".utf8) + [0, 0xFF, 0xC3, 0xEF, 0x80]
      switch Int.random(in: 0..<5, using: &chance) {
      case 0 where !text.isEmpty: text[at] = UInt8.random(in: 0...255, using: &chance)
      case 1 where !text.isEmpty: text.removeSubrange(at..<min(text.count, at + Int.random(in: 1...9, using: &chance)))
      case 2: text.insert(marks.randomElement(using: &chance) ?? 0, at: at)
      case 3: text.insert(contentsOf: text[at..<min(text.count, at + 20)], at: at)
      default: text = Array(text[..<at])
      }
    }
    return text
  }
}
