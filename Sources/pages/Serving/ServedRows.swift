/// The rows that a list server serves, each as its JSON text.
struct ServedRows: Sendable {
  /// How many there are.
  let count: Int
  /// Where in a row its ID is.
  let identity: JSONPath
  /// By its ID, which row it is, where that is known; nil: rows are looked into when it is asked for.
  let numbers: [String: Int]?
  private let bytes: @Sendable (Int) -> [UInt8]

  /// Rows that are made when they are asked for: `text` is called with `0..<count` only.
  init(count: Int, text: @escaping @Sendable (Int) -> String) {
    self.count = count
    identity = JSONPath(names: ["id"])
    numbers = nil
    bytes = { Array(text($0).utf8) }
  }

  /// Rows that are all there.
  init(_ rows: [String]) {
    self.init(count: rows.count) { rows[$0] }
  }

  /// The rows of a file.
  init(_ file: RowFile) {
    count = file.rows.count
    identity = file.identity
    numbers = file.numbers
    bytes = { [rows = file.rows] in rows[$0].compact }
  }

  private init(_ count: Int, _ identity: JSONPath, bytes: @escaping @Sendable (Int) -> [UInt8]) {
    self.count = count
    self.identity = identity
    numbers = nil
    self.bytes = bytes
  }

  /// The rows, each with the URL of its picture on the server at `base`.
  func withPictures(at base: String) -> ServedRows {
    ServedRows(count, identity) { [identity, bytes] in ServedPicture.added(to: bytes($0), identity, base) }
  }

  /// One row's JSON.
  subscript(index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  /// One row's JSON, as bytes.
  func bytes(of index: Int) -> [UInt8] { bytes(index) }

  /// The rows in `range`, as far as there are any, as a JSON array.
  func array(_ range: Range<Int>) -> String {
    "[" + range.clamped(to: 0..<count).map { self[$0] }.joined(separator: ", ") + "]"
  }
}
