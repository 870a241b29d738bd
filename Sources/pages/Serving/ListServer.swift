import Synchronization

/// Serves one list on loopback, in each way that ``ServedStyle/all`` names, under a path of its own.
final class ListServer: Sendable {
  /// What becomes of a page size above the cap.
  enum AboveCap: Sendable {
    /// As many rows as the cap allows, and no word about it.
    case lowered
    /// A 400.
    case refused
  }

  /// A request and what was answered, for whoever watches.
  typealias Watcher = @Sendable (ServedRequest, ServedReply) -> Void

  /// The rows that it serves at first, as clients get them.
  let rows: ServedRows
  private let server: LoopbackServer

  /// Serves `rows`, at most `cap` in a page and `defaultSize` where none is asked for.
  convenience init(
    _ rows: ServedRows, defaultSize: Int = 30, cap: Int = 1000, aboveCap: AboveCap = .lowered
  ) throws(LoopbackServer.StartFailure) {
    try self.init(
      rows, ListService.Options(defaultSize: defaultSize, cap: cap, refusesAboveCap: aboveCap == .refused))
  }

  /// Serves `rows` as `options` say.
  ///
  /// - Parameters:
  ///   - port: Its port; 0: one that the system picks.
  ///   - watch: Told of every request, on the thread that answers it.
  init(
    _ rows: ServedRows, _ options: ListService.Options, port: UInt16 = 0, watch: Watcher? = nil
  ) throws(LoopbackServer.StartFailure) {
    let service = SharedService(ListService(rows, options))
    let clock = ContinuousClock()
    let start = clock.now
    server = try LoopbackServer(port: port) { request in
      let reply = service.answer(request, at: clock.now - start)
      watch?(request, reply)
      return reply
    }
    self.rows = options.addsImages ? rows.withPictures(at: server.url("")) : rows
  }

  /// How many requests came so far.
  var requestCount: Int { server.requestCount }

  /// The address of `path`, which names the style.
  func url(_ path: String) -> String { server.url(path) }

  /// Stops serving.
  func stop() { server.stop() }
}

/// A service that several threads ask.
private final class SharedService: Sendable {
  private let service: Mutex<ListService>

  init(_ service: ListService) {
    self.service = Mutex(service)
  }

  func answer(_ request: ServedRequest, at now: Duration) -> ServedReply {
    service.withLock { $0.answer(request, at: now) }
  }
}
