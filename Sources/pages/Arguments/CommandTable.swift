/// What one command accepts: parsing and `--help` both read it, so neither can say what the other doesn't.
struct CommandTable: Sendable {
  /// One option, or a flag where it takes no value.
  struct Option: Sendable {
    /// Without the dashes.
    let name: String
    /// What stands for its value in the help; nil for a flag.
    let value: String?
    /// What it does, in one line.
    let help: String
    /// Whether it may be given more than once.
    let repeats: Bool

    init(_ name: String, _ value: String? = nil, _ help: String, repeats: Bool = false) {
      self.name = name
      self.value = value
      self.help = help
      self.repeats = repeats
    }
  }

  /// The command's word; empty for the program itself.
  let name: String
  /// What it does, in one or two lines.
  let summary: String
  /// What stands for its one operand in the help; nil where it takes none.
  let operand: String?
  /// What it accepts, in the order of the help.
  let options: [Option]
  /// A line that works, shown with the help and with a usage error.
  let example: String
  /// What it does, in a few words for a list of commands; default the first sentence of ``summary``.
  var brief: String { given ?? CommandTable.firstSentence(of: summary) }
  private let given: String?

  init(name: String, summary: String, operand: String?, options: [Option], example: String, brief: String? = nil) {
    self.name = name
    self.summary = summary
    self.operand = operand
    self.options = options
    self.example = example
    given = brief
  }

  private static let everywhere = [Option("help", nil, "show this")]

  /// All that it accepts: ``options``, and what every command does.
  var allOptions: [Option] { options + Self.everywhere }

  /// The option of that name, if the command has it.
  func option(_ name: String) -> Option? {
    allOptions.first { $0.name == name }
  }

  /// The name nearest to a mistyped one, if one is near.
  func option(near mistyped: String) -> String? {
    nearest(to: mistyped, of: allOptions.map(\.name))
  }

  /// The first sentence without its full stop and with a small letter, in one line.
  private static func firstSentence(of text: String) -> String {
    let line = text.split(separator: "\n").joined(separator: " ")
    let sentence = line.split(separator: ". ", maxSplits: 1).first.map(String.init) ?? line
    return sentence.prefix(1).lowercased() + sentence.dropFirst().trimmingSuffix(".")
  }

  /// The help: how to call it, what it does, its options and an example. Fits 80 columns and 24 lines.
  var help: String {
    let all = allOptions
    let heads = all.map { "--" + $0.name + ($0.value.map { " " + $0 } ?? "") }
    let width = heads.map(\.count).max() ?? 0
    let rows = zip(heads, all).map { head, option in
      "  " + head + String(repeating: " ", count: width - head.count + 2) + option.help
    }
    let call = (["pages", name, operand ?? ""].filter { !$0.isEmpty } + ["[options]"]).joined(separator: " ")
    return ([call, summary] + rows + ["Example: " + example]).joined(separator: "\n")
  }
}

/// The one of `names` that a mistyped one is nearest to; nil where none is near.
func nearest(to mistyped: String, of names: [String]) -> String? {
  let distances = names.map { ($0, editDistance($0, mistyped)) }
  guard let best = distances.min(by: { $0.1 < $1.1 }), best.1 <= max(2, mistyped.count / 3) else { return nil }
  return best.0
}

/// How many single-character changes lead from `a` to `b`. Takes time and memory in proportion to both lengths.
private func editDistance(_ a: String, _ b: String) -> Int {
  let b = Array(b.prefix(64))
  var row = Array(0...b.count)
  for (i, x) in a.prefix(64).enumerated() {
    var diagonal = i
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let cost = min(row[j + 1] + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
      diagonal = row[j + 1]
      row[j + 1] = cost
    }
  }
  return row.last ?? 0
}

extension Substring {
  /// Itself, without `end` where it ends so.
  fileprivate func trimmingSuffix(_ end: String) -> Substring { hasSuffix(end) ? dropLast(end.count) : self }
}
