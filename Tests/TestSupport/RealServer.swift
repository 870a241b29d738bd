package import Foundation
import Synchronization

/// A server that other people wrote, over a list that the test changes; see `Tests/Servers/serve.py`.
///
/// One of each kind runs for all tests of a process, and ends with it.
package final class RealServer: Sendable {
  package enum Kind: String, Sendable {
    case datasette, django, kinto, strawberry, graphene, fastapi, httpbin, nginx, images, faults, probe

    /// Whether what it needs is there; `Scripts/bootstrap --servers` brings it.
    package var isInstalled: Bool {
      let files = FileManager.default
      guard files.isExecutableFile(atPath: RealServer.python) else { return false }
      return (self != .nginx && self != .images) || RealServer.nginx != nil
    }
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  fileprivate static let python = root.appending(path: ".servers/bin/python").path
  /// On the path, where a system keeps its services, or unpacked.
  fileprivate static let nginx: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin"]
    let unpacked = root.appending(path: ".servers/nginx/usr/sbin").path
    return (folders + [unpacked]).map { $0 + "/nginx" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// What it said when it was ready.
  package let url: URL
  private let input: FileHandle
  private let output: FileHandle
  /// What came behind the last line that was read.
  private let rest = Mutex(Data())

  /// Starts one. Its folder goes when it ends, and it ends when this object does or the process.
  package init(_ kind: Kind, arguments: [String] = []) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (input, output) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments =
      [Self.root.appending(path: "Tests/Servers/serve.py").path, kind.rawValue, "--folder", folder.path, "--temporary"]
      + (Self.nginx.map { ["--nginx", $0] } ?? []) + arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.input = input.fileHandleForWriting
    self.output = output.fileHandleForReading
    let line = try await Self.line(from: output.fileHandleForReading, rest)
    guard line.hasPrefix("READY "), let url = URL(string: String(line.dropFirst(6))) else {
      throw Failure(description: "\(kind) did not start: \(line)")
    }
    self.url = url
  }

  deinit { try? input.close() }

  /// Has it do what a line says; gives what it answers.
  @discardableResult
  package func tell(_ command: String) async throws -> String {
    try input.write(contentsOf: Data((command + "\n").utf8))
    let line = try await Self.line(from: output, rest)
    guard line.hasPrefix("OK") else { throw Failure(description: "\(command): \(line)") }
    return line.dropFirst(2).trimmingCharacters(in: .whitespaces)
  }

  /// A URL on it.
  package func url(_ target: String) -> URL { URL(string: target, relativeTo: url)?.absoluteURL ?? url }

  /// The next line, read on a thread of its own, since reading blocks.
  private static func line(from output: FileHandle, _ rest: borrowing Mutex<Data>) async throws -> String {
    var data = rest.withLock { $0 }
    while true {
      if let end = data.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: data[..<end], as: UTF8.self)
        let behind = Data(data[data.index(after: end)...])
        rest.withLock { $0 = behind }
        return line
      }
      let more = await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: output.availableData) }
      }
      guard !more.isEmpty else { throw Failure(description: "the server has ended") }
      data.append(more)
    }
  }
}

/// The servers that run.
package actor RealServers {
  package static let shared = RealServers()
  private var running: [String: Task<RealServer, any Error>] = [:]

  /// The one server of that kind and those arguments, its list anew where it has one.
  package func server(_ kind: RealServer.Kind, rows: Int? = nil, arguments: [String] = []) async throws -> RealServer {
    let name = ([kind.rawValue] + arguments).joined(separator: " ")
    let start = running[name] ?? Task { try await RealServer(kind, arguments: arguments) }
    running[name] = start
    let server = try await start.value
    if let rows { try await server.tell("rows \(rows)") }
    return server
  }
}
