import Foundation

/// `pages simulate`: what sizes of pages, prefetching and caps come to, before a line of an app is written.
enum SimulateCommand {
  static let table = CommandTable(
    name: "simulate",
    summary: "Tries paging settings: waits, requests, rows and bytes wasted, memory. The real\n"
      + "pager runs on a clock that doesn't wait: an hour of scrolling takes a second.\n"
      + "Where several values are given, as 10,25,50, all combinations are tried.",
    operand: nil, options: SimulateOptions.table,
    example: "pages simulate --page-size 10,25,50 --prefetch 10,50 --html report.html",
    brief: "tells what paging settings cost: waits, waste, memory")

  /// Runs the command.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    let arguments = try Arguments(words, for: table)
    if arguments.wantsHelp { return Program.show(table.help) }
    let options = try SimulateOptions(arguments)
    let notes = Notes()
    let task = Task { try await results(of: options.plan, notes) }
    let interrupts = Interrupts { task.cancel() }
    defer { withExtendedLifetime(interrupts) {} }
    do {
      let results = try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
      notes.endProgress()
      if let path = options.reportFile {
        let line = (["pages", table.name] + words).map { shellQuoted($0) }.joined(separator: " ")
        let report = SimulationReport(results, leftOut: options.plan.contradictions.count, line: line)
        try Descriptor(file: path, appending: false).write(report.html.utf8)
        notes.detail("the report is in \(printable(path)).")
      }
      let text =
        try options.printsJSON
        ? SimulationJSON(results, of: options.plan).text
        : SimulationTable.text(of: results, leftOut: options.plan.contradictions.count)
      return Program.show(text)
    } catch is CancellationError {
      notes.say("interrupted. To start again:")
      notes.say("  " + (["pages", table.name] + words).map { shellQuoted($0) }.joined(separator: " "))
      return .interrupted
    } catch let failure as WriteFailure {
      notes.say("\(printable(options.reportFile ?? "")) can't be written: \(failure.reason).")
      return .otherSideFailed
    } catch {
      notes.say(explained(error, last: nil))
      return .otherSideFailed
    }
  }

  /// Tries all combinations of `plan`, as many at a time as the machine has cores.
  private static func results(of plan: SimulationPlan, _ notes: Notes) async throws -> [SimulationResult] {
    let combinations = plan.groups.flatMap { group in group.settings.map { (group.world, $0) } }
    // A trace is written in one order: the combinations follow each other in it.
    let recorder = Tracing.process?.recorder
    let width = recorder == nil ? max(1, ProcessInfo.processInfo.activeProcessorCount) : 1
    return try await withThrowingTaskGroup(of: (Int, SimulationFigures).self) { group in
      var figures: [Int: SimulationFigures] = [:]
      for (number, (world, setting)) in combinations.enumerated() {
        if number >= width, let done = try await group.next() { figures[done.0] = done.1 }
        notes.progress("\(grouped(figures.count)) of \(grouped(combinations.count)) combinations")
        group.addTask {
          (number, try await Simulation(setting, in: world, tracedBy: recorder).run())
        }
      }
      for try await done in group { figures[done.0] = done.1 }
      return combinations.enumerated().compactMap { number, combination in
        figures[number].map { SimulationResult(world: combination.0, setting: combination.1, figures: $0) }
      }
    }
  }
}
