import Foundation
import PagingHTTP

/// `pages walk`: every row of a paged list, each once, as a line of JSON.
enum WalkCommand {
  static let table = CommandTable(
    name: "walk",
    summary: "Writes every row of a paged API, each once, as lines of JSON.", operand: "URL",
    options: ListOptions.table + [
      .init("from", "KEY", "go on from here, as a failure says it"),
      .init("max-items", "N", "stop after so many rows"),
      .init("max-pages", "N", "stop after so many pages"),
      .init("output", "FILE", "write there; with --from, at its end"),
      .init("verbose", nil, "say what is found and how much came"),
    ],
    example: "pages walk 'http://127.0.0.1:8001/db/table.json?_shape=objects'",
    brief: "writes every row of a paged API, each once, as lines of JSON")

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
    let key = arguments.text("from").map { HTTPPageKey($0) }
    let notes = Notes(verbose: arguments.has("verbose"))

    let output: Descriptor
    do {
      output =
        try arguments.text("output").map { path throws(WriteFailure) in
          try Descriptor(file: path, appending: key != nil)
        } ?? .standardOutput
    } catch {
      notes.say("\(printable(arguments.text("output") ?? "")) can't be written: \(error.reason).")
      return .otherSideFailed
    }

    let list = RemoteList(options, notes: notes)
    let start = Walk(list, to: RowWriter(output), notes: notes)
    let task = Task {
      var walk = start
      let end = await walk.run(from: key, pageSize: options.pageSize, limits: limits)
      return (walk, end)
    }
    let interrupts = Interrupts { task.cancel() }
    let (walk, end) = await task.value
    withExtendedLifetime(interrupts) {}
    return report(end, of: walk, list, Report(notes: notes, resume: ResumeLine(words: words), limits: limits))
  }

  private struct Report {
    let notes: Notes
    let resume: ResumeLine
    let limits: Walk.Limits

    /// The line that goes on after `walk`, for what is left of the limits.
    func line(after walk: Walk, setting options: [(name: String, value: String)] = []) -> String {
      var options = options
      var dropped: Set<String> = []
      func leave(_ name: String, of limit: Int?, _ used: Int) {
        guard let limit else { return }
        if limit > used { options.append((name, String(limit - used))) } else { dropped.insert(name) }
      }
      leave("max-items", of: limits.items, walk.rows)
      leave("max-pages", of: limits.pages, walk.pages)
      return resume.line(from: walk.resumeKey?.text, setting: options, without: dropped)
    }
  }

  private static func report(_ end: Walk.End, of walk: Walk, _ list: RemoteList, _ report: Report) -> ExitCode {
    let notes = report.notes
    let sum = "\(grouped(walk.rows)) rows in \(grouped(walk.pages)) pages"
    switch end {
    case .done:
      notes.detail(sum + (walk.repeats > 0 ? ", \(grouped(walk.repeats)) repeats left out" : ""))
      if walk.resumeKey != nil {
        notes.detail("there is more:")
        notes.detail("  " + report.line(after: walk))
      }
      return .done
    case .readerLeft: return .done
    case .goesOn(.noMember):
      notes.say("the first reply has no member that leads to a next page, so this may not be all; --next names one.")
      return .done
    case .goesOn(.found(let found)):
      notes.say("the list goes on after \(sum), in another way. \(printable(found.reason))")
      if found.isWalkable, found.kind != .keyset {
        notes.say("Without --convention it is followed:")
        notes.say("  " + report.resume.line(from: nil, without: ["convention", "from"]))
      } else {
        notes.say("--convention page, offset or cursor may lead on.")
      }
      return .otherSideFailed
    case .failed(let error):
      let isInterrupted = error is CancellationError
      notes.say(isInterrupted ? "interrupted after \(sum)." : "\(explained(error, last: list.transport.last))")
      if walk.pages > 0 || walk.resumeKey != nil {
        notes.say("\(sum) were written before that. To go on from there:")
        notes.say("  " + report.line(after: walk))
      } else if isInterrupted {
        notes.say("  " + report.line(after: walk))
      }
      return isInterrupted ? .interrupted : .otherSideFailed
    }
  }
}
