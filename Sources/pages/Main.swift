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
      case "--help", "-h": return show(Commands.help)
      case let word?:
        guard let command = Commands.named(word) else {
          let near = Commands.near(word)
          throw UsageError(
            "there is no command '\(printable(word))'." + (near.map { " Did you mean \($0)?" } ?? ""),
            line: near.map { "pages \($0) --help" } ?? "pages --help")
        }
        return try await command.run(rest)
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
}
