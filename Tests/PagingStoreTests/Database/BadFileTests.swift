import CSQLite
import Foundation
import Loading
import Testing

@testable import PagingStore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What opening or using a file that isn't as it should be says.
@Suite struct BadFileTests {
  private func code(_ body: () throws -> Void) -> ListStoreError.Code? {
    do {
      try body()
      return nil
    } catch let error as ListStoreError {
      #expect(error.message.count > 40, "A message without a remedy: \(error)")
      return error.code
    } catch {
      return nil
    }
  }

  @Test func S13_aMissingOrEmptyFileBecomesAStore() throws {
    let folder = try DatabaseFolder()
    _ = FileManager.default.createFile(atPath: folder.file("empty"), contents: nil)
    for name in ["missing", "empty"] {
      let database = try Database(at: folder.file(name))
      #expect(try database.problems().isEmpty)
      #expect(try database.write { $0.sequence } == 1)
    }
  }

  @Test func S13_anEmptyFileBesideALogIsDamage() throws {
    let folder = try DatabaseFolder()
    let database = try Database(at: folder.file())
    try StoreSample.fill(database)
    let log = try #require(FileManager.default.contents(atPath: folder.file("store.db-wal")))
    #expect(!log.isEmpty)
    _ = FileManager.default.createFile(atPath: folder.file("cut"), contents: nil)
    _ = FileManager.default.createFile(atPath: folder.file("cut-wal"), contents: log)
    #expect(code { _ = try Database(at: folder.file("cut")) } == .damaged)
    #expect(FileManager.default.contents(atPath: folder.file("cut-wal")) == log, "The log is what is left: it stays.")
  }

  @Test(arguments: [1, 20, 99, 100, 512, 4096, 100_000]) func S13_randomBytesAreNoDatabase(count: Int) throws {
    let folder = try DatabaseFolder()
    var generator = SeededGenerator(seed: UInt64(count))
    let bytes = Data((0..<count).map { _ in UInt8.random(in: 1...255, using: &generator) })
    try bytes.write(to: URL(filePath: folder.file()))
    #expect(code { _ = try Database(at: folder.file()) } == .notADatabase)
    #expect(FileManager.default.contents(atPath: folder.file()) == bytes, "It was left as it was.")
  }

  @Test func S13_anotherProgramsDatabaseIsLeftAsItIs() throws {
    let folder = try DatabaseFolder()
    try DatabaseFolder.script(folder.file(), "CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('mine')")
    let bytes = FileManager.default.contents(atPath: folder.file())
    #expect(code { _ = try Database(at: folder.file()) } == .notADatabase)
    #expect(FileManager.default.contents(atPath: folder.file()) == bytes)
    #expect(code { _ = try Database.recover(from: folder.file(), to: folder.file("saved")) } == .notADatabase)
    #expect(FileFacts(folder.file("saved")).size == nil)
  }

  @Test func S13_aNewerSchemaIsLeftAsItIs() throws {
    let folder = try DatabaseFolder()
    _ = try Database(at: folder.file())
    try DatabaseFolder.script(folder.file(), "PRAGMA user_version = 2")
    #expect(code { _ = try Database(at: folder.file()) } == .newerSchema)
    #expect(try DatabaseFolder.lines(folder.file(), "PRAGMA user_version") == ["2"])
  }

  @Test func S13_aStoreWithoutOneOfItsTablesIsDamaged() throws {
    for name in ["run", "entry", "entry_item", "meta"] {
      let folder = try DatabaseFolder()
      _ = try Database(at: folder.file())
      try DatabaseFolder.script(folder.file(), name == "entry_item" ? "DROP INDEX entry_item" : "DROP TABLE \(name)")
      #expect(code { _ = try Database(at: folder.file()) } == .damaged)
    }
  }

  @Test func S13_aPathThatCannotBeIsAnInputOutputError() throws {
    let folder = try DatabaseFolder()
    #expect(code { _ = try Database(at: "") } == .inputOutput)
    #expect(code { _ = try Database(at: folder.file("no/such/folder/store.db")) } == .inputOutput)
    #expect(code { _ = try Database(at: folder.path) } == .inputOutput)
    #expect(code { _ = try Database.recover(from: folder.file("none"), to: folder.file("saved")) } == .inputOutput)
  }

  @Test func S13_aReadOnlyFolderIsAnInputOutputError() throws {
    let folder = try DatabaseFolder()
    let database = try Database(at: folder.file())
    try database.checkpoint()
    _ = consume database
    try FileManager.default.removeItemIfThere(folder.file("store.db-wal"))
    try FileManager.default.removeItemIfThere(folder.file("store.db-shm"))
    chmod(folder.file(), 0o444)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    let codes = try #require(
      withoutPrivileges {
        [
          code { _ = try Database(at: folder.file()) }, code { _ = try Database(at: folder.file("new.db")) },
        ]
      })
    #expect(codes == [.inputOutput, .inputOutput])
  }

  @Test func S13_aFileThatAnotherConnectionHoldsIsLocked() throws {
    let folder = try DatabaseFolder()
    let database = try Database(at: folder.file(), busyTimeout: .zero)
    let other = try Database(at: folder.file())
    try other.write { transaction throws(ListStoreError) in
      #expect(code { try database.write { _ in } } == .locked)
      #expect(code { _ = try StoreSample.keys(of: 1, in: database) } == nil, "Reading goes on.")
    }
    #expect(code { try database.write { _ in } } == nil)
  }

  @Test(.enabled(if: Child.python != nil, "It needs Python to be another process."))
  func S13_aFileThatAnotherProcessHoldsIsLocked() throws {
    let folder = try DatabaseFolder()
    let database = try Database(at: folder.file(), busyTimeout: .zero)
    try database.write { _ in }
    let child = try Child(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute("BEGIN IMMEDIATE")
      c.execute("UPDATE meta SET v = v + 100")
      print("held", flush=True)
      sys.stdin.readline()
      c.execute("COMMIT")
      print("done", flush=True)
      """, argument: folder.file())
    #expect(child.line() == "held")
    #expect(code { try database.write { _ in } } == .locked)
    child.go()
    #expect(child.line() == "done")
    child.wait()
    #expect(try database.write { $0.sequence } == 102)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "It needs root and tmpfs to have a small disk."))
  func S13_aFullDiskChangesNothingAndSaysSo() throws {
    let disk = try SmallDisk(kilobytes: 1024)
    defer { disk.remove() }
    let database = try Database(at: disk.path + "/store.db")
    try StoreSample.fill(database, feeds: 1, rows: 5)
    let add = SQL("INSERT INTO kind (name) VALUES (?)")
    let large = String(repeating: "x", count: 100_000)
    var written = 0
    var found: ListStoreError.Code?
    while found == nil, written < 100 {
      found = code {
        try database.write { transaction throws(ListStoreError) in
          _ = try transaction.connection.run(add, large + "\(written)")
        }
      }
      if found == nil { written += 1 }
    }
    #expect(found == .diskFull)
    #expect(try database.problems().isEmpty)
    let count = try database.read { connection throws(ListStoreError) in
      try connection.first(SQL("SELECT count(*) FROM kind")) { row throws(ListStoreError) in try row.int(0) }
    }
    #expect(count == written + 1)
    #expect(code { _ = try Database.recover(from: disk.path + "/store.db", to: disk.path + "/saved.db") } == .diskFull)
  }
}

extension FileManager {
  fileprivate func removeItemIfThere(_ path: String) throws {
    if fileExists(atPath: path) { try removeItem(atPath: path) }
  }
}

/// Runs on a thread that may touch only what everybody may; nil where that can't be had.
private func withoutPrivileges<R: Sendable>(_ body: @escaping () -> R) -> R? {
  guard geteuid() == 0 else { return body() }
  #if os(Linux)
    // The user that files are opened as is a thread's own on Linux.
    typealias Call = @convention(c) (UInt32) -> Int32
    guard let symbol = dlsym(nil, "setfsuid") else { return nil }
    let setUser = unsafeBitCast(symbol, to: Call.self)
    // The semaphore orders what the two threads do.
    nonisolated(unsafe) var result: R?
    nonisolated(unsafe) let work = body
    let done = DispatchSemaphore(value: 0)
    Thread {
      _ = setUser(65534)
      result = work()
      _ = setUser(0)
      done.signal()
    }.start()
    done.wait()
    return result
  #else
    return nil
  #endif
}

/// A disk that is soon full.
private struct SmallDisk {
  let path: String

  static let isPossible: Bool = {
    guard let disk = try? SmallDisk(kilobytes: 64) else { return false }
    disk.remove()
    return true
  }()

  init(kilobytes: Int) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)").path(
      percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #if os(Linux)
      guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k") == 0 else {
        try FileManager.default.removeItem(atPath: path)
        throw CocoaError(.featureUnsupported)
      }
    #else
      throw CocoaError(.featureUnsupported)
    #endif
  }

  func remove() {
    #if os(Linux)
      // The store may still be open: the disk goes when it is closed.
      umount2(path, 2)
    #endif
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// Another process.
private final class Child {
  static let python: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = ""

  init(_ script: String, argument: String) throws {
    process.executableURL = URL(filePath: Self.python ?? "")
    process.arguments = ["-c", script, argument]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  /// Its next line; nil when it has ended.
  func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: "\n") {
        defer { unread.removeSubrange(...end) }
        return String(unread[..<end])
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread += String(decoding: more, as: UTF8.self)
    }
  }

  func go() { input.fileHandleForWriting.write(Data("\n".utf8)) }

  func wait() { process.waitUntilExit() }
}
