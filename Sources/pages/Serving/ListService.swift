/// A list behind a server: requests in, replies out, by every way to page that ``ServedStyle/all`` names. It waits for
/// nothing and knows no socket; what time it is, it is told.
struct ListService: Sendable {
  /// How it answers.
  struct Options: Sendable {
    /// How many rows are in a page where none is asked for.
    var defaultSize = 30
    /// The most rows in a page.
    var cap = 1000
    /// Whether more than that are refused, and not only lowered to it.
    var refusesAboveCap = false
    /// How long a cursor of `/expiring` is good.
    var cursorLife = Duration.seconds(60)
    /// How long a ranked session is kept.
    var sessionLife = Duration.seconds(300)
    /// How long answers take: anything between the two.
    var latency: ClosedRange<Duration> = .zero ... .zero
    /// What goes wrong, and when.
    var faults: [ServedFault] = []
    /// Whether each row is given the URL of a picture, where it has no `image_url`.
    var addsImages = false
  }

  /// The most bytes of rows in one page.
  static let maxPageBytes = 16 << 20

  var options: Options
  var list: ServedList
  var sessions = RankedSessions()
  var readers = ReaderMemory()
  /// How many lists were asked for; faults count by it.
  private(set) var listRequests = 0
  private let firstRows: ServedRows
  private var lastList: ServedReply?
  private var faulty: ServedFaults

  /// Serves `rows`.
  init(_ rows: ServedRows, _ options: Options = Options()) {
    firstRows = rows
    list = ServedList(rows)
    self.options = options
    faulty = ServedFaults(options.faults)
  }

  /// The reply to `request`.
  ///
  /// - Parameter now: The time since the server began.
  mutating func answer(_ request: ServedRequest, at now: Duration) -> ServedReply {
    do throws(Refusal) {
      try Self.checkOrigin(of: request)
      if request.segments.first?.hasPrefix("_") == true {
        return try control(request)
      }
      guard let style = ServedStyle.all.first(where: { $0.matches(request) }) else {
        if request.segments.isEmpty { return index(request) }
        throw Refusal(404, "there is nothing at \(request.path); GET / lists what there is", code: "not_found")
      }
      guard style.methods.contains(request.method) else {
        var reply = ServedReply.refusal(405, "\(style.path) takes \(style.methods.joined(separator: ", "))")
        reply.headers.append(("Allow", style.methods.joined(separator: ", ")))
        throw Refusal(reply)
      }
      guard style.isList else { return try style.answer(&self, request, now).revalidated(for: request) }
      return listReply(to: request, style, now)
    } catch {
      return error.reply
    }
  }

  /// The reply to a request for rows, with what was planned to go wrong.
  private mutating func listReply(to request: ServedRequest, _ style: ServedStyle, _ now: Duration) -> ServedReply {
    listRequests += 1
    let fault = faulty.fault(of: listRequests)
    var reply: ServedReply
    do throws(Refusal) {
      reply = try style.answer(&self, request, now).revalidated(for: request)
    } catch {
      reply = error.reply
    }
    let good = reply
    if let fault { reply = fault.spoiled(reply, last: lastList) }
    if good.status == 200 { lastList = good }
    reply.delay += faulty.latency(options.latency)
    return reply
  }

  /// Starts anew: all rows as they were, all sessions forgotten, all requests uncounted.
  mutating func reset() {
    list = ServedList(firstRows)
    sessions = RankedSessions()
    readers = ReaderMemory()
    listRequests = 0
    lastList = nil
  }

  /// Replaces what goes wrong; requests are counted from here on.
  mutating func plan(_ faults: [ServedFault]) {
    options.faults = faults
    faulty = ServedFaults(faults)
    listRequests = 0
  }

  /// Any page on the net may send a browser to a server on loopback, so the request must name loopback itself, and come
  /// from a page of loopback where it comes from one.
  private static func checkOrigin(of request: ServedRequest) throws(Refusal) {
    for name in ["host", "origin"] {
      guard let value = request.headers[name] else { continue }
      let host = value.split(separator: "/").last.map(String.init) ?? ""
      let plain = host.hasPrefix("[") ? String(host.prefix { $0 != "]" }) + "]" : String(host.prefix { $0 != ":" })
      guard ["127.0.0.1", "localhost", "[::1]"].contains(plain.lowercased()) else {
        throw Refusal(403, "this server is for programs on this machine", code: "forbidden")
      }
    }
  }
}

/// A request that is not done.
struct Refusal: Error {
  let reply: ServedReply

  init(_ reply: ServedReply) {
    self.reply = reply
  }

  /// A refusal with a word why, and a code for programs.
  init(_ status: Int, _ why: String, code: String) {
    reply = .refusal(status, why, code: code)
  }
}

extension ServedReply {
  /// The reply with an entity tag, or a 304 where the client has it already (RFC 9110, section 13.1.2).
  fileprivate func revalidated(for request: ServedRequest) -> ServedReply {
    guard status == 200, request.method == "GET" || request.method == "HEAD", case .bytes(let bytes) = body else {
      return self
    }
    let tag = "\"\(String(stableHash(bytes), radix: 16))\""
    var reply = self
    reply.headers.append(("ETag", tag))
    if !headers.contains(where: { $0.name == "Cache-Control" }) { reply.headers.append(("Cache-Control", "no-cache")) }
    let known = (request.headers["if-none-match"] ?? "").split(separator: ",").map { entry in
      let entry = entry.drop { $0 == " " || $0 == "\t" }
      return entry.hasPrefix("W/") ? entry.dropFirst(2) : entry
    }
    guard known.contains(where: { $0.prefix { $0 != " " } == tag || $0 == "*" }) else { return reply }
    reply.status = 304
    reply.headers.removeAll { $0.name == "Content-Type" }
    reply.body = .bytes([])
    return reply
  }
}
