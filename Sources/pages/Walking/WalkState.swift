import Foundation
import PagingHTTP

/// How far a walk into a file has come.
struct WalkState: Codable, Sendable {
  /// The form of this state.
  var version = 1
  /// The list's URL.
  var url: String
  /// Up to which byte the file holds rows that came whole.
  var offset = 0
  /// The page that comes next; nil: the first, or none where the list is done.
  var key: HTTPPageKey?
  /// Whether the list is at its end.
  var isDone = false
  /// What tells its rows apart; nil: not known yet.
  var identity: RowIdentity?
}

/// The file beside a file of rows that holds its walk's state.
struct WalkStateFile: Sendable {
  /// A state that can't be gone on from.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private let path: String
  private let rows: String

  /// The state of the walk into the file at `rows`: the same name, with `.resume` behind it.
  init(of rows: String) {
    self.rows = rows
    path = rows + ".resume"
  }

  /// The state; nil where there is none, and no row either.
  ///
  /// - Parameters:
  ///   - url: The list's.
  ///   - size: How many bytes the file of rows has; nil: it isn't there.
  /// - Throws: ``Fault`` where the state is not of this walk, or the file is not its.
  func read(of url: String, rows size: Int?) throws(Fault) -> WalkState? {
    let name = printable(path)
    guard let data = FileManager.default.contents(atPath: path) else {
      guard size ?? 0 == 0 else {
        throw Fault(
          description: "\(printable(rows)) holds something, and no \(name) is beside it that says how far it is sound. "
            + "Without --resume it is written anew.")
      }
      return nil
    }
    guard let state = try? JSONDecoder().decode(WalkState.self, from: data), state.version == 1 else {
      throw Fault(description: "\(name) can't be read. Without --resume the walk begins anew.")
    }
    guard state.url == url else {
      throw Fault(description: "\(name) is of another list: \(printable(state.url)).")
    }
    guard state.offset <= size ?? 0 else {
      throw Fault(
        description: "\(printable(rows)) is shorter than \(name) says. Without --resume the walk begins anew.")
    }
    return state
  }

  /// Puts `state` in the place of the one before, in one step.
  func write(_ state: WalkState) throws(WriteFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let new = path + ".new"
    // Everything in it can be encoded.
    guard let data = try? encoder.encode(state) else { throw WriteFailure(code: EINVAL) }
    // Its owner's only: the list's URL and the next key may hold secrets.
    let descriptor = try Descriptor(file: new, appending: false, permissions: 0o600)
    defer { descriptor.close() }
    do throws(WriteFailure) {
      try descriptor.write(data)
    } catch {
      unlink(new)
      throw error
    }
    if rename(new, path) != 0 { throw WriteFailure(code: errno) }
  }

  /// Removes it.
  func remove() {
    unlink(path)
  }
}

/// The last lines of a file.
enum LastLines {
  /// The lines that end before byte `end`, at most `count` of them, without their line feeds.
  static func read(of path: String, upTo end: Int, count: Int) throws -> [[UInt8]] {
    guard end > 0 else { return [] }
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var chunks: [[UInt8]] = []
    var start = end
    var feeds = 0
    while start > 0, feeds <= count {
      let step = min(start, 1 << 16)
      start -= step
      try file.seek(toOffset: UInt64(start))
      let chunk = Array(try file.read(upToCount: step) ?? Data())
      feeds += chunk.count { $0 == UInt8(ascii: "\n") }
      chunks.append(chunk)
    }
    return Array(chunks.reversed().joined()).split(separator: UInt8(ascii: "\n")).suffix(count).map(Array.init)
  }
}
