/// `pages help`: the help of the program or of a command, or its manual page.
enum HelpCommand {
  static let table = CommandTable(
    name: "help", summary: "Shows what a command does and accepts.", operand: nil,
    options: [
      .init("man", nil, "the manual page, for man -l"),
      .init("command", "NAME", "that of this command, and not of the program"),
    ],
    example: "pages help --command walk")

  /// Runs the command; a word without dashes is the name of a command too.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    var words = words
    if let name = words.firstIndex(where: { !$0.hasPrefix("-") }), name == 0 || words[name - 1] != "--command" {
      words.insert("--command", at: name)
    }
    let arguments = try Arguments(words, for: table)
    if arguments.wantsHelp { return Program.show(table.help) }
    guard let name = arguments.text("command") else {
      return Program.show(arguments.has("man") ? Manual.program(Commands.all) : Commands.help)
    }
    guard let command = Commands.named(name) else {
      throw UsageError("there is no command '\(printable(name))'.", line: table.example)
    }
    return Program.show(arguments.has("man") ? Manual.command(command.table) : command.table.help)
  }
}

/// `pages completions`: what completes command lines in a shell.
enum CompletionsCommand {
  static let table = CommandTable(
    name: "completions", summary: "Writes what completes command lines in bash, zsh or fish.", operand: "SHELL",
    options: [.init("commands", nil, "the commands' names instead, one a line")], example: "pages completions bash")

  /// Runs the command.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    let arguments = try Arguments(words, for: table)
    if arguments.wantsHelp { return Program.show(table.help) }
    if arguments.has("commands") { return Program.show(Commands.all.map(\.table.name).joined(separator: "\n")) }
    guard let shell = arguments.operand.flatMap({ Completions.Shell(rawValue: $0) }) else {
      throw UsageError("'\(printable(arguments.operand ?? ""))' is not bash, zsh or fish.", line: table.example)
    }
    return Program.show(Completions.script(for: shell, Commands.all))
  }
}
