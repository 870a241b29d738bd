public import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The transport over `URLSession`: one session, one pool of connections, no cookies, no cache, no stored credentials.
///
/// Runs any number of requests at once and holds none back, unless it is given a ``HostBudget``: each request then
/// waits for its turn, as does each redirect, which counts for the server that it leads to. A slot is held until the
/// answer has arrived whole, failed, or nobody reads it any more. Waiting for a turn is not part of the timeout.
///
/// Releasing the transport releases the session and its connections; a streamed body still being read then ends with
/// ``HTTPError/Code/transportClosed``.
///
/// What `URLSession` does by itself, and cannot be kept from:
/// - A request on a connection that was kept from an earlier one may be sent twice, when the server closed that
///   connection before it answered. A server should be asked by methods that can bear it, or told the request's
///   identity.
/// - Lines of one header come joined by commas. On Linux, when their names differ in case, all but those of one
///   spelling are lost.
/// - On Linux (Swift 6.3.1) a connection that closes in an orderly way within the head, after the status line and
///   before the empty line, stops the process inside FoundationNetworking; nothing that a delegate can do prevents it.
/// - On Linux the body of a redirect without a usable `Location` is lost; the reply comes without it.
///
/// Callable from any thread.
public final class URLSessionTransport: HTTPTransport {
  private let session: SessionHandle
  private let config: HTTPTransportConfig
  private let budget: HostBudget?
  private let clock: any Clock<Duration>

  /// A transport with a session of its own.
  ///
  /// - Parameters:
  ///   - config: Timeout and redirects.
  ///   - budget: What each server is asked at a time, shared with other transports; nil for no limit.
  ///   - clock: What the timeout is measured by.
  ///   - now: What ``HTTPReply/receivedAt`` is read from.
  public init(
    config: HTTPTransportConfig = HTTPTransportConfig(), budget: HostBudget? = nil,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.config = config
    self.budget = budget
    self.clock = clock
    session = SessionHandle(now: now)
  }

  /// Sends the request and collects the whole answer.
  ///
  /// Holds at most the request's `maxBodyBytes` of the body.
  ///
  /// - Throws: ``HTTPError``, or `CancellationError` when the calling task is cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPReply {
    try await follow(request) { try await $0.whole() }.reply
  }

  /// Sends the request and returns as soon as the head of the answer is there.
  ///
  /// The server is not slowed down to the reader's pace: what the reader has not taken is held, at most the request's
  /// `maxBodyBytes`. Dropping the body, or cancelling the task that waits for a piece of it, ends the request; the
  /// cancelled reader sees `CancellationError` when it was waiting, else the end of the body, so check
  /// `Task.isCancelled` before you take what came for the whole.
  ///
  /// - Throws: ``HTTPError``, or `CancellationError` when the calling task is cancelled before the head arrived.
  public func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
    let (exchange, head) = try await follow(request) { try await $0.head() }
    let reader = BodyReader(exchange)
    return HTTPStreamedReply(head: head, body: AsyncThrowingStream { try await reader.exchange.piece() })
  }

  /// Sends the request and those it is redirected to; `read` reads each answer.
  ///
  /// Off the caller's actor, since `URLSession` makes its caller wait for its own queue.
  @concurrent
  private func follow(
    _ request: HTTPRequest, read: @Sendable (Exchange) async throws -> HTTPReply?
  ) async throws -> (exchange: Exchange, reply: HTTPReply) {
    guard let first = request.urlRequest.url, Origin(first) != nil else {
      throw HTTPError(.invalidURL, message: "a request needs an http or https URL with a host")
    }
    var url = first
    var urlRequest = request.urlRequest
    urlRequest.cachePolicy = .reloadIgnoringLocalCacheData
    urlRequest.timeoutInterval = SessionHandle.noTimeout
    urlRequest.httpShouldHandleCookies = false
    var redirects = RedirectPolicy(limit: config.maxRedirects)
    while true {
      let pass = try await budget?.pass(to: url, request.ticket)
      try Task.checkCancellation()
      let method = urlRequest.httpMethod ?? "GET"
      let exchange = session.start(
        urlRequest, url: url, expectsBody: method != "HEAD", maxBodyBytes: request.maxBodyBytes,
        timeout: config.timeout, clock: clock, pass: pass)
      guard let reply = try await read(exchange) else {
        throw HTTPError(.invalidResponse, message: "\(url.hostAndPath) ended without an answer; try again")
      }
      switch redirects.decide(status: reply.status, location: reply.headers["Location"], from: url, method: method) {
      case .deliver: return (exchange, reply)
      case .refuse(let error): throw error
      case .follow(let hop):
        if !hop.dropsBody, urlRequest.httpBodyStream != nil { return (exchange, reply) }
        urlRequest.follow(hop, credentialHeaders: request.credentialHeaders)
        url = hop.url
      }
    }
  }
}

/// Ends a streamed request when the stream that reads it is dropped.
private final class BodyReader: Sendable {
  let exchange: Exchange

  init(_ exchange: Exchange) {
    self.exchange = exchange
  }

  deinit {
    exchange.stop(with: CancellationError())
  }
}

extension URLRequest {
  /// Turns the request into the next one of a redirect.
  ///
  /// - Parameters:
  ///   - hop: What was decided.
  ///   - credentialHeaders: Names of headers to leave behind with `Authorization` and the cookies.
  mutating func follow(_ hop: RedirectPolicy.Hop, credentialHeaders: [String]) {
    url = hop.url
    httpMethod = hop.method
    var dropped: [String] = []
    if hop.dropsBody {
      httpBody = nil
      httpBodyStream = nil
      dropped += ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location"]
      dropped += ["Transfer-Encoding", "Digest", "Content-Digest", "Repr-Digest"]
    }
    if hop.leavesOrigin {
      dropped += ["Authorization", "Proxy-Authorization", "Cookie", "Host"] + credentialHeaders
    }
    let names = (allHTTPHeaderFields ?? [:]).keys
    for name in names where dropped.contains(where: { HTTPHeaders.isSame($0, name) }) {
      setValue(nil, forHTTPHeaderField: name)
    }
  }
}

/// Owns a session, which keeps its delegate alive until it is invalidated, and invalidates it.
private final class SessionHandle: Sendable {
  /// A timeout that never comes, in seconds (a year): the exchange measures its own, to the fraction of a second.
  static let noTimeout: Double = 365 * 86_400

  private let delegate = SessionDelegate()
  private let session: URLSession
  private let now: @Sendable () -> Date

  init(now: @escaping @Sendable () -> Date) {
    self.now = now
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.timeoutIntervalForRequest = Self.noTimeout
    configuration.timeoutIntervalForResource = Self.noTimeout
    configuration.httpMaximumConnectionsPerHost = 1024
    session = URLSession(
      configuration: configuration, delegate: delegate, delegateQueue: SessionDelegate.makeQueue())
  }

  deinit {
    delegate.close()
    session.finishTasksAndInvalidate()
  }

  /// Sends a request and returns what its answer is read from.
  func start(
    _ request: URLRequest, url: URL, expectsBody: Bool, maxBodyBytes: Int, timeout: Duration,
    clock: any Clock<Duration>, pass: BudgetPass?
  ) -> Exchange {
    let exchange = Exchange(url: url, maxBodyBytes: maxBodyBytes, expectsBody: expectsBody, now: now)
    let task = session.dataTask(with: request)
    delegate.add(exchange, for: task)
    // Cancelling waits for the session's queue, which may be the one that this is called on.
    exchange.started(timeout: timeout, clock: clock, pass: pass) { DispatchQueue.global().async { task.cancel() } }
    task.resume()
    return exchange
  }
}

/// Hands what the session reports to the exchange it belongs to.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
  private let exchanges = Mutex<[Int: Exchange]>([:])

  func add(_ exchange: Exchange, for task: URLSessionTask) {
    exchanges.withLock { $0[task.taskIdentifier] = exchange }
  }

  /// Ends everything under way.
  func close() {
    let open = exchanges.withLock { Array($0.values) }
    for exchange in open {
      exchange.stop(
        with: HTTPError(
          .transportClosed,
          message: "the transport was released during a request; keep it as long as its bodies are read"))
    }
  }

  func exchange(_ task: URLSessionTask) -> Exchange? {
    exchanges.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let exchange = exchange(dataTask), let response = response as? HTTPURLResponse, let url = response.url {
      exchange.headArrived(
        status: response.statusCode, headers: HTTPHeaders(response), url: url, announced: response.expectedContentLength
      )
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(dataTask)?.pieceArrived(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    exchange(task)?.activity()
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    finish(exchange, task: task, error: error)
  }

  /// Tells the exchange that its task is over, and with which head if none was announced.
  func finish(_ exchange: Exchange, task: URLSessionTask, error: (any Error)?) {
    var late: HTTPReply?
    if error == nil, let response = task.response as? HTTPURLResponse, let url = response.url {
      late = HTTPReply(
        status: response.statusCode, headers: HTTPHeaders(response), body: Data(), url: url, receivedAt: .distantPast)
    }
    exchange.completed(code: (error as? URLError)?.errorCode, cause: error, late: late)
  }
}

extension HTTPHeaders {
  /// The headers of a response, by name, since the order in which they came is not known.
  init(_ response: HTTPURLResponse) {
    let fields = response.allHeaderFields.compactMap { name, value -> Field? in
      guard let name = name as? String, let value = value as? String else { return nil }
      return Field(name: name, value: value)
    }
    self.init(fields.sorted { $0.name < $1.name })
  }
}
