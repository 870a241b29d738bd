import Foundation
import TestSupport

/// Real servers for walks, apart from those that other tests change the lists of.
actor WalkServers {
  static let shared = WalkServers()
  /// How many rows each serves.
  static let count = 330

  private var running: [String: Task<RealServer, any Error>] = [:]

  /// The one server of that kind.
  func server(_ kind: RealServer.Kind) async throws -> RealServer {
    try await server(kind.rawValue, kind, ["--rows", "\(Self.count)"])
  }

  /// The one proxy in front of the server of that kind.
  func proxy(before kind: RealServer.Kind) async throws -> RealServer {
    let upstream = try await server(kind).url
    return try await server("proxy", .faults, ["--upstream", "127.0.0.1:\(upstream.port ?? 0)"])
  }

  private func server(_ name: String, _ kind: RealServer.Kind, _ arguments: [String]) async throws -> RealServer {
    let start = running[name] ?? Task { try await RealServer(kind, arguments: arguments) }
    running[name] = start
    return try await start.value
  }
}
