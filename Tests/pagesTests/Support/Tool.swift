import Foundation
import Testing

@testable import pages

/// What a run of the built program came to.
struct ToolRun: Sendable {
  let status: Int32
  let output: String
  let errors: String

  var lines: [String] { output.split(separator: "\n").map(String.init) }
  /// The command line that the program offers to go on with.
  var offeredLine: String? {
    errors.split(separator: "\n").map { $0.drop(while: { $0 == " " }) }
      .map { $0.hasPrefix("pages: ") ? $0.dropFirst(7).drop(while: { $0 == " " }) : $0 }
      .last { $0.hasPrefix("pages walk ") || $0.hasPrefix("pages browse ") }.map(String.init)
  }
}

/// Runs the program that was built together with these tests.
enum Tool {
  /// Where it was built: beside the bundle of the tests.
  static var path: String {
    get throws {
      var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      for _ in 0..<6 {
        let candidate = folder.appendingPathComponent("pages").path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
          return candidate
        }
        folder.deleteLastPathComponent()
      }
      throw CocoaError(.fileNoSuchFile)
    }
  }

  /// Runs it to its end.
  ///
  /// - Parameter onOutput: Called with the process's number and how many lines came so far, each time that some came.
  static func run(
    _ words: [String], onOutput: @escaping @Sendable (pid_t, Int) -> Void = { _, _ in }
  ) async throws -> ToolRun {
    try await run(path, words, onOutput: onOutput)
  }

  /// Runs a line in the shell, with the program in the place of the word `pages` at its start.
  static func shell(_ line: String) async throws -> ToolRun {
    let line = line.hasPrefix("pages ") ? shellQuoted(try path) + line.dropFirst(5) : line[...]
    return try await run("/bin/sh", ["-c", String(line)])
  }

  static func run(
    _ program: String, _ words: [String], onOutput: @escaping @Sendable (pid_t, Int) -> Void = { _, _ in }
  ) async throws -> ToolRun {
    try await withCheckedThrowingContinuation { continuation in
      // A thread of its own, since reading a pipe blocks.
      Thread.detachNewThread {
        continuation.resume(with: Result { try runBlocking(program, words, onOutput) })
      }
    }
  }

  private static func runBlocking(
    _ program: String, _ words: [String], _ onOutput: (pid_t, Int) -> Void
  ) throws -> ToolRun {
    let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    _ = FileManager.default.createFile(atPath: errorFile.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: errorFile) }
    let pipe = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    var output = Data()
    var lines = 0
    while true {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { break }
      output += data
      lines += data.count { $0 == UInt8(ascii: "\n") }
      onOutput(process.processIdentifier, lines)
    }
    process.waitUntilExit()
    return ToolRun(
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self))
  }
}
