import Foundation
import Synchronization

/// `pages trace`: another command, with what its pagers and transports do written to a trace.
enum TraceCommand {
  static let table = CommandTable(
    name: "trace",
    summary: "Runs another command (walk, browse, demo, simulate) and writes what its lists do\n"
      + "as a Chrome trace: loads and drops by what caused them, requests, status, bytes.\n"
      + "Open it in ui.perfetto.dev or chrome://tracing. Options stand before COMMAND.",
    operand: "COMMAND", options: [.init("output", "FILE", "where the trace goes (pages-trace.json)")],
    example: "pages trace --output trace.json simulate --scrolls 100",
    brief: "runs another command and traces its loads, for Perfetto")

  /// How long a command that was interrupted may take to end before the trace is ended for it.
  private static let patience = Duration.seconds(3)

  /// Runs the command.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    let (own, command) = split(words)
    let arguments: Arguments
    do {
      arguments = try Arguments(own + command.prefix(1), for: table)
    } catch {
      // The usual lines have options behind the operand, where they would be the other command's.
      throw UsageError(error.message, line: table.example)
    }
    if arguments.wantsHelp { return Program.show(table.help) }
    guard command.first != table.name else {
      throw UsageError("trace can't trace itself.", line: table.example)
    }
    let notes = Notes()
    let path = arguments.text("output") ?? "pages-trace.json"
    let recorder: TraceRecorder
    do {
      recorder = TraceRecorder(to: try Descriptor(file: path, appending: false))
    } catch {
      notes.say("\(printable(path)) can't be written: \(error.reason).")
      return .otherSideFailed
    }
    let clock = ContinuousClock()
    let start = clock.now
    let process = recorder.process("pages \(printable(command.first ?? ""))") { clock.now - start }
    let end = await run(command, in: process)
    recorder.close()
    if let failure = recorder.failure {
      notes.say("\(printable(path)) is not whole: \(failure.reason).")
      return end == .done ? .otherSideFailed : end
    }
    if end != .badUsage {
      notes.say(
        "\(grouped(recorder.eventCount)) events are in \(printable(path)), for ui.perfetto.dev or chrome://tracing.")
    }
    return end
  }

  private static func run(_ command: [String], in process: TraceProcess) async -> ExitCode {
    let isInterrupted = Mutex(false)
    let task = Task { await Tracing.$process.withValue(process) { await Program.run(command) } }
    let interrupts = Interrupts {
      isInterrupted.withLock { $0 = true }
      task.cancel()
      Task {
        // A command that does not hear of it, as one that waits for a full pipe: its trace is whole as far as it went.
        try? await Task.sleep(for: patience)
        process.recorder.close()
        _exit(ExitCode.interrupted.rawValue)
      }
    }
    let end = await task.value
    withExtendedLifetime(interrupts) {}
    return isInterrupted.withLock { $0 } ? .interrupted : end
  }

  /// What stands before the command, and the command with all that belongs to it.
  private static func split(_ words: [String]) -> (own: [String], command: [String]) {
    var count = 0
    while count < words.count, words[count].hasPrefix("-") {
      let word = words[count]
      count += 1
      if word == "--" { break }
      let takesValue = table.option(String(word.dropFirst(2)))?.value != nil
      if takesValue, count < words.count { count += 1 }
    }
    return (Array(words[..<count]), Array(words[count...]))
  }
}
