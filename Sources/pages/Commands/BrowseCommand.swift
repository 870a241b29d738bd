import Foundation
import Paging
import PagingHTTP

/// `pages browse`: a list in the terminal that pages as one scrolls.
enum BrowseCommand {
  static let table = CommandTable(
    name: "browse",
    summary: "Shows a paged API, or a file with a JSON value a line, and pages as one scrolls.\n"
      + "Keys: arrows, j k, space b, g G; r refreshes, R tries again, q quits.",
    operand: "URL|FILE", options: ListOptions.table,
    example: "pages browse 'http://127.0.0.1:8001/db/table.json?_shape=objects'",
    brief: "shows a list in the terminal, and pages as one scrolls")

  /// Runs the command.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    let arguments = try Arguments(words, for: table)
    if arguments.wantsHelp { return Program.show(table.help) }
    let operand = arguments.operand ?? ""
    if !operand.contains("://"), FileManager.default.fileExists(atPath: operand) {
      return try await browse(
        Pager(config: config(100), observer: Tracing.observer, makeSource: { FilePageSource(operand) }),
        title: printable(operand, limit: 40)
      ) { explained($0, last: nil) }
    }
    let options = try ListOptions(arguments)
    // Nothing may write to the terminal while it is taken over.
    let list = RemoteList(options, notes: Notes(isSilent: true))
    let title = printable(options.url.host() ?? "", limit: 40)
    let pager = Pager(
      config: config(options.pageSize), observer: Tracing.observer, source: Tracing.source(list.source))
    return try await browse(pager, title: title) { explained($0, last: list.transport.last) }
  }

  /// How lists are paged in a terminal: what is far from the screen is let go.
  static func config(_ pageSize: Int) -> PagingConfig {
    var config =
      (try? PagingConfig(pageSize: pageSize, prefetchDistance: 60, maxSize: max(2000, pageSize * 4)))
      ?? PagingConfig(pageSize: pageSize)
    config.jumpThreshold = 200
    return config
  }

  /// Browses `pager` in the terminal until the reader leaves.
  static func browse<Key>(
    _ pager: Pager<Key, RawRow>, title: String, explain: @escaping @Sendable (any Error) -> String
  ) async throws(UsageError) -> ExitCode {
    let noTerminal = UsageError(
      "browse needs a terminal; walk writes rows without one.", line: WalkCommand.table.example)
    guard Descriptor.standardOutput.isTerminal, isatty(STDIN_FILENO) == 1 else { throw noTerminal }
    let end = await Browser(pager, title: title, explain: explain).run()
    pager.close()
    switch end {
    case .left: return .done
    case .interrupted: return .interrupted
    case .noTerminal: throw noTerminal
    }
  }
}
