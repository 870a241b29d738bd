import Foundation
import PagingHTTP

/// `pages walk`: every row of a paged list, each once, as a line of JSON or in a list store.
enum WalkCommand {
  static let table = CommandTable(
    name: "walk",
    summary: "Writes every row of a paged API, each once, as lines of JSON.", operand: "URL",
    options: ListOptions.table + [
      .init("from", "KEY", "go on from here, as a failure says it"),
      .init("max-items", "N", "stop after so many rows"),
      .init("max-pages", "N", "stop after so many pages"),
      .init("output", "FILE", "write there; with --from, at its end"),
      .init("into", "STORE", "keep the rows in a list of that file; browse shows it"),
      .init("list", "NAME", "the list's name in the store (host and path)"),
      .init("resume", nil, "go on where an earlier walk into FILE or STORE ended"),
      .init("verbose", nil, "say what is found and how much came"),
    ],
    example: "pages walk 'http://127.0.0.1:8001/db/table.json'",
    brief: "writes each row of a paged API once, as lines of JSON")

  /// Runs the command.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    let arguments = try Arguments(words, for: table)
    if arguments.wantsHelp { return Program.show(table.help) }
    let options = try ListOptions(arguments)
    let limits = Walk.Limits(
      items: try arguments.number("max-items", in: 0...Int.max),
      pages: try arguments.number("max-pages", in: 0...Int.max))
    let target = try WalkTarget(arguments)
    let notes = Notes(verbose: arguments.has("verbose"))
    let transport = WatchedTransport(PatientTransport(RemoteList.network(), notes: notes))
    let plain = WalkReport(
      notes: notes, resume: ResumeLine(words: words), limits: limits, keepsState: target.keepsState,
      url: printable(arguments.operand ?? "", limit: 2000),
      last: { transport.last })

    // The walk begins when an interrupt is heard: none may end the program without a word of how to go on.
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task { () -> ExitCode in
      for await _ in begins {}
      var report = plain
      let list: RemoteList
      do {
        list = try await RemoteList.opened(options, notes: notes, transport: transport)
      } catch {
        return report.unopened(Task.isCancelled ? CancellationError() : error)
      }
      report.madeQuery = list.madeQuery
      let opened: WalkTarget.Opened
      do {
        opened = try target.open(for: options, reader: list.reader)
      } catch {
        return report.unwritable(error, target.name)
      }
      guard !opened.isDone else {
        notes.say("\(printable(target.name)) holds the whole list already; without --resume it is walked anew.")
        return .done
      }
      var walk = Walk(list, to: opened.sink, notes: notes)
      let end = await walk.run(from: opened.key, pageSize: options.pageSize, limits: limits)
      return report.told(end, of: walk)
    }
    let interrupts = Interrupts { task.cancel() }
    begin.finish()
    let code = await task.value
    withExtendedLifetime(interrupts) {}
    return code
  }
}
