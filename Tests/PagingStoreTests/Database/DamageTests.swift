import Foundation
import Testing

@testable import PagingStore

/// Every page of a store's file, damaged in turn.
@Suite struct DamageTests {
  /// What a page of a failing disk may turn into.
  enum Damage: CaseIterable {
    case zeros, noise, noRows, halfNoise

    func apply(to bytes: inout [UInt8], page: Int, size: Int, random: inout NumberStream) {
      let start = page * size
      switch self {
      case .zeros: for index in start..<start + size { bytes[index] = 0 }
      case .noise: for index in start..<start + size { bytes[index] = random.byte() }
      case .halfNoise: for index in start + size / 2..<start + size { bytes[index] = random.byte() }
      case .noRows:
        // A sound page that says it has no rows.
        let header = start + (page == 0 ? 100 : 0)
        bytes[header + 3] = 0
        bytes[header + 4] = 0
        bytes[header + 5] = 0
        bytes[header + 6] = 0
      }
    }
  }

  /// Numbers that are the same in every run.
  struct NumberStream {
    var state: UInt64 = 42
    mutating func byte() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  private struct Sample {
    let bytes: [UInt8]
    let lists: [Int64]
    let keys: [Int64: [String]]
    let pageSize = 4096

    init() throws {
      let folder = try DatabaseFolder()
      let path = folder.file()
      (lists, keys) = try {
        let database = try Database(at: path)
        let lists = try StoreSample.fill(database, feeds: 2, runs: 3, rows: 60)
        let keys = try Dictionary(uniqueKeysWithValues: lists.map { ($0, try StoreSample.keys(of: $0, in: database)) })
        return (lists, keys)
      }()
      // Closing moved the log into the file.
      bytes = Array(try Data(contentsOf: URL(filePath: path)))
      #expect(FileFacts(path + "-wal").size ?? 0 == 0)
    }
  }

  /// Reads all lists; nil: it said that something is wrong.
  private func read(_ path: String, _ lists: [Int64]) throws -> [Int64: [String]]? {
    do {
      let database = try Database(at: path)
      for (index, list) in lists.enumerated() {
        // The way from the name to the rows; a list that is missing is damage, as the feed names it.
        let current = try database.read { connection throws(ListStoreError) -> Int64? in
          guard let kind = try connection.kinds.number(of: "Post"),
            let number = try connection.feeds.find("feed \(index)", kind: kind)?.current
          else { return nil }
          guard try connection.lists.find(number) != nil else {
            throw ListStoreError(.damaged, message: "No such order.")
          }
          return number
        }
        #expect(current == list, "A list that is stored isn't known any more.")
      }
      return try Dictionary(uniqueKeysWithValues: lists.map { ($0, try StoreSample.keys(of: $0, in: database)) })
    } catch let error as ListStoreError {
      #expect([.damaged, .notADatabase].contains(error.code), "\(error)")
      return nil
    }
  }

  @Test(arguments: Damage.allCases) func S13_aDamagedPageIsSaidAndNeverMakesAListShorter(damage: Damage) throws {
    let sample = try Sample()
    var random = NumberStream()
    var noticed = 0
    let pages = sample.bytes.count / sample.pageSize
    for page in 0..<pages {
      let folder = try DatabaseFolder()
      var bytes = sample.bytes
      damage.apply(to: &bytes, page: page, size: sample.pageSize, random: &random)
      try Data(bytes).write(to: URL(filePath: folder.file()))
      guard let keys = try read(folder.file(), sample.lists) else {
        noticed += 1
        continue
      }
      #expect(keys == sample.keys ? true : false, "Page \(page + 1) with \(damage) reads as another list.")
    }
    #expect(noticed > 5, "Of \(pages) pages.")
  }

  @Test(arguments: Damage.allCases) func S13_recoverySavesWhatCanBeReadAndShowsWhatIsLostAsGaps(damage: Damage) throws {
    let sample = try Sample()
    var random = NumberStream()
    let pages = sample.bytes.count / sample.pageSize
    var savedItems = 0
    var recovered = 0
    for page in 0..<pages {
      let folder = try DatabaseFolder()
      var bytes = sample.bytes
      damage.apply(to: &bytes, page: page, size: sample.pageSize, random: &random)
      try Data(bytes).write(to: URL(filePath: folder.file()))
      let report: ListStoreRecovery
      do {
        report = try Database.recover(from: folder.file(), to: folder.file("saved"))
      } catch {
        // Only the first page says where everything else is.
        #expect([.damaged, .notADatabase].contains(error.code) && page == 0, "Page \(page + 1): \(error)")
        continue
      }
      recovered += 1
      savedItems += report.items
      let saved = try Database(at: folder.file("saved"))
      #expect(try saved.problems() == [])
      for (list, keys) in sample.keys {
        try check(saved, list, keys, report, "page \(page + 1), \(damage)")
      }
      if report.isComplete {
        let whole = try Dictionary(
          uniqueKeysWithValues: sample.lists.map { ($0, try StoreSample.keys(of: $0, in: saved)) })
        #expect(whole == sample.keys ? true : false, "page \(page + 1), \(damage): said to be complete")
      }
    }
    #expect(recovered >= pages - 1)
    #expect(savedItems >= recovered * 360 * 8 / 10, "\(savedItems) of \(recovered * 360)")
  }

  /// Rows that stand side by side in a run did so before; the end is only said to be reached where it is.
  private func check(
    _ database: Database, _ list: Int64, _ keys: [String], _ report: ListStoreRecovery, _ comment: String
  ) throws {
    let before = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    let window = try database.read { connection throws(ListStoreError) in
      try connection.order(of: list).window(at: .max, newer: 0, older: .max)
    }
    for (upper, lower) in zip(window.rows, window.rows.dropFirst()) {
      let isOneRun = window.runs.contains { $0.low <= lower.position && upper.position <= $0.high }
      let (a, b) = try (#require(before[upper.key.text]), #require(before[lower.key.text]))
      // Every 60 rows there was a gap.
      #expect(isOneRun ? b == a + 1 && b % 60 != 0 : b > a, "\(comment): \(upper.key.text), \(lower.key.text)")
    }
    for run in window.runs where run.older.state == .reached {
      #expect(window.rows.last?.position == run.low && window.rows.last?.key.text == keys.last, "\(comment)")
    }
    #expect(window.runs.allSatisfy { !$0.isEmpty && $0.newer.state != .live }, "\(comment)")
  }

  @Test func S13_aFileThatIsCutOffIsDamaged() throws {
    let sample = try Sample()
    for part in 1..<8 {
      let folder = try DatabaseFolder()
      let count = sample.bytes.count * part / 8 / sample.pageSize * sample.pageSize
      try Data(sample.bytes.prefix(count)).write(to: URL(filePath: folder.file()))
      #expect(try read(folder.file(), sample.lists) == nil, "\(part) eighths")
    }
  }

  @Test func S13_aStoreWithoutDamageIsRecoveredAsItIs() throws {
    let folder = try DatabaseFolder()
    let database = try Database(at: folder.file())
    let lists = try StoreSample.fill(database)
    let item = try database.read { connection throws(ListStoreError) in
      try connection.items.find(ItemKey(text: "0-0-0"), kind: 1)?.number
    }
    try DatabaseFolder.script(
      folder.file(),
      """
      INSERT INTO patch (patch_no, item_no, list_no, intent, idem, op, state, tries)
        VALUES (900, \(item ?? 0), 2, 'like', 'key', x'7b7d', 1, 3);
      INSERT INTO place (view, feed_no, list_no, epoch, item_id, saved_at, offset) VALUES ('home', 1, 1, 0, 'x', 5, 2.5);
      INSERT INTO alias VALUES (1, 'local', \(item ?? 0));
      INSERT INTO sending VALUES (2, 1, \(item ?? 0));
      INSERT INTO seen VALUES (3, 'x', 7);
      UPDATE feed SET policy = x'01', previous_list = current_list;
      UPDATE item SET base_ver = 3, deleted_seq = 4, used_at = 5 WHERE item_no = \(item ?? 0);
      UPDATE list SET session = 's', session_until = 1, epoch = 2, version = 3, head_seq = 4, head_asof = 5, shown_pos = 6,
        hint_new = 7, total = 8, conflicts = 9, made_at = 10;
      """)
    // While it is open, with much of it in the log.
    let report = try Database.recover(from: folder.file(), to: folder.file("saved"))
    #expect(report == ListStoreRecovery(items: 240, rows: 240, edits: 1, isComplete: true))
    let saved = try Database(at: folder.file("saved"))
    for list in lists {
      #expect(try StoreSample.keys(of: list, in: saved) == StoreSample.keys(of: list, in: database))
      let (old, new) = try (runs(database, list), runs(saved, list))
      #expect(old.map(\.high) == new.map(\.high) && old.map(\.number) == new.map(\.number))
      #expect(old.map(\.older.state) == new.map(\.older.state) && old.map(\.older.token) == new.map(\.older.token))
    }
    // What is held waits for a head that is known, and tokens' generations are drawn anew.
    for table in ["kind", "item", "alias", "patch", "feed", "list", "entry", "cut", "sending", "place", "seen"] {
      let columns = try DatabaseFolder.lines(folder.file(), "SELECT name FROM pragma_table_info('\(table)')")
      let query = "SELECT \(columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")) FROM \(table) ORDER BY 1"
      let rows = try DatabaseFolder.lines(folder.file(), query)
      #expect(!rows.isEmpty, "\(table)")
      #expect(try rows == DatabaseFolder.lines(folder.file("saved"), query), "\(table)")
    }
    #expect(try saved.write { $0.sequence } > database.write { $0.sequence } - 1, "Numbers go on from where they were.")
    #expect(throws: ListStoreError.self) { try Database.recover(from: folder.file(), to: folder.file("saved")) }
  }
}

private func runs(_ database: Database, _ list: Int64) throws -> [Run] {
  try database.read { connection throws(ListStoreError) in try connection.order(of: list).runs() }
}
