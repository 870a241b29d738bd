/// What makes the ID of a row, settled by the first rows that come.
enum RowIdentity: Hashable, Sendable {
  /// The value there is the ID.
  case path(JSONPath)
  /// The value there looks like one, though nobody says that it is.
  case likely(JSONPath)
  /// Nothing does.
  case none

  /// Names that mean an ID wherever they are used.
  private static let sure = ["id", "_id", "uuid", "rowid", "guid", "ID", "Id"]
  /// Names that often are one.
  private static let plausible = ["key", "sku", "name", "slug", "sha", "url", "number", "code"]

  /// The identity of rows like these: the first known name that all of them have, each with another value.
  init(guessedFrom rows: [JSONSlice]) {
    func tells(_ name: String) -> Bool {
      var seen: Set<String> = []
      return rows.allSatisfy { row in
        guard let id = row.member(name), id.kind == .string || id.kind == .number else { return false }
        return seen.insert(String(decoding: id.compact, as: UTF8.self)).inserted
      }
    }
    guard !rows.isEmpty else {
      self = .none
      return
    }
    if rows.allSatisfy({ $0.kind == .string || $0.kind == .number }) {
      // A list of IDs: its rows are theirs.
      self = .path(JSONPath(names: []))
    } else if let name = Self.sure.first(where: tells) {
      self = .path(JSONPath(names: [name]))
    } else if let name = Self.plausible.first(where: tells) {
      self = .likely(JSONPath(names: [name]))
    } else {
      self = .none
    }
  }

  /// The identity of all rows that there are: a known name of an ID, or else the first member whose values are all
  /// there and differ.
  init(of rows: [JSONSlice]) {
    self.init(guessedFrom: rows)
    if case .path = self { return }
    let names = rows.first.map { $0.kind == .object ? $0.members.map(\.name) : [] } ?? []
    // Where what is called an ID repeats, another member that happens to differ is hardly one.
    guard Set(names).isDisjoint(with: Self.sure) else { return }
    let telling = names.first { name in
      var seen: Set<String> = []
      return rows.allSatisfy { row in
        guard let id = row.member(name), id.kind == .string || id.kind == .number, let text = id.scalarText,
          !text.isEmpty
        else { return false }
        return seen.insert(text).inserted
      }
    }
    self = telling.map { .path(JSONPath(names: [$0])) } ?? .none
  }

  /// The ID of `row`, whose line is `line`; `number` tells it where nothing else does.
  func id(of row: JSONSlice, line: [UInt8], number: UInt64) -> RowID {
    switch self {
    case .none: break
    case .path(let path):
      if let value = path.value(in: row), value.kind != .null {
        return .text(String(decoding: value.compact, as: UTF8.self))
      }
    case .likely(let path):
      if let value = path.value(in: row), value.kind != .null {
        return .textAndContents(String(decoding: value.compact, as: UTF8.self), hash: line.hashValue)
      }
    }
    return .unknown(number)
  }
}

extension RowIdentity: Codable {
  private enum CodingKeys: String, CodingKey { case path, likely }

  /// Reads an identity as it was written; without a path there is none.
  init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    if let names = try members.decodeIfPresent([String].self, forKey: .path) {
      self = .path(JSONPath(names: names))
    } else if let names = try members.decodeIfPresent([String].self, forKey: .likely) {
      self = .likely(JSONPath(names: names))
    } else {
      self = .none
    }
  }

  func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .none: break
    case .path(let path): try members.encode(path.names, forKey: .path)
    case .likely(let path): try members.encode(path.names, forKey: .likely)
    }
  }
}
