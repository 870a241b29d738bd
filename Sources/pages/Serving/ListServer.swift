/// Serves one list on loopback, by each convention under a path of its own.
///
/// | path | parameters | the reply |
/// |---|---|---|
/// | `/offset` | `offset`, `limit` | `{"total", "items"}` |
/// | `/page` | `page` from 1, `per_page` | the bare array |
/// | `/cursor` | `cursor`, `limit` | `{"items", "next_cursor"}` |
/// | `/next-url` | `after`, `limit` | `{"items", "next_url"}` |
/// | `/link` | `after`, `limit` | the bare array, with `Link` headers for `next` and `prev` |
struct ListServer: Sendable {
  /// What becomes of a page size above the cap.
  enum AboveCap: Sendable {
    /// As many rows as the cap allows, and no word about it.
    case lowered
    /// A 400.
    case refused
  }

  /// The rows that it serves.
  let rows: ServedRows
  private let server: LoopbackServer

  /// Serves `rows`, at most `cap` in a page and `defaultSize` where none is asked for.
  init(
    _ rows: ServedRows, defaultSize: Int = 30, cap: Int = 1000, aboveCap: AboveCap = .lowered
  ) throws(LoopbackServer.StartFailure) {
    self.rows = rows
    server = try LoopbackServer { request in
      let asked = request.number("limit") ?? request.number("per_page") ?? min(defaultSize, cap)
      if asked > cap, aboveCap == .refused { return .refusal(400, "a page has at most \(cap) rows") }
      guard asked > 0 else { return .refusal(400, "a page has at least one row") }
      return Self.reply(to: request, from: rows, size: min(asked, cap))
    }
  }

  /// How many requests came so far.
  var requestCount: Int { server.requestCount }

  /// The address of `path`, which names the convention.
  func url(_ path: String) -> String { server.url(path) }

  /// Stops serving.
  func stop() { server.stop() }

  private static func reply(to request: ServedRequest, from rows: ServedRows, size: Int) -> ServedReply {
    switch request.path {
    case "/offset":
      guard let page = page(at: request.number("offset") ?? 0, size, rows) else { return outOfRange }
      return .json("{\"total\": \(rows.count), \"items\": \(rows.array(page))}")
    case "/page":
      let number = request.number("page") ?? 1
      let (start, overflows) = (number - 1).multipliedReportingOverflow(by: size)
      guard number >= 1, !overflows, let page = page(at: start, size, rows) else { return outOfRange }
      return .json(rows.array(page))
    case "/cursor":
      // A letter before the place makes sure that nobody can mistake the cursor for an offset.
      let start = request.query["cursor"].map { $0.hasPrefix("c") ? Int($0.dropFirst()) ?? -1 : -1 } ?? 0
      guard let page = page(at: start, size, rows) else { return .refusal(400, "no such cursor") }
      let next = page.upperBound < rows.count ? "\"c\(page.upperBound)\"" : "null"
      return .json("{\"items\": \(rows.array(page)), \"next_cursor\": \(next)}")
    case "/next-url":
      guard let page = page(at: request.number("after") ?? 0, size, rows) else { return outOfRange }
      let next = page.upperBound < rows.count ? "\"/next-url?after=\(page.upperBound)&limit=\(size)\"" : "null"
      return .json("{\"items\": \(rows.array(page)), \"next_url\": \(next)}")
    case "/link":
      guard let page = page(at: request.number("after") ?? 0, size, rows) else { return outOfRange }
      var reply = ServedReply.json(rows.array(page))
      var links: [String] = []
      if page.upperBound < rows.count { links.append("</link?after=\(page.upperBound)&limit=\(size)>; rel=\"next\"") }
      if page.lowerBound > 0 {
        links.append("</link?after=\(max(0, page.lowerBound - size))&limit=\(size)>; rel=\"prev\"")
      }
      if !links.isEmpty { reply.headers.append(("Link", links.joined(separator: ", "))) }
      return reply
    default: return .refusal(404, "nothing here")
    }
  }

  private static let outOfRange = ServedReply.refusal(400, "no such page")

  private static func page(at start: Int, _ size: Int, _ rows: ServedRows) -> Range<Int>? {
    guard start >= 0 else { return nil }
    let lower = min(start, rows.count)
    return lower..<min(rows.count, lower + size)
  }
}
