import Foundation
import PagingHTTP

/// Rows in a file, with a state beside it that says how far the file is sound and which page comes next.
///
/// Rows are written first and then the state, which replaces the one before in one step; so whenever the program ends,
/// be it by `kill -9`, the state tells a place in the file up to which everything is there once. Going on cuts the file
/// back to there. Nothing of the file or of its state is touched before the first page is there: a walk that can't
/// begin costs nobody what an earlier one wrote.
struct FileSink: WalkSink {
  private let path: String
  private let descriptor: Descriptor
  private let writer: RowWriter
  private let file: WalkStateFile
  private let reader: RowReader
  private let keepsState: Bool
  private var state: WalkState
  private var isBegun = false

  /// The key of the page that comes next.
  var key: HTTPPageKey? { state.key }
  /// Whether the file holds the whole list.
  var isDone: Bool { state.isDone }

  /// Opens the file, so that one that can't be written to is told before anything is asked for.
  ///
  /// - Parameters:
  ///   - start: How it is begun.
  ///   - url: The list's.
  ///   - reader: What tells the rows apart.
  /// - Throws: A `WriteFailure`, or a ``WalkStateFile/Fault``.
  init(_ path: String, _ start: Start, url: String, reader: RowReader) throws {
    self.path = path
    self.reader = reader
    file = WalkStateFile(of: path)
    keepsState = start == .resumed
    switch start {
    case .resumed:
      if let known = try file.read(of: url, rows: Descriptor.sizeOfFile(path)) {
        state = known
      } else {
        state = WalkState(url: url)
        // Nothing is there yet that this could be wrong about.
        try file.write(state)
      }
    case .anew: state = WalkState(url: url)
    case .appended(let key): state = WalkState(url: url, offset: Descriptor.sizeOfFile(path) ?? 0, key: key)
    }
    descriptor = try Descriptor(file: path, appending: true)
    writer = RowWriter(descriptor)
    if let identity = state.identity { reader.goOn(with: identity) }
  }

  /// How a file is begun.
  enum Start: Hashable, Sendable {
    /// Emptied, when the first page is there.
    case anew
    /// Where the state says; from the start where there is neither a state nor a row.
    case resumed
    /// At its end, from a page on.
    case appended(HTTPPageKey)
  }

  var lastRows: [RawRow] {
    get throws {
      try LastLines.read(of: path, upTo: state.offset, count: RepeatFilter.window).map(reader.row(written:))
    }
  }

  mutating func take(_ page: WalkedPage) async throws {
    if !isBegun {
      // Before the file is cut or gets a row: rows without a state could not be gone on from.
      try file.write(state)
      try descriptor.cut(to: state.offset)
      isBegun = true
    }
    try writer.write(page.new)
    // Of a page that was cut off, going on gives the rows again; so it does where the list goes on, nobody knows how.
    guard page.isWhole, page.isEnd || page.nextKey != nil else { return }
    state.offset = descriptor.fileSize ?? state.offset
    state.key = page.nextKey
    state.identity = reader.identity
    state.isDone = page.isEnd
    try file.write(state)
  }

  mutating func finish() throws {
    state.isDone = true
    if keepsState { try file.write(state) } else { file.remove() }
  }
}
