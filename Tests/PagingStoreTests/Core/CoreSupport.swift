import Foundation
import Paging
import PagingTesting
import Synchronization
import Testing

@testable import PagingStore

/// An item of these tests; its ID is its key too, where the list is keyed.
struct Note: StoredItem, Equatable {
  let id: Int
  var text = ""
  var revision: Int64?

  static var storedKind: String { "note" }
  var version: Int64? { revision }
  var sortKey: ListSortKey? { ListSortKey(Int64(id)) }
}

extension StoredList where Item == Note {
  /// Applies the answer to a question that left just now.
  @discardableResult
  func take(_ page: RemotePage<Note>, for kind: ListRequest<Note>.Kind = .head) throws -> MergeOutcome {
    try apply(page, for: try request(kind))
  }

  /// The whole list on one line, from the head on: `90…71 | 50…31`, where `|` is a gap.
  func shape() throws -> String {
    guard let window = try core.window(of: id, at: .head, before: 0, after: 10_000) else { return "unknown" }
    return NoteShape(try rows(of: window)).text
  }

  /// The gaps, from the head on.
  func gaps() throws -> [Gap] {
    guard let window = try core.window(of: id, at: .head, before: 0, after: 10_000) else { return [] }
    return try rows(of: window).compactMap(\.gap)
  }

  /// The list's version.
  func version() throws -> Int64 {
    try core.database.read { connection throws(ListStoreError) in try core.list(id, on: connection)?.version ?? -1 }
  }

  /// The runs, the newest first.
  func runs() throws -> [Run] {
    try core.database.read { connection throws(ListStoreError) in
      guard let list = try core.list(id, on: connection) else { return [] }
      return try connection.order(of: list.number).runs()
    }
  }
}

/// Rows on one line, falling stretches of IDs folded.
struct NoteShape {
  private(set) var text = ""

  init(_ rows: [ListRow<Note>]) {
    var parts: [String] = []
    var stretch: (first: Int, last: Int)?
    func end() {
      guard let done = stretch else { return }
      parts.append(done.first == done.last ? "\(done.first)" : "\(done.first)…\(done.last)")
      stretch = nil
    }
    for row in rows {
      switch row.content {
      case .item(let note):
        if let before = stretch, note.id == before.last - 1 {
          stretch = (before.first, note.id)
        } else {
          end()
          stretch = (note.id, note.id)
        }
      case .gap(let gap):
        end()
        parts.append(gap.isDead ? "‖" : "|")
      default:
        end()
        parts.append("?")
      }
    }
    end()
    text = parts.joined(separator: " ")
  }
}

/// Notes from the newest ID down to the oldest, as a server gives them.
func notes(_ newest: Int, _ oldest: Int, text: String = "", revision: Int64? = nil) -> [Note] {
  stride(from: newest, through: oldest, by: -1).map { Note(id: $0, text: text, revision: revision) }
}

/// A page of such notes, with the tokens that a server with cursors gives: the ID that comes next.
func notePage(
  _ newest: Int, _ oldest: Int, text: String = "", end: Bool = false, bound: Bool = false
) -> RemotePage<Note> {
  var page = RemotePage(
    notes(newest, oldest, text: text), newerToken: ">\(newest)", olderToken: end ? nil : "<\(oldest)", reachedEnd: end)
  page.reachedBound = bound
  return page
}

/// The code that a call throws.
func storeCode(_ body: () throws -> Void) -> ListStoreError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? ListStoreError)?.code
  }
}

/// A folder that is gone with the test.
final class CoreFolder: Sendable {
  let url: URL

  /// - Parameter isVolatile: Where the machine has one, in a file system in memory, which waits for no disk.
  init(isVolatile: Bool = false) throws {
    let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
    let isThere = isVolatile && FileManager.default.isWritableFile(atPath: memory.path)
    let parent = isThere ? memory : FileManager.default.temporaryDirectory
    url = parent.appendingPathComponent("store-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Where a store lies.
  var file: URL { url.appendingPathComponent("lists.db") }

  /// A copy of the store's files as they are now: what a process that dies now leaves behind.
  func copy(as name: String) throws -> URL {
    let target = url.appendingPathComponent(name)
    for suffix in ["", "-wal"] {
      let source = file.path + suffix
      guard FileManager.default.fileExists(atPath: source) else { continue }
      try FileManager.default.copyItem(atPath: source, toPath: target.path + suffix)
    }
    return target
  }
}

/// A value that several threads share.
final class Locked<Value: Sendable>: Sendable {
  private let lock: Mutex<Value>

  init(_ value: Value) { lock = Mutex(value) }

  var value: Value { lock.withLock { $0 } }

  func change<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result { lock.withLock { body(&$0) } }
}
