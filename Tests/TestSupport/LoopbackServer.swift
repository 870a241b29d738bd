public import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A request as the loopback server read it.
public struct ReceivedRequest: Sendable {
  /// As it came, in capitals as a rule.
  public let method: String
  /// Path and query.
  public let target: String
  /// Name and value as they came; names lowercased.
  public let headers: [(name: String, value: String)]
  /// As long as `Content-Length` says; a chunked one is not read.
  public let body: Data

  /// The first value of that name.
  public func header(_ name: String) -> String? {
    headers.first { $0.name == name.lowercased() }?.value
  }
}

/// An HTTP server on 127.0.0.1 that answers from a closure, for tests against a real socket.
///
/// Each connection has a thread of its own, on which the closure runs and may block.
public final class LoopbackServer: Sendable {
  /// Answers one request, on the thread of its connection.
  public typealias Handler = @Sendable (ReceivedRequest, LoopbackConnection) -> Void

  private struct State {
    var isStopped = false
    var connections: [LoopbackConnection] = []
    var requests: [ReceivedRequest] = []
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  /// The port it listens on.
  public let port: Int
  private let listener: Int32
  private let shared = Shared()

  /// Listens on a free port until the server is released.
  public init(_ handler: @escaping Handler) throws {
    let (listener, port) = try Self.boundSocket(listens: true)
    self.listener = listener
    self.port = port
    Thread.detachNewThread { [shared] in
      while true {
        let descriptor = accept(listener, nil, nil)
        if descriptor < 0 {
          if errno == EINTR || errno == ECONNABORTED { continue }
          break
        }
        let connection = LoopbackConnection(descriptor)
        let isStopped = shared.state.withLock {
          $0.connections.append(connection)
          return $0.isStopped
        }
        if isStopped { connection.hangUp() }
        Thread.detachNewThread {
          while let request = connection.readRequest() {
            shared.state.withLock { $0.requests.append(request) }
            handler(request, connection)
          }
          connection.release()
        }
      }
      close(listener)
    }
  }

  deinit {
    let connections = shared.state.withLock {
      $0.isStopped = true
      return $0.connections
    }
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in connections { connection.hangUp() }
  }

  /// A URL on this server.
  public func url(_ target: String = "/") -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(target)") else { preconditionFailure("no URL: \(target)") }
    return url
  }

  /// What was asked so far.
  public var requests: [ReceivedRequest] { shared.state.withLock { $0.requests } }

  /// How many connections were made so far.
  public var connectionCount: Int { shared.state.withLock { $0.connections.count } }

  /// A port of 127.0.0.1 on which nothing listens, and nothing can as long as this process runs: its socket stays open.
  public static func closedPort() throws -> Int {
    try boundSocket(listens: false).port
  }

  /// A socket on a free port.
  private static func boundSocket(listens: Bool) throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, streamType, 0)
    guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && (!listens || listen(descriptor, 512) == 0)
          && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }
}

#if canImport(Glibc)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamType = SOCK_STREAM
#endif
