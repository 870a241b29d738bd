import Foundation

/// Every decision about one request on the wire, from its start to its end. Holds no lock, no clock, no task.
struct ExchangeState {
  /// What a reader waits for.
  enum Need {
    /// The head; for a redirect, which is read to its end, the end.
    case head
    /// Some of the body, or its end.
    case piece
    /// The end.
    case end
  }

  /// How many quiet ticks make a timeout: each lasts a quarter of it.
  static let quietTicks = 4
  /// How much of a redirect's body is read so that its connection can be used again, in bytes.
  static let redirectBodyLimit = 64 << 10

  /// What was asked for; for messages.
  let url: URL
  /// Whether an answer to this request has a body at all: not to HEAD.
  let expectsBody: Bool
  /// The head, once it is there.
  private(set) var head: HTTPReply?
  private var meter: BodyMeter
  private var redirectBody = BodyMeter(limit: Self.redirectBodyLimit)
  private var isRedirect = false
  /// What arrived and was not read; at most `meter.limit` bytes.
  private var unread = Data()
  private var quiet = 0
  private var ending: Ending?

  private enum Ending {
    case whole
    case failed(any Error)
  }

  init(url: URL, maxBodyBytes: Int, expectsBody: Bool) {
    self.url = url
    self.expectsBody = expectsBody
    meter = BodyMeter(limit: maxBodyBytes)
  }

  /// Whether nothing more will come.
  var isOver: Bool { ending != nil }

  // MARK: - Events: each returns whether the request must now be ended on the wire

  /// Something was sent or received that is no head and no body.
  mutating func activity() {
    quiet = 0
  }

  /// A head arrived. Interim ones (1xx, RFC 9110, section 15.2) only count as activity.
  mutating func headArrived(_ reply: HTTPReply, announced length: Int64) -> Bool {
    quiet = 0
    guard !isOver, head == nil, reply.status >= 200 else { return false }
    head = reply
    isRedirect =
      RedirectPolicy.target(status: reply.status, location: reply.headers["Location"], from: reply.url) != nil
    guard expectsBody, !isRedirect, reply.status != 304, !meter.admits(announced: length) else { return false }
    return tooLarge()
  }

  /// A piece of the body arrived.
  mutating func pieceArrived(_ piece: Data) -> Bool {
    quiet = 0
    guard !isOver else { return false }
    if isRedirect {
      guard !redirectBody.admits(piece: piece.count) else { return false }
      ending = .whole
      return true
    }
    guard meter.admits(piece: piece.count) else { return tooLarge() }
    unread.append(piece)
    return false
  }

  /// The request ended on the wire.
  ///
  /// - Parameters:
  ///   - code: What the URL system gave as the code of its error; nil for none.
  ///   - cause: The error; nil when the answer is whole.
  ///   - late: The head, for the case that it was never announced.
  mutating func completed(code: Int?, cause: (any Error)?, late: HTTPReply?) {
    guard !isOver else { return }
    if head == nil { head = late }
    if cause == nil, head != nil {
      ending = .whole
    } else {
      ending = .failed(WireFailure.error(code: code, hasHead: head != nil, url: url, cause: cause))
    }
  }

  /// Whoever asked does not want the answer any more, or cannot get it.
  mutating func stopped(with error: any Error) -> Bool {
    guard !isOver else { return false }
    unread = Data()
    ending = .failed(error)
    return true
  }

  /// A quarter of the timeout passed.
  mutating func ticked() -> Bool {
    guard !isOver else { return false }
    quiet += 1
    guard quiet >= Self.quietTicks else { return false }
    ending = .failed(WireFailure.error(code: -1001, hasHead: head != nil, url: url, cause: nil))
    return true
  }

  private mutating func tooLarge() -> Bool {
    ending = .failed(
      HTTPError(
        .bodyTooLarge,
        message:
          "the body of \(url.hostAndPath) is larger than \(meter.limit) bytes; raise maxBodyBytes if it is meant to be",
        status: head?.status))
    return true
  }

  // MARK: - Reading

  /// Whether a reader with that need can go on.
  func satisfies(_ need: Need) -> Bool {
    switch need {
    case .head: isOver || head != nil && !isRedirect
    case .piece: isOver || !unread.isEmpty
    case .end: isOver
    }
  }

  /// The head, when there is one; throws what ended the request before it, or nil when it is still to come.
  func readHead() throws -> HTTPReply? {
    if let head, !isRedirect || isOver { return head }
    if case .failed(let error) = ending { throw error }
    return nil
  }

  /// What arrived since the last read, or nil when there is nothing.
  ///
  /// What came before a failure is read before it is thrown; a stop leaves nothing to read.
  mutating func readPiece() throws -> Data? {
    if !unread.isEmpty {
      defer { unread = Data() }
      return unread
    }
    if case .failed(let error) = ending { throw error }
    return nil
  }

  /// The head and the whole body, once over.
  mutating func readWhole() throws -> HTTPReply? {
    if case .failed(let error) = ending { throw error }
    guard isOver, var reply = head else { return nil }
    reply.body = unread
    unread = Data()
    return reply
  }
}
