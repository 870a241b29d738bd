public import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One connection of the loopback server; used on the thread that answers it.
public final class LoopbackConnection: Sendable {
  private struct State {
    /// -1 once closed.
    var descriptor: Int32
    var unread = Data()
  }

  private let state: Mutex<State>
  private let descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    state = Mutex(State(descriptor: descriptor))
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  // MARK: - Writing

  /// Writes those bytes as they are; false when the client has closed the connection.
  @discardableResult
  public func write(_ data: Data) -> Bool {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return data.withUnsafeBytes { buffer in
      var sent = 0
      while sent < buffer.count {
        let count = Foundation.send(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent, flags)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { return false }
        sent += count
      }
      return true
    }
  }

  /// Writes that text as UTF-8.
  @discardableResult
  public func write(_ text: String) -> Bool {
    write(Data(text.utf8))
  }

  /// A whole answer, with `Content-Length`.
  public func reply(_ status: Int = 200, headers: [(String, String)] = [], body: Data = Data()) {
    var head = "HTTP/1.1 \(status) Status\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    if status != 204 && status != 304 { head += "Content-Length: \(body.count)\r\n" }
    write(Data((head + "\r\n").utf8) + body)
  }

  /// A whole answer of text.
  public func reply(_ status: Int = 200, headers: [(String, String)] = [], text: String) {
    reply(status, headers: headers, body: Data(text.utf8))
  }

  /// One chunk of a chunked body; an empty one ends it.
  @discardableResult
  public func chunk(_ data: Data) -> Bool {
    write(Data((String(data.count, radix: 16) + "\r\n").utf8) + data + Data("\r\n".utf8))
  }

  /// Writes zeros until the client closes the connection; returns how many bytes were written.
  @discardableResult
  public func flood(chunked: Bool = false, started: Signal? = nil) -> Int {
    let block = Data(count: 64 << 10)
    var written = 0
    while chunked ? chunk(block) : write(block) {
      written += block.count
      if written >= 1 << 20 { started?.fire() }
    }
    return written
  }

  // MARK: - Ending

  /// Closes the connection in an orderly way (FIN).
  public func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Breaks the connection off (RST).
  public func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    release()
  }

  /// Blocks until the client closes the connection, answering nothing.
  public func waitForClose() {
    while readSome() {}
  }

  /// Unblocks the thread that uses the connection, from another.
  func hangUp() {
    state.withLock { if $0.descriptor >= 0 { _ = shutdown($0.descriptor, Int32(SHUT_RDWR)) } }
  }

  func release() {
    state.withLock {
      if $0.descriptor >= 0 { _ = Foundation.close($0.descriptor) }
      $0.descriptor = -1
    }
  }

  // MARK: - Reading

  private func readSome() -> Bool {
    guard state.withLock({ $0.descriptor >= 0 }) else { return false }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      state.withLock { $0.unread.append(contentsOf: buffer[..<count]) }
      return true
    }
  }

  /// The next request, or nil when the client has closed the connection.
  func readRequest() -> ReceivedRequest? {
    let end = Data("\r\n\r\n".utf8)
    while true {
      let unread = state.withLock { $0.unread }
      if let range = unread.range(of: end) {
        return readRequest(head: Data(unread[..<range.lowerBound]), bodyStart: range.upperBound - unread.startIndex)
      }
      guard readSome() else { return nil }
    }
  }

  private func readRequest(head: Data, bodyStart: Int) -> ReceivedRequest? {
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (
        line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      )
    }
    let length = headers.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
    if headers.contains(where: { $0.name == "expect" }) { write("HTTP/1.1 100 Continue\r\n\r\n") }
    while state.withLock({ $0.unread.count }) < bodyStart + length {
      guard readSome() else { return nil }
    }
    let body = state.withLock { state in
      let rest = state.unread.dropFirst(bodyStart)
      state.unread = Data(rest.dropFirst(length))
      return Data(rest.prefix(length))
    }
    return ReceivedRequest(method: String(words[0]), target: String(words[1]), headers: headers, body: body)
  }
}
