import CMicrohttpd
import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1: for demos and tests, never for a network.
///
/// Each connection, of at most 64, is answered on a thread of its own, so `answer` is called from several at a time. It
/// stops when it is let go.
final class LoopbackServer: Sendable {
  /// The server could not start.
  struct StartFailure: Error, CustomStringConvertible {
    let description: String
  }

  /// The most bytes of a request's body.
  static let maxBody = 1 << 20

  /// What the server's threads work with; it outlives them, since stopping waits for their end.
  private final class Handler: Sendable {
    let answer: @Sendable (ServedRequest) -> ServedReply
    let count = Mutex(0)
    let pause = Pause()

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
  ///
  /// - Parameter port: Its port; 0: one that the system picks.
  init(port: UInt16 = 0, _ answer: @escaping @Sendable (ServedRequest) -> ServedReply) throws(StartFailure) {
    handler = Handler(answer)
    let context = Unmanaged.passUnretained(handler).toOpaque()
    let calls = mhd_calls(connection: connectionChanged, target: targetCame, request: answerRequest)
    errno = 0
    guard let daemon = mhd_start_on_loopback(port, calls, context) else {
      let reason = errno == 0 ? "" : ": \(String(cString: strerror(errno)))"
      throw StartFailure(description: "no server could be started on 127.0.0.1\(port == 0 ? "" : ":\(port)")\(reason)")
    }
    self.port = mhd_port(daemon)
    self.daemon = Mutex(daemon)
  }

  deinit { stop() }

  /// How many requests came so far.
  var requestCount: Int { handler.count.withLock { $0 } }

  /// The address of `path` on this server.
  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Closes the port and all connections, ends all delays, and waits for the server's threads to end.
  func stop() {
    let running = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    handler.pause.end()
    if let running { MHD_stop_daemon(running) }
  }

  /// The reply to a request, once its delay is over; nil where none is to be sent.
  fileprivate static func reply(
    to request: ServedRequest?, context: UnsafeMutableRawPointer
  ) -> (status: Int, response: OpaquePointer)? {
    let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
    handler.count.withLock { $0 += 1 }
    let reply =
      request.map { handler.answer($0) } ?? .refusal(400, "the request's target can't be read", code: "invalid")
    guard handler.pause.wait(reply.delay), let response = response(for: reply) else { return nil }
    for (name, value) in reply.headers { MHD_add_response_header(response, name, value) }
    return (reply.status, response)
  }
}

/// Delays that can all be ended at once.
private final class Pause: Sendable {
  private let condition = NSCondition()
  // Read and written inside the condition's lock, and atomic besides.
  private let hasEnded = Atomic(false)

  /// Waits; false where it was ended before.
  func wait(_ time: Duration) -> Bool {
    guard time > .zero else { return true }
    let end = Date(timeIntervalSinceNow: time / .seconds(1))
    condition.lock()
    defer { condition.unlock() }
    while !hasEnded.load(ordering: .relaxed), condition.wait(until: end) {}
    return !hasEnded.load(ordering: .relaxed)
  }

  func end() {
    condition.lock()
    hasEnded.store(true, ordering: .relaxed)
    condition.broadcast()
    condition.unlock()
  }
}

// MARK: - What the library calls

/// What is known of the request that a connection is at; only the connection's own thread uses it.
private final class Incoming {
  var target = ""
  var hasHead = false
  var body: [UInt8] = []
  var isTooLarge = false
}

private func connectionChanged(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?,
  kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_ConnectionNotificationCode
) {
  guard let kept else { return }
  if mhd_is_opening(code) != 0 {
    kept.pointee = Unmanaged.passRetained(Incoming()).toOpaque()
  } else if let incoming = kept.pointee {
    kept.pointee = nil
    Unmanaged<Incoming>.fromOpaque(incoming).release()
  }
}

private func incoming(_ connection: OpaquePointer) -> Incoming? {
  mhd_kept(connection).map { Unmanaged<Incoming>.fromOpaque($0).takeUnretainedValue() }
}

private func targetCame(
  context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let connection, let target, let incoming = incoming(connection) else { return nil }
  incoming.target = String(cString: target)
  incoming.hasHead = false
  incoming.body = []
  incoming.isTooLarge = false
  return nil
}

/// Called for each request: once when its head has come, for each part of its body, and once more at its end.
private func answerRequest(
  context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, body: UnsafePointer<CChar>?,
  bodySize: UnsafeMutablePointer<Int>?, requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let context, let connection, let method, let bodySize, let incoming = incoming(connection) else {
    return mhd_no()
  }
  if !incoming.hasHead {
    incoming.hasHead = true
    return mhd_yes()
  }
  if bodySize.pointee > 0 {
    if incoming.body.count + bodySize.pointee > LoopbackServer.maxBody {
      incoming.isTooLarge = true
      incoming.body = []
    } else if !incoming.isTooLarge {
      let part = UnsafeRawBufferPointer(start: body, count: body == nil ? 0 : bodySize.pointee)
      incoming.body += part
    }
    bodySize.pointee = 0
    return mhd_yes()
  }
  let request = ServedRequest(
    method: String(cString: method), target: incoming.target, headers: headers(of: connection), body: incoming.body)
  let tooLarge = ServedReply.refusal(413, "a body has at most \(LoopbackServer.maxBody >> 20) MB", code: "too_large")
  let answer =
    incoming.isTooLarge
    ? response(for: tooLarge).map { (413, $0) } : LoopbackServer.reply(to: request, context: context)
  incoming.body = []
  guard let (status, response) = answer else { return mhd_no() }
  defer { MHD_destroy_response(response) }
  return MHD_queue_response(connection, UInt32(clamping: status), response)
}

// MARK: - Replies

private func response(for reply: ServedReply) -> OpaquePointer? {
  switch reply.body {
  case .bytes(let bytes): mhd_copied_response(bytes.count, bytes)
  case .filler(let byte, let announced, let sent): streamed(announced, Source([byte], sent))
  case .broken(let bytes, let sent): streamed(bytes.count, Source(bytes, min(sent, bytes.count)))
  case .nothing: nil
  }
}

/// What a body is read from that breaks off.
private final class Source: Sendable {
  /// The bytes; where they end early, the last one is repeated.
  let bytes: [UInt8]
  /// Where it breaks off.
  let end: Int

  init(_ bytes: [UInt8], _ end: Int) {
    self.bytes = bytes
    self.end = end
  }
}

private func streamed(_ announced: Int, _ source: Source) -> OpaquePointer? {
  MHD_create_response_from_callback(
    UInt64(clamping: announced), 1 << 16, fill, Unmanaged.passRetained(source).toOpaque(),
    { context in
      if let context { Unmanaged<Source>.fromOpaque(context).release() }
    })
}

private func fill(
  context: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, room: Int
) -> Int {
  guard let context, let buffer else { return mhd_break_off() }
  let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
  let start = Int(clamping: position)
  let count = min(room, source.end - start)
  guard count > 0 else { return mhd_break_off() }
  let part = UnsafeMutableBufferPointer(start: buffer, count: count)
  part.update(repeating: CChar(bitPattern: source.bytes.last ?? 0))
  for (index, byte) in source.bytes.dropFirst(start).prefix(count).enumerated() {
    part[index] = CChar(bitPattern: byte)
  }
  return count
}

/// Collects what the library hands out one by one.
private final class Collector {
  var values: [String: String] = [:]
}

/// The headers, their names in lower case; of several with one name the first.
private func headers(of connection: OpaquePointer) -> [String: String] {
  let collector = Collector()
  MHD_get_connection_values(
    connection, mhd_header_kind(),
    { context, _, name, value in
      guard let context, let name else { return mhd_yes() }
      let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
      let text = value.map { String(cString: $0) } ?? ""
      collector.values[String(cString: name).lowercased(), default: text] = text
      return mhd_yes()
    }, Unmanaged.passUnretained(collector).toOpaque())
  return collector.values
}
