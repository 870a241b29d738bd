import Foundation
import Testing

@testable import pages

/// A service that is asked without sockets, at a time that stands still unless it is moved.
struct ServeDesk {
  var service: ListService
  var now = Duration.zero

  /// A list of rows 1…count: each has an ID, a score that many share, and a title.
  init(_ count: Int, _ options: ListService.Options = .init(cap: 100)) {
    service = ListService(Self.rows(count), options)
  }

  static func rows(_ count: Int) -> ServedRows {
    ServedRows(count: count) { "{\"id\":\($0 + 1),\"score\":\($0 * 7 % 5),\"title\":\"Row \($0 + 1)\"}" }
  }

  mutating func send(
    _ target: String, _ method: String = "GET", headers: [String: String] = [:], body: String = ""
  ) -> ServedReply {
    guard
      let request = ServedRequest(method: method, target: target, headers: headers, body: Array(body.utf8))
    else { return .refusal(400, "unreadable") }
    return service.answer(request, at: now)
  }

  /// The reply's JSON.
  mutating func json(_ target: String, _ method: String = "GET", body: String = "") -> JSONSlice? {
    send(target, method, body: body).json
  }

  /// The IDs of the rows in a reply, at `items`.
  mutating func ids(_ target: String, at path: String = "items") -> [Int] {
    send(target).ids(at: path)
  }
}

extension ServedReply {
  var bytes: [UInt8] { if case .bytes(let bytes) = body { bytes } else { [] } }
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var json: JSONSlice? { try? JSONSlice(checking: bytes) }
  var code: String? { json?.member("code")?.string }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The IDs of rows, which may be edges or resources.
  func ids(at path: String) -> [Int] {
    guard let json, let list = JSONPath(path).value(in: json) else { return [] }
    return list.elements.compactMap { row in
      (row.member("node") ?? row.member("attributes") ?? row).member("id")?.integer
    }
  }

  /// The target that a Link header names.
  func link(_ relation: String) -> String? {
    header("Link")?.components(separatedBy: ", ").first { $0.hasSuffix("rel=\"\(relation)\"") }
      .map { String($0.dropFirst().prefix { $0 != ">" }) }
  }

  /// A text in the body.
  func text(at path: String) -> String? { json.flatMap { JSONPath(path).value(in: $0)?.scalarText } }
}

/// How a client goes through one style: where it begins, where the rows are, what leads on and back.
struct ServeWalk: Sendable, CustomTestStringConvertible {
  typealias Step = @Sendable (ServedReply, String) -> String?

  let first: String
  let rows: String
  let next: Step
  let previous: Step?
  /// Whether it counts rows from the start of the list.
  let isCounted: Bool

  var testDescription: String { first }

  private init(_ first: String, _ rows: String, isCounted: Bool = false, next: @escaping Step, previous: Step? = nil) {
    self.first = first
    self.rows = rows
    self.isCounted = isCounted
    self.next = next
    self.previous = previous
  }

  private static func setting(_ name: String, _ value: String?, in target: String) -> String? {
    value.flatMap { value in ServedRequest(target: target)?.target(setting: [name: value]) }
  }

  private static func member(_ path: String, as parameter: String, without others: String...) -> Step {
    { reply, target in
      let bare = others.reduce(target) { target, name in
        ServedRequest(target: target)?.target(setting: [name: nil]) ?? target
      }
      return setting(parameter, reply.text(at: path), in: bare)
    }
  }

  private static func local(_ url: String?) -> String? {
    url.map { $0.hasPrefix("http://127.0.0.1/") ? String($0.dropFirst(16)) : $0 }
  }

  static func all(size: Int = 7) -> [ServeWalk] {
    [
      ServeWalk("/offset?limit=\(size)", "items", isCounted: true) { reply, target in
        guard let at = Int(reply.text(at: "offset") ?? ""), let total = Int(reply.text(at: "total") ?? "") else {
          return nil
        }
        return at + size < total ? setting("offset", String(at + size), in: target) : nil
      } previous: { reply, target in
        let at = Int(reply.text(at: "offset") ?? "") ?? 0
        return at > 0 ? setting("offset", String(max(0, at - size)), in: target) : nil
      },
      ServeWalk("/page?per_page=\(size)", "items", isCounted: true) { reply, target in
        guard let page = Int(reply.text(at: "page") ?? ""), let pages = Int(reply.text(at: "pages") ?? "") else {
          return nil
        }
        return page < pages ? setting("page", String(page + 1), in: target) : nil
      } previous: { reply, target in
        let page = Int(reply.text(at: "page") ?? "") ?? 1
        return page > 1 ? setting("page", String(page - 1), in: target) : nil
      },
      ServeWalk("/jsonapi?page[size]=\(size)", "data", isCounted: true) { reply, _ in
        local(reply.text(at: "links.next"))
      } previous: { reply, _ in
        local(reply.text(at: "links.prev"))
      },
      ServeWalk(
        "/cursor?limit=\(size)", "items", next: member("next_cursor", as: "cursor"),
        previous: member("previous_cursor", as: "cursor")),
      ServeWalk("/keyset?limit=\(size)", "items") { reply, target in
        guard reply.json?.member("has_more")?.isTrue == true else { return nil }
        return ServedRequest(target: target)?.target(
          setting: ["before": nil, "after": reply.ids(at: "items").last.map(String.init)])
      } previous: { reply, target in
        guard target.contains("after=") || reply.json?.member("has_more")?.isTrue == true else { return nil }
        return reply.ids(at: "items").first.flatMap { id in
          ServedRequest(target: target)?.target(setting: ["after": nil, "before": String(id)])
        }
      },
      ServeWalk("/next-url?limit=\(size)", "items") { reply, _ in
        reply.text(at: "next_url")
      } previous: { reply, _ in
        reply.text(at: "previous_url")
      },
      ServeWalk("/link?limit=\(size)", ".") { reply, _ in
        reply.link("next")
      } previous: { reply, _ in
        reply.link("prev")
      },
      ServeWalk("/next-page?limit=\(size)", "data") { reply, _ in local(reply.header("Next-Page")) },
      ServeWalk("/odata?$top=\(size)", "value") { reply, _ in
        reply.json?.member("@odata.nextLink").flatMap { local($0.string) }
      },
      ServeWalk("/aws?MaxResults=\(size)", "Items", next: member("NextToken", as: "NextToken")),
      ServeWalk("/graphql?first=\(size)", "data.items.edges") { reply, target in
        guard let json = reply.json, JSONPath("data.items.pageInfo.hasNextPage").value(in: json)?.isTrue == true else {
          return nil
        }
        return setting("after", reply.text(at: "data.items.pageInfo.endCursor"), in: target)
      } previous: { reply, target in
        guard let json = reply.json, JSONPath("data.items.pageInfo.hasPreviousPage").value(in: json)?.isTrue == true,
          let start = reply.text(at: "data.items.pageInfo.startCursor")
        else { return nil }
        return "/graphql?last=\(size)&before=\(start)"
      },
      ServeWalk(
        "/window?limit=\(size)", "items", next: member("next", as: "next", without: "previous"),
        previous: member("previous", as: "previous", without: "next")),
      ServeWalk("/expiring?limit=\(size)", "items", next: member("next_cursor", as: "cursor")),
      ServeWalk("/ranked?limit=\(size)", "items") { reply, _ in reply.text(at: "next_url") },
      ServeWalk("/ids?limit=\(size)", "ids", next: member("next", as: "cursor")),
    ]
  }

  /// The rows of a reply.
  func ids(_ reply: ServedReply) -> [Int] {
    guard rows == "ids" else { return reply.ids(at: rows) }
    return reply.json?.member("ids")?.elements.compactMap(\.integer) ?? []
  }

  /// Walks to the end; `between` is called after each page, with all that came so far.
  ///
  /// - Returns: The pages' rows, and the target and reply of the last.
  func run(
    _ desk: inout ServeDesk, between: (inout ServeDesk, [Int]) -> Void = { _, _ in }
  ) -> (pages: [[Int]], target: String, last: ServedReply) {
    walk(&desk, from: first, next, between)
  }

  /// Walks back from a page, which is not counted.
  func back(_ desk: inout ServeDesk, from target: String, _ reply: ServedReply) -> [[Int]] {
    guard let previous, let start = previous(reply, target) else { return [] }
    return walk(&desk, from: start, previous) { _, _ in }.pages
  }

  private func walk(
    _ desk: inout ServeDesk, from first: String, _ step: Step, _ between: (inout ServeDesk, [Int]) -> Void
  ) -> (pages: [[Int]], target: String, last: ServedReply) {
    var pages: [[Int]] = []
    var target = first
    while true {
      let reply = desk.send(target)
      pages.append(ids(reply))
      guard reply.status == 200, pages.count < 1000, let next = step(reply, target) else {
        return (pages, target, reply)
      }
      between(&desk, pages.flatMap { $0 })
      target = next
    }
  }
}
