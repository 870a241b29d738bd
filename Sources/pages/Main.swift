import Foundation

/// The program: picks the command and turns its end into an exit code.
@main struct Program {
  static func main() async {
    // A closed pipe is then an error of the write, which ends a walk quietly, and not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  /// Runs the command that `words` name.
  static func run(_ words: [String]) async -> ExitCode {
    let rest = Array(words.dropFirst())
    do throws(UsageError) {
      switch words.first {
      case "walk": return try await WalkCommand.run(rest)
      case "browse": return try await BrowseCommand.run(rest)
      case "serve": return try await ServeCommand.run(rest)
      case "demo": return try await DemoCommand.run(rest)
      case "--help", "-h", "help": return show(help)
      case let word?:
        throw UsageError("there is no command '\(printable(word))'.", line: "pages --help")
      case nil:
        throw UsageError("a command is missing.", line: "pages --help")
      }
    } catch {
      Notes().say("\(error.message) This would work:\n  \(error.line)")
      return .badUsage
    }
  }

  /// Prints a help text.
  static func show(_ text: String) -> ExitCode {
    // A reader that left needs no help any more.
    try? Descriptor.standardOutput.write((text + "\n").utf8)
    return .done
  }

  private static let help = """
    pages COMMAND: reads paged lists.

      walk URL          writes every row of a paged API, each once, as lines of JSON
      browse URL|FILE   shows a list in the terminal, and pages as one scrolls
      serve FILE        serves the rows of a file on 127.0.0.1, paged in every way
      demo              serves rows of this machine on loopback and browses them

    pages COMMAND --help tells a command's options.
    Exit codes: 0 done; 1 the other side failed, standard error says what and how to
    go on; 2 bad usage, with a line that would work; 130 interrupted, as with 1.
    """
}
