import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Synchronization

/// `pages probe`: what kind of paging an API has, and what goes wrong with it.
enum ProbeCommand {
  static let table = CommandTable(
    name: "probe",
    summary: "Tells how an API pages and what goes wrong with it.\n"
      + "Makes some 20 requests, at most \(maxRequests), five a second; waits when told to.",
    operand: "URL",
    options: ListOptions.table + [
      .init("insert-cmd", "CMD", "shell command: puts a row on top, prints its ID"),
      .init("delete-cmd", "CMD", "shell command: deletes the row $1 (or $PAGES_ROW)"),
      .init("yes", nil, "delete what was inserted without asking"),
      .init("worksheet", "FILE", "add to FILE.json or FILE.md; marks what changed"),
      .init("json", nil, "the report as JSON"),
      .init("pages", "N", "pages to walk (4)"),
      .init("key-age", "SECONDS", "try a key again when it is that old"),
      .init("pace", "MS", "milliseconds between requests (200)"),
    ],
    example: "pages probe 'http://127.0.0.1:8001/db/table.json?_shape=objects'")

  /// How many requests are made at most.
  static let maxRequests = 60

  /// Runs the command.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    let arguments = try Arguments(words, for: table)
    if arguments.wantsHelp { return Program.show(table.help) }
    let options = try ListOptions(arguments)
    let depth = Prober.Depth(
      pages: try arguments.number("pages", in: 1...20) ?? 4,
      keyAge: .seconds(try arguments.number("key-age", in: 0...86_400) ?? 0))
    let pace = Duration.milliseconds(try arguments.number("pace", in: 0...60_000) ?? 200)
    let notes = Notes()
    let worksheet = try Self.worksheet(arguments)
    let changes = try Self.changes(arguments, notes)
    notes.detail(
      "makes at most \(maxRequests) requests, \(pace.formatted(.units(allowed: [.milliseconds]))) apart at least.")

    let transport = ProbeTransport(RemoteList.network(), limit: maxRequests, pace: pace, notes: notes)
    let watched = WatchedTransport(transport)
    let sizeParameter = arguments.text("size-param")
    let left = Mutex<[String]>([])
    // It begins when an interrupt is heard: none may end the program without a word of rows that were put in.
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let task = Task { () -> (Prober?, (any Error)?) in
      for await _ in begins {}
      var prober: Prober
      do {
        let list = try await ProbedList.opened(options, transport, watched: watched)
        prober = Prober(list, options, sizeParameter: sizeParameter, depth: depth, transport: transport)
      } catch {
        return (nil, error)
      }
      do {
        try await prober.run()
        if let changes { try await prober.change(by: changes) { ids in left.withLock { $0 = ids } } }
        return (prober, nil)
      } catch {
        return (prober, error)
      }
    }
    let interrupts = Interrupts { task.cancel() }
    begin.finish()
    let (prober, error) = await task.value
    withExtendedLifetime(interrupts) {}
    let rest = left.withLock { $0 }
    if !rest.isEmpty {
      notes.say(
        "rows that were put in and are still there: \(rest.map { printable($0, limit: 60) }.joined(separator: ", "))")
    }
    if error is CancellationError || task.isCancelled {
      notes.say("interrupted after \(transport.count) requests; nothing is kept between runs, so start again.")
      return .interrupted
    }
    guard let prober, !prober.seen.pages.isEmpty else {
      if let error { notes.say(reason(of: error, last: watched.last)) }
      return .otherSideFailed
    }
    let report = ProbeReport(
      prober.seen, of: arguments.operand ?? "", found: prober.found,
      sizeParameter: sizeParameter, requests: transport.count)
    _ = arguments.has("json") ? Program.show(String(report.json.prettyText.dropLast())) : Program.show(report.text)
    let isKept = keep(report, in: worksheet, notes)
    if let error { notes.say(reason(of: error, last: watched.last)) }
    return error == nil && isKept ? .done : .otherSideFailed
  }

  /// What ended a probe, in words.
  private static func reason(of error: any Error, last: WatchedTransport.Glance?) -> String {
    switch error {
    case let error as ChangeFailure: error.reason
    case let stop as ProbeTransport.Stop: stop.words
    default: explained(error, last: last)
    }
  }

  // MARK: - Changes

  private static func changes(_ arguments: Arguments, _ notes: Notes) throws(UsageError) -> ListChanges? {
    let insert = arguments.text("insert-cmd")
    let delete = arguments.text("delete-cmd")
    guard let insert else {
      if delete != nil {
        throw UsageError(
          "--delete-cmd needs --insert-cmd: only rows that were inserted are deleted.",
          line: "\(arguments.call) --insert-cmd './add-row' --delete-cmd './delete-row \"$1\"'")
      }
      return nil
    }
    let isTerminal = isatty(STDIN_FILENO) == 1
    let isAllowed = arguments.has("yes")
    if delete != nil, !isAllowed, !isTerminal {
      throw UsageError(
        "--delete-cmd needs --yes where there is no terminal to ask on.",
        line: "\(arguments.call) --insert-cmd './add-row' --delete-cmd './delete-row \"$1\"' --yes")
    }
    return ListChanges(insert: ShellCommand(line: insert), delete: delete.map { ShellCommand(line: $0) }) { ids in
      let rows = ids.map { printable($0, limit: 60) }.joined(separator: ", ")
      notes.say("--delete-cmd will be given, one after the other: \(rows)")
      if isAllowed { return true }
      notes.say("it is: \(printable(delete ?? "", limit: 600))")
      notes.say("delete these rows? Type yes, or anything else for no.")
      return await answer() == "yes"
    }
  }

  /// A line from the terminal, awaited in a way that an interrupt ends; nil where none came.
  private static func answer() async -> String? {
    while !Task.isCancelled {
      var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, 0) > 0 { return readLine()?.trimmingCharacters(in: .whitespaces) }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  // MARK: - Worksheet

  private static func worksheet(_ arguments: Arguments) throws(UsageError) -> WorksheetFile? {
    guard let path = arguments.text("worksheet") else { return nil }
    let file = try WorksheetFile(path, call: arguments.call)
    do {
      // Before anything is asked, so that nobody waits for a report that can't be kept.
      _ = try file.read()
    } catch {
      throw UsageError(
        "'\(printable(path))' is no worksheet and stays as it is: \(error.reason).",
        line: "\(arguments.call) --worksheet lists.md")
    }
    return file
  }

  /// Adds the report to its worksheet; false where that failed.
  private static func keep(_ report: ProbeReport, in file: WorksheetFile?, _ notes: Notes) -> Bool {
    guard let file else { return true }
    do {
      let (count, entry) = try file.add(report, at: Date())
      notes.say("\(printable(file.path)) has \(count == 1 ? "1 list" : "\(grouped(count)) lists") now.")
      for change in entry?.changes ?? [] {
        notes.say("  \(change.what): \(printable(change.id)): \(printable(change.now ?? change.before ?? ""))")
      }
      return true
    } catch let refusal as Worksheet.Refusal {
      notes.say("\(printable(file.path)) is no worksheet any more and stays as it is: \(refusal.reason).")
    } catch {
      notes.say("\(printable(file.path)) can't be written: \(printable(error.localizedDescription)).")
    }
    return false
  }
}
