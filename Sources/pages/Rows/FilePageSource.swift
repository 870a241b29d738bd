import Foundation
import Paging
import Synchronization

/// The rows of a file with one JSON value a line, read by their place.
///
/// The first load goes over the file once to find where its lines are, and keeps that: 16 bytes a row. Rows are read
/// when they are asked for. A row is told by its place, so a file may hold the same row twice.
final class FilePageSource: PageSource {
  /// A file that can't be read as rows.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// How long a line may be, in bytes.
  static let maxLine = 32 << 20

  let path: String
  private let lines = Mutex<[Range<Int>]?>(nil)

  /// The rows of the file at `path`. Nothing is read yet.
  init(_ path: String) {
    self.path = path
  }

  var keyKind: KeyKind { .offset }

  /// The hundred rows from `index` on.
  func key(forIndex index: Int) -> Range<Int>? {
    let start = min(max(0, index), Int.max - 100)
    return start..<(start + 100)
  }

  /// The rows in the key's range, as far as there are any.
  @concurrent func load(_ params: LoadParams<Range<Int>>) async throws -> Page<Range<Int>, RawRow> {
    let file = try open()
    defer { try? file.close() }
    let lines = try places(in: file)
    let size = max(1, params.loadSize)
    let wanted = (params.key ?? 0..<min(size, lines.count)).clamped(to: 0..<lines.count)
    var rows: [RawRow] = []
    rows.reserveCapacity(wanted.count)
    for (number, place) in zip(wanted, lines[wanted]) {
      try Task.checkCancellation()
      rows.append(try row(number, at: place, in: file))
    }
    let before = max(0, wanted.lowerBound - size)..<wanted.lowerBound
    let after = wanted.upperBound..<(wanted.upperBound + min(size, lines.count - wanted.upperBound))
    return Page(
      rows, previousKey: before.isEmpty ? nil : before, nextKey: after.isEmpty ? nil : after,
      itemsBefore: wanted.lowerBound, itemsAfter: lines.count - wanted.upperBound, total: .exact(lines.count))
  }

  /// Where the lines are that hold anything.
  func places() throws -> [Range<Int>] {
    let file = try open()
    defer { try? file.close() }
    return try places(in: file)
  }

  private func open() throws -> FileHandle {
    do {
      return try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    } catch {
      throw Fault(description: "\(printable(path)) can't be read: \(Self.reason(error))")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile?, .fileNoSuchFile?: "there is no such file."
    case .fileReadNoPermission?: "its permissions forbid it."
    default: printable(error.localizedDescription)
    }
  }

  private func places(in file: FileHandle) throws -> [Range<Int>] {
    if let known = lines.withLock({ $0 }) { return known }
    var found: [Range<Int>] = []
    var start = 0
    var at = 0
    var isBlank = true
    while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
      try Task.checkCancellation()
      for byte in chunk {
        if byte == UInt8(ascii: "\n") {
          if !isBlank { found.append(start..<at) }
          start = at + 1
          isBlank = true
        } else if !isJSONWhitespace(byte) {
          isBlank = false
        }
        at += 1
      }
    }
    if !isBlank { found.append(start..<at) }
    lines.withLock { $0 = found }
    return found
  }

  private func row(_ number: Int, at place: Range<Int>, in file: FileHandle) throws -> RawRow {
    guard place.count <= Self.maxLine else {
      throw Fault(description: "row \(number + 1) of \(printable(path)) is longer than \(Self.maxLine >> 20) MB.")
    }
    try file.seek(toOffset: UInt64(place.lowerBound))
    let bytes = Array(try file.read(upToCount: place.count) ?? Data())
    do {
      return RawRow(id: .unknown(UInt64(number)), line: try JSONSlice(checking: bytes).compact)
    } catch {
      throw Fault(description: "row \(number + 1) of \(printable(path)) is not JSON: \(error).")
    }
  }
}
