import Foundation
import Synchronization

@testable import pages

/// A real server that other people wrote, over a table made from this machine's files.
final class Datasette: Sendable {
  /// Whether it is installed.
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static var python: String { root.appendingPathComponent(".servers/bin/python").path }

  /// The table's URL.
  let table: String
  /// Its port.
  let port: Int
  private let database: String
  private let pid: pid_t
  private let hasEnded: DispatchSemaphore
  /// Whether it was not told to end: afterwards its number may be another process's.
  private let isRunning = Mutex(true)

  /// Starts it and waits until it answers.
  init(port: Int = 0) async throws {
    let hasEnded = DispatchSemaphore(value: 0)
    let (pid, line) = try await Self.launch(port, hasEnded)
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 3, words[0] == "READY", let port = URL(string: words[1])?.port else {
      throw CocoaError(.executableLoad)
    }
    table = words[1]
    database = words[2]
    self.port = port
    self.pid = pid
    self.hasEnded = hasEnded
  }

  deinit { end() }

  /// Ends it at once, as a crash would. Further calls do nothing.
  func end() {
    let isFirst = isRunning.withLock { isRunning -> Bool in
      defer { isRunning = false }
      return isRunning
    }
    guard isFirst else { return }
    kill(pid, SIGKILL)
    hasEnded.wait()
    try? FileManager.default.removeItem(atPath: (database as NSString).deletingLastPathComponent)
  }

  /// Every row of the table as JSON, as its database tells them, in the order of their IDs.
  func rows() async throws -> [String] {
    // Python's own writing of a row, so that numbers and escapes can be compared byte for byte.
    let dump = """
      import json, sqlite3, sys
      database = sqlite3.connect(sys.argv[1])
      database.row_factory = sqlite3.Row
      for row in database.execute("SELECT * FROM lines ORDER BY id"):
          print(json.dumps(dict(row), separators=(",", ":")))
      """
    return try await Tool.run(Self.python, ["-c", dump, database]).lines
  }

  private static func launch(_ port: Int, _ hasEnded: DispatchSemaphore) async throws -> (pid_t, String) {
    try await withCheckedThrowingContinuation { continuation in
      // The server ends with the thread that started it, so this one stays as long as the server does.
      Thread.detachNewThread {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = root.appendingPathComponent("Tests/Servers/datasette")
        process.arguments = ["--port", String(port), "--ttl", "300"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        do {
          try process.run()
        } catch {
          hasEnded.signal()
          return continuation.resume(throwing: error)
        }
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        continuation.resume(returning: (process.processIdentifier, line))
        process.waitUntilExit()
        hasEnded.signal()
      }
    }
  }
}
