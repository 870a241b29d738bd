import Foundation

/// A command of the user's that changes the list.
struct ShellCommand: Sendable {
  /// The line for the shell.
  let line: String

  /// What went wrong with it.
  struct Failure: Error, Hashable, Sendable {
    let reason: String
  }

  /// How long it may take.
  private static let limit = Duration.seconds(60)

  /// Runs it and gives what it printed, without the white space around that. `row` is its first argument, and the value
  /// of `PAGES_ROW` in its environment.
  func run(row: String? = nil) async throws -> String {
    let line = line
    return try await withCheckedThrowingContinuation { continuation in
      // A thread of its own, since reading a pipe blocks.
      Thread.detachNewThread {
        continuation.resume(with: Result { try Self.run(line, row) })
      }
    }
  }

  private static func run(_ line: String, _ row: String?) throws -> String {
    let pipe = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line, "sh"] + (row.map { [$0] } ?? [])
    if let row {
      process.environment = ProcessInfo.processInfo.environment.merging(["PAGES_ROW": row]) { _, new in new }
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    do {
      try process.run()
    } catch {
      throw Failure(reason: "could not be started")
    }
    let pid = process.processIdentifier
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.setEventHandler { kill(pid, SIGTERM) }
    timer.schedule(deadline: .now() + limit / .seconds(1))
    timer.resume()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    timer.cancel()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      let isSignal = process.terminationReason == .uncaughtSignal
      throw Failure(reason: (isSignal ? "was ended by signal " : "ended with status ") + "\(process.terminationStatus)")
    }
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
