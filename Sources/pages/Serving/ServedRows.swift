/// The rows that a list server serves, each as its JSON text.
struct ServedRows: Sendable {
  /// How many there are.
  let count: Int
  private let text: @Sendable (Int) -> String

  /// Rows that are made when they are asked for: `text` is called with `0..<count` only.
  init(count: Int, text: @escaping @Sendable (Int) -> String) {
    self.count = count
    self.text = text
  }

  /// Rows that are all there.
  init(_ rows: [String]) {
    self.init(count: rows.count) { rows[$0] }
  }

  /// One row's JSON.
  subscript(index: Int) -> String { text(index) }

  /// The rows in `range`, as far as there are any, as a JSON array.
  func array(_ range: Range<Int>) -> String {
    "[" + range.clamped(to: 0..<count).map(text).joined(separator: ", ") + "]"
  }
}
