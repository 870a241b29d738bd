import Foundation
import Synchronization

@testable import pages

/// The built program, serving until it is told to stop.
final class ServeProcess: Sendable {
  /// What a run came to.
  struct End: Sendable {
    let status: Int32
    let output: String
    let errors: String
  }

  /// Its address, with a slash at the end.
  let url: String
  private let pid: pid_t
  private let end: Task<End, any Error>
  private let isRunning = Mutex(true)

  /// Starts it and waits until it answers.
  init(_ words: [String]) async throws {
    let ready = AsyncStream.makeStream(of: (pid_t, String).self)
    end = Task { try await Self.run(words, ready.continuation) }
    guard let (pid, url) = await ready.stream.first(where: { _ in true }) else {
      throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: try await end.value.errors])
    }
    self.pid = pid
    self.url = url
  }

  deinit {
    // A number may belong to another process once its own has ended.
    if isRunning.withLock({ $0 }) { kill(pid, SIGKILL) }
  }

  /// Sends a signal and waits for the end.
  func stop(by signal: Int32 = SIGINT) async throws -> End {
    kill(pid, signal)
    let end = try await end.value
    isRunning.withLock { $0 = false }
    return end
  }

  private static func run(
    _ words: [String], _ ready: AsyncStream<(pid_t, String)>.Continuation
  ) async throws -> End {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try runBlocking(words, ready) })
        ready.finish()
      }
    }
  }

  private static func runBlocking(
    _ words: [String], _ ready: AsyncStream<(pid_t, String)>.Continuation
  ) throws -> End {
    let (output, errors) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Tool.path)
    process.arguments = ["serve"] + words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var text = ""
    while case let data = errors.fileHandleForReading.availableData, !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      if let start = text.range(of: "READY "), let end = text[start.upperBound...].firstIndex(of: " ") {
        ready.yield((process.processIdentifier, String(text[start.upperBound..<end])))
      }
    }
    process.waitUntilExit()
    let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return End(status: process.terminationStatus, output: said, errors: text)
  }
}
