/// The manual pages, in the language of `man` (man(7)), made of the same tables as the help.
enum Manual {
  /// The page of the program: `pages(1)`.
  static func program(_ commands: [Command]) -> String {
    var lines = title("pages")
    lines += section("NAME") + ["pages \\- " + escaped("reads paged lists")]
    lines += section("SYNOPSIS") + [".B pages", ".I COMMAND", "[options]"]
    lines += section("COMMANDS")
    for command in commands {
      lines += [
        ".TP", call(command.table), escaped(sentence(command.table.brief)), "See " + reference(command.table) + ".",
      ]
    }
    lines += [".TP", "\\fBpages\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR", "Tells the options of a command."]
    lines += [
      ".TP", "\\fBpages completions\\fR \\fISHELL\\fR", "Writes what completes command lines in bash, zsh or fish.",
    ]
    lines += endings
    lines += section("SEE ALSO") + [commands.map { reference($0.table) }.joined(separator: ", ")]
    return lines.joined(separator: "\n")
  }

  /// The page of one command: `pages-walk(1)`.
  static func command(_ table: CommandTable) -> String {
    var lines = title("pages-" + table.name)
    lines += section("NAME") + [escaped("pages-\(table.name)") + " \\- " + escaped(table.brief)]
    lines += section("SYNOPSIS") + [call(table), "[options]"]
    lines += section("DESCRIPTION") + table.summary.split(separator: "\n").map { escaped(String($0)) }
    lines += section("OPTIONS")
    for option in table.allOptions {
      let value = option.value.map { " \\fI" + escaped($0) + "\\fR" } ?? ""
      lines += [".TP", "\\fB\\-\\-" + escaped(option.name) + "\\fR" + value, escaped(sentence(option.help))]
      if option.repeats { lines.append("May be given more than once.") }
    }
    lines += section("EXAMPLE") + [".nf", escaped(table.example), ".fi"]
    lines += endings
    lines += section("SEE ALSO") + ["\\fBpages\\fR(1)"]
    return lines.joined(separator: "\n")
  }

  private static func title(_ name: String) -> [String] {
    // No date: the page is made whenever the program is installed.
    [".TH \"\(escaped(name.uppercased()))\" 1 \"\" \"swift-paging\" \"\""]
  }

  private static func section(_ name: String) -> [String] { [".SH " + name] }

  private static var endings: [String] {
    section("EXIT STATUS")
      + [
        ".TP", "0", "Done.", ".TP", "1",
        "The other side failed: a server, a file or a disk; or what came may not be the whole list. Standard error "
          + "says what, and the line that goes on.",
        ".TP", "2", "The command line can't be followed. Standard error says a line that would work.", ".TP", "130",
        "Interrupted. Standard error says the line that goes on.",
      ].map { $0.hasPrefix(".") ? $0 : escaped($0) }
  }

  private static func call(_ table: CommandTable) -> String {
    "\\fBpages " + escaped(table.name) + "\\fR" + (table.operand.map { " \\fI" + escaped($0) + "\\fR" } ?? "")
  }

  private static func reference(_ table: CommandTable) -> String { "\\fB" + escaped("pages-\(table.name)") + "\\fR(1)" }

  /// With a capital and a full stop.
  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }

  /// Text that shows as it is: no character of it begins a request or an escape.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'" where result.isEmpty, "." where result.isEmpty: result += "\\&" + String(character)
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case _ where character.isASCII: result.append(character)
      // By its number, since what reads the page may take bytes for characters.
      default: for scalar in character.unicodeScalars { result += "\\[u" + hex(scalar.value) + "]" }
      }
    }
    return result
  }

  /// Four digits at least, in capitals.
  private static func hex(_ number: UInt32) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
