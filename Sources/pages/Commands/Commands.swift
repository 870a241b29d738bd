/// One command of the program: what it accepts, and what runs it.
struct Command: Sendable {
  /// What it accepts; its help, its manual page and its completions come from here too.
  let table: CommandTable
  /// Runs it with the words that follow its name.
  let run: @Sendable (_ words: [String]) async throws(UsageError) -> ExitCode
}

/// The commands that the program has. Main's dispatch, the general help, the manual pages and the completions all read
/// this list, so a command that is in it is in all of them.
enum Commands {
  static let all: [Command] = [
    Command(table: WalkCommand.table, run: WalkCommand.run),
    Command(table: BrowseCommand.table, run: BrowseCommand.run),
    Command(table: ProbeCommand.table, run: ProbeCommand.run),
    Command(table: SimulateCommand.table, run: SimulateCommand.run),
    Command(table: TraceCommand.table, run: TraceCommand.run),
    Command(table: ServeCommand.table, run: ServeCommand.run),
    Command(table: DemoCommand.table, run: DemoCommand.run),
  ]

  /// Commands about the program itself: they work, and no list shows them.
  private static let own: [Command] = [
    Command(table: HelpCommand.table, run: HelpCommand.run),
    Command(table: CompletionsCommand.table, run: CompletionsCommand.run),
  ]

  /// The command of that name; nil where there is none.
  static func named(_ name: String) -> Command? {
    (all + own).first { $0.table.name == name }
  }

  /// The name of the command that a mistyped one is nearest to, if one is near.
  static func near(_ mistyped: String) -> String? {
    nearest(to: mistyped, of: all.map(\.table.name))
  }

  /// The help of the program itself. Fits 80 columns and 24 lines.
  static var help: String {
    let heads = all.map { [$0.table.name, $0.table.operand ?? ""].filter { !$0.isEmpty }.joined(separator: " ") }
    let width = heads.map(\.count).max() ?? 0
    let rows = zip(heads, all).map { head, command in
      "  " + head + String(repeating: " ", count: width - head.count + 2) + command.table.brief
    }
    return ([summary, ""] + rows + ["", end]).joined(separator: "\n")
  }

  /// What the program is for, in one line.
  static let summary = "pages COMMAND: reads paged lists."

  private static let end = """
    pages COMMAND --help tells a command's options; pages completions SHELL writes
    what completes them in bash, zsh or fish.
    Exit codes: 0 done; 1 the other side failed, standard error says what and how to
    go on; 2 bad usage, with a line that would work; 130 interrupted, as with 1.
    """
}
