/// A command line that can't be followed.
struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, in one sentence.
  let message: String
  /// A line that would work.
  let line: String

  init(_ message: String, line: String) {
    self.message = message
    self.line = line
  }
}

/// One command's arguments, checked against its table.
struct Arguments: Sendable {
  /// The command they belong to.
  let table: CommandTable
  /// The operand, where one was given.
  let operand: String?
  /// Whether the help is asked for; then nothing else was checked.
  let wantsHelp: Bool
  private let values: [String: [String]]

  /// Reads `words`, what follows the command: `--name value`, `--name=value`, flags, one operand, `--` before an
  /// operand that begins with a dash.
  ///
  /// - Throws: A ``UsageError`` with a line that would work.
  init(_ words: [String], for table: CommandTable) throws(UsageError) {
    self.table = table
    if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      operand = nil
      wantsHelp = true
      values = [:]
      return
    }
    var operands: [String] = []
    var values: [String: [String]] = [:]
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      guard word.hasPrefix("--") else {
        throw UsageError("there is no option \(quoted(word)): options begin with two dashes.", line: table.example)
      }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts.first ?? "")
      guard let option = table.option(name) else {
        let near = table.option(near: name).map { " Did you mean --\($0)?" } ?? ""
        throw UsageError("there is no option --\(printable(name)).\(near)", line: table.example)
      }
      if values[name] != nil, !option.repeats {
        throw UsageError("--\(name) is given twice.", line: table.example)
      }
      var value = parts.count > 1 ? String(parts[1]) : nil
      if option.value == nil {
        guard value == nil else { throw UsageError("--\(name) takes no value.", line: "\(table.call) --\(name)") }
      } else if value == nil {
        value = rest.popFirst()
        guard value != nil else {
          throw UsageError("--\(name) needs a value.", line: "\(table.call) --\(name) \(option.value ?? "")")
        }
      }
      values[name, default: []].append(value ?? "")
    }
    if let operandName = table.operand, operands.isEmpty {
      throw UsageError("\(operandName) is missing.", line: table.example)
    }
    if operands.count > (table.operand == nil ? 0 : 1), let surplus = operands.last {
      throw UsageError("\(quoted(surplus)) is one argument too many.", line: table.example)
    }
    self.operand = operands.first
    self.wantsHelp = false
    self.values = values
  }

  /// Whether a flag or an option was given.
  func has(_ name: String) -> Bool { values[name] != nil }
  /// An option's value.
  func text(_ name: String) -> String? { values[name]?.first }
  /// The values of an option that may repeat.
  func texts(_ name: String) -> [String] { values[name] ?? [] }

  /// The command with its operand as it was given, or a stand-in for it: how a line begins that would work.
  var call: String {
    guard let operand, table.operand != nil else { return table.call }
    return "pages \(table.name) \(shellQuoted(printable(operand, limit: 2000)))"
  }

  /// An option's value as a whole number in `range`.
  func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      let bounds =
        range.upperBound == Int.max
        ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError(
        "--\(name) is \(quoted(text)) and must be a whole number \(bounds).",
        line: "\(call) --\(name) \(max(range.lowerBound, min(range.upperBound, 100)))")
    }
    return number
  }

  /// An option's value as one of `choices`.
  func choice(_ name: String, of choices: [String]) throws(UsageError) -> String? {
    guard let text = text(name) else { return nil }
    guard choices.contains(text) else {
      throw UsageError(
        "--\(name) is \(quoted(text)) and must be one of \(choices.joined(separator: ", ")).",
        line: "\(call) --\(name) \(choices.last ?? "")")
    }
    return text
  }
}

extension CommandTable {
  /// The command with a stand-in for its operand.
  var call: String { ["pages", name, operand ?? ""].filter { !$0.isEmpty }.joined(separator: " ") }
}

private func quoted(_ word: String) -> String { "'" + printable(word) + "'" }
