import Foundation

@testable import PagingStore

extension StoreModel {
  /// S2: what a call writes is written in one transaction, so that no death of the process comes between.
  func inOneTransaction<R>(_ call: () throws -> R) rethrows -> R {
    _ = journal.commits()
    let result = try call()
    let commits = journal.commits()
    if commits > 1 { breaches.append("S2: a call needed \(commits) transactions") }
    return result
  }
}

/// Counts the transactions in a file's write-ahead log, by what SQLite says of its format: a frame that ends one has the size of the
/// database in its header.
struct WriteJournal {
  private static let logHeader: UInt64 = 32
  private static let frameHeader = 24

  private let path: String
  /// Chosen anew whenever the log begins from the start.
  private var salts: [UInt8] = []
  private var end = logHeader

  init(of file: URL) { path = file.path + "-wal" }

  /// How many transactions there are that this wasn't asked for before. Where the log has begun anew, those before that don't count.
  mutating func commits() -> Int {
    guard let file = FileHandle(forReadingAtPath: path) else { return 0 }
    defer { try? file.close() }
    guard let header = Self.bytes(file, at: 0, Int(Self.logHeader)) else { return 0 }
    let pageSize = Self.number(header, at: 8)
    if salts != Array(header[16..<24]) { (salts, end) = (Array(header[16..<24]), Self.logHeader) }
    var count = 0
    while let frame = Self.bytes(file, at: end, Self.frameHeader), Array(frame[8..<16]) == salts {
      if Self.number(frame, at: 4) > 0 { count += 1 }
      end += UInt64(Self.frameHeader) + pageSize
    }
    return count
  }

  private static func bytes(_ file: FileHandle, at offset: UInt64, _ count: Int) -> [UInt8]? {
    guard (try? file.seek(toOffset: offset)) != nil, let data = try? file.read(upToCount: count), data.count == count
    else { return nil }
    return Array(data)
  }

  private static func number(_ bytes: [UInt8], at index: Int) -> UInt64 {
    bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
