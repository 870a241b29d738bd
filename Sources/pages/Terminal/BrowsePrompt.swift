/// What a reader is typing at the bottom of the screen.
struct BrowsePrompt: Hashable, Sendable {
  /// What it asks for.
  enum Kind: Character, Sendable {
    /// A row by its number, or an ID.
    case jump = ":"
    /// An ID or text.
    case find = "/"
  }

  /// Where a reader wants to go.
  enum Target: Hashable, Sendable {
    /// The row of that number, counted from 1.
    case row(Int)
    /// The next row with that ID, or with that text in it.
    case text(String)
  }

  let kind: Kind
  private(set) var text = ""

  init(_ kind: Kind) {
    self.kind = kind
  }

  /// The line as it is shown.
  var line: String { "\(kind.rawValue)\(printable(text))▏" }

  /// Where that leads; nil: nowhere.
  var target: Target? {
    let words = text.trimmingSpaces
    if words.isEmpty { return nil }
    if kind == .jump, words.allSatisfy({ "0123456789,".contains($0) }), let number = Int(words.filter { $0 != "," }) {
      return .row(number)
    }
    return .text(words)
  }

  /// A character is added.
  mutating func type(_ scalar: Unicode.Scalar) {
    guard text.unicodeScalars.count < 200, !steersTerminal(scalar) else { return }
    text.unicodeScalars.append(scalar)
  }

  /// The last character goes; false where there was none.
  mutating func erase() -> Bool { text.popLast() != nil }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
