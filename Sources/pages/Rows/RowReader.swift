import Foundation
import Synchronization

/// Reads replies: checks them, finds the rows, cuts them out and gives each its ID.
///
/// Where rows and IDs stand is found in the first reply that has rows, and holds for those that follow. It can be
/// shared by threads.
final class RowReader: Sendable {
  private struct State {
    var items: JSONPath?
    var identity: RowIdentity?
    var count: UInt64 = 0
  }

  private let state: Mutex<State>
  private let notes: Notes

  /// A reader that is told where rows and IDs stand, or finds them where it isn't.
  init(items: JSONPath?, id: JSONPath?, notes: Notes) {
    state = Mutex(State(items: items, identity: id.map(RowIdentity.path)))
    self.notes = notes
  }

  /// What tells rows apart; nil: no rows came yet, and nobody said.
  var identity: RowIdentity? { state.withLock { $0.identity } }

  /// Takes up what told rows apart in an earlier walk, unless something is named.
  func goOn(with identity: RowIdentity) {
    state.withLock { $0.identity = $0.identity ?? identity }
  }

  /// A row that an earlier walk wrote.
  func row(written line: [UInt8]) throws(JSONFault) -> RawRow {
    let row = try JSONSlice(checking: line)
    return state.withLock { state in
      state.count += 1
      return RawRow(id: (state.identity ?? .none).id(of: row, line: line, number: state.count), line: line)
    }
  }

  /// The reply in `data`.
  ///
  /// - Throws: A ``ReplyFault`` that says what is wrong with it.
  func read(_ data: Data) throws -> RowDocument {
    let bytes = Array(data)
    let body: JSONSlice
    do {
      body = try JSONSlice(checking: bytes)
    } catch {
      throw ReplyFault.notJSON(error, start: bytes.prefix(120))
    }
    return try state.withLock { state in
      let rows = try rows(in: body, &state)
      let identity = state.identity ?? settleIdentity(rows, &state)
      let cut = rows.map { row in
        state.count += 1
        let line = row.compact
        return RawRow(id: identity.id(of: row, line: line, number: state.count), line: line)
      }
      return RowDocument(body: body, rows: cut)
    }
  }

  private func rows(in body: JSONSlice, _ state: inout State) throws -> [JSONSlice] {
    if let items = state.items {
      guard let value = items.value(in: body), value.kind == .array else {
        throw ReplyFault.noRows(at: items, ServerWords.find(in: body))
      }
      return RowShape.rows(in: value, at: items, of: body)
    }
    switch RowPlace.find(in: body) {
    case .found(let path, let isSure):
      if isSure {
        state.items = path
        if !path.names.isEmpty { notes.detail("rows are at \(printable(path.description)) (--items)") }
      }
      return path.value(in: body).map { RowShape.rows(in: $0, at: path, of: body) } ?? []
    case .ambiguous(let paths): throw ReplyFault.severalLists(paths)
    case .none: throw ReplyFault.noList(members: body.members.prefix(12).map(\.name), ServerWords.find(in: body))
    }
  }

  private func settleIdentity(_ rows: [JSONSlice], _ state: inout State) -> RowIdentity {
    guard !rows.isEmpty else { return .none }
    let identity = RowIdentity(guessedFrom: rows)
    state.identity = identity
    switch identity {
    case .path(let path) where path.names.isEmpty: notes.detail("the rows are IDs themselves")
    case .path(let path): notes.detail("a row's ID is its \(printable(path.description)) (--id)")
    case .likely(let path):
      notes.detail("a row's \(printable(path.description)) with its contents stand in for an ID (--id names one)")
    case .none: notes.say("no ID was found in the rows, so repeats are kept; --id names one.")
    }
    return identity
  }
}

/// A reply that came whole and holds no rows that can be read.
enum ReplyFault: Error, Sendable, CustomStringConvertible {
  case notJSON(JSONFault, start: ArraySlice<UInt8>)
  case noRows(at: JSONPath, String?)
  case severalLists([JSONPath])
  case noList(members: [String], String?)

  var description: String {
    switch self {
    case .notJSON(let fault, let start):
      let text = printable(String(decoding: start, as: UTF8.self), limit: 80)
      if text.drop(while: { $0 == " " || $0 == "\\" || $0 == "n" }).hasPrefix("<") {
        return "it is HTML or XML, not JSON. It begins: \(text)"
      }
      return "it is not JSON: \(fault)." + (text.isEmpty ? "" : " It begins: \(text)")
    case .noRows(let path, let words):
      return "it has no list at \(printable(path.description)) (--items)." + Self.said(words)
    case .severalLists(let paths):
      let names = paths.prefix(6).map { printable($0.description, limit: 60) }.joined(separator: ", ")
      return "it has several lists: \(names). Say which with --items."
    case .noList(let members, let words):
      let names = members.map { printable($0, limit: 40) }.joined(separator: ", ")
      return "no list of rows was found in it"
        + (members.isEmpty ? "." : ": its members are \(names). Say where with --items.") + Self.said(words)
    }
  }

  private static func said(_ words: String?) -> String {
    words.map { " The server says: " + $0 } ?? ""
  }
}
