import CMicrohttpd
import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1, on a port that the system picks: for demos and tests, never for a network.
///
/// Requests are answered on the server's own thread, one after the other. It stops when it is let go.
final class LoopbackServer: Sendable {
  /// The server could not start.
  struct StartFailure: Error {}

  /// What the server's thread works with; it outlives the thread, since stopping waits for that.
  private final class Handler: Sendable {
    let answer: @Sendable (ServedRequest) -> ServedReply
    let count = Mutex(0)

    init(_ answer: @escaping @Sendable (ServedRequest) -> ServedReply) {
      self.answer = answer
    }
  }

  private let handler: Handler
  // A pointer that is set once; the library's calls on it may come from any thread.
  private let daemon: Mutex<OpaquePointer?>
  /// Its port.
  let port: UInt16

  /// Starts a server that answers with what `answer` returns.
  init(_ answer: @escaping @Sendable (ServedRequest) -> ServedReply) throws(StartFailure) {
    handler = Handler(answer)
    let context = Unmanaged.passUnretained(handler).toOpaque()
    guard let daemon = mhd_start_on_loopback(answerRequest, context) else { throw StartFailure() }
    port = mhd_port(daemon)
    self.daemon = Mutex(daemon)
  }

  deinit { stop() }

  /// How many requests came so far.
  var requestCount: Int { handler.count.withLock { $0 } }

  /// The address of `path` on this server.
  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Closes the port and all connections, and waits for the server's thread to end.
  func stop() {
    let running = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    if let running { MHD_stop_daemon(running) }
  }

  fileprivate static func reply(to request: ServedRequest, context: UnsafeMutableRawPointer) -> ServedReply {
    let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
    handler.count.withLock { $0 += 1 }
    return handler.answer(request)
  }
}

/// What the library calls for each request: once when its head has come, and again for its body, which is ignored.
private func answerRequest(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, body: UnsafePointer<CChar>?,
  bodySize: UnsafeMutablePointer<Int>?, requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let path else { return mhd_no() }
  if let bodySize, bodySize.pointee > 0 {
    bodySize.pointee = 0
    return mhd_yes()
  }
  let request = ServedRequest(
    path: String(cString: path), query: values(of: mhd_query_kind(), in: connection),
    headers: values(of: mhd_header_kind(), in: connection, lowercased: true))
  let reply = LoopbackServer.reply(to: request, context: context)
  guard let response = response(for: reply) else { return mhd_no() }
  defer { MHD_destroy_response(response) }
  for (name, value) in reply.headers {
    MHD_add_response_header(response, name, value)
  }
  return MHD_queue_response(connection, UInt32(clamping: reply.status), response)
}

private func response(for reply: ServedReply) -> OpaquePointer? {
  switch reply.body {
  case .bytes(let bytes):
    return mhd_copied_response(bytes.count, bytes)
  case .filler(let byte, let announced, let sent):
    let filler = Unmanaged.passRetained(Filler(byte, until: sent))
    return MHD_create_response_from_callback(
      UInt64(clamping: announced), 1 << 16, fill, filler.toOpaque(),
      { context in
        if let context { Unmanaged<Filler>.fromOpaque(context).release() }
      })
  }
}

private final class Filler: Sendable {
  let byte: UInt8
  let end: Int

  init(_ byte: UInt8, until end: Int) {
    self.byte = byte
    self.end = end
  }
}

private func fill(
  context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, room: Int
) -> Int {
  guard let context, let buffer else { return mhd_break_off() }
  let filler = Unmanaged<Filler>.fromOpaque(context).takeUnretainedValue()
  let count = min(room, filler.end - Int(clamping: position))
  guard count > 0 else { return mhd_break_off() }
  buffer.update(repeating: CChar(bitPattern: filler.byte), count: count)
  return count
}

/// Collects what the library hands out one by one.
private final class Collector {
  var values: [String: String] = [:]
  let lowercased: Bool

  init(lowercased: Bool) {
    self.lowercased = lowercased
  }
}

private func values(of kind: MHD_ValueKind, in connection: OpaquePointer, lowercased: Bool = false) -> [String: String]
{
  let collector = Collector(lowercased: lowercased)
  MHD_get_connection_values(
    connection, kind,
    { context, _, name, value in
      guard let context, let name else { return mhd_yes() }
      let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
      let key = String(cString: name)
      let text = value.map { String(cString: $0) } ?? ""
      collector.values[collector.lowercased ? key.lowercased() : key, default: text] = text
      return mhd_yes()
    }, Unmanaged.passUnretained(collector).toOpaque())
  return collector.values
}
