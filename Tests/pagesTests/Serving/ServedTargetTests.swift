import Foundation
import Loading
import Testing

@testable import pages

/// Requests as they are written, taken apart; and whatever may be written, which never ends the program.
@Suite struct ServedTargetTests {
  @Test func targetsAreTakenApart() throws {
    let request = try #require(
      ServedRequest(method: "get", target: "/rows/a%2Fb%20c?x=1&y=a+b%2B&x=2&&z&=v&e=%C3%A9#part"))
    #expect(request.method == "GET")
    #expect(request.segments == ["rows", "a/b c"])
    #expect(request.path == "/rows/a/b c")
    #expect(request.parameters.map(\.name) == ["x", "y", "x", "z", "", "e"])
    #expect(request.parameters.map(\.value) == ["1", "a b+", "2", "", "v", "é"])
    #expect(request.query["x"] == "1")
    #expect(try #require(ServedRequest(target: "http://127.0.0.1:80/a?b=c")).path == "/a")
    #expect(try #require(ServedRequest(target: "HTTP://h")).segments.isEmpty)
    #expect(try #require(ServedRequest(target: "/")).segments.isEmpty)
    #expect(try #require(ServedRequest(target: "/a//b/")).segments == ["a", "", "b", ""])
  }

  @Test(arguments: [
    "*", "a", "%", "/%", "/%4", "/%zz", "/?%", "/?a=%f", "/%FF", "/?a=%C3%28", "/?a=%00%",
    "/?" + String(repeating: "a&", count: 201),
  ])
  func whatCannotBeReadIsNil(_ target: String) {
    #expect(ServedRequest(target: target) == nil)
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let name = "a&b=c d+e%/?#é\u{0}\n"
    let request = try #require(ServedRequest(target: "/x%2Fy?keep=1&drop=2&limit=3"))
    let target = request.target(setting: ["drop": nil, "limit": "9", name: name])
    let again = try #require(ServedRequest(target: target))
    #expect(again.segments == ["x/y"])
    #expect(again.query == ["keep": "1", "limit": "9", name: name])
  }

  @Test func noRequestEndsTheProgram() throws {
    var chance = SeededGenerator(seed: 3)
    var desk = ServeDesk(40)
    let words =
      ServedStyle.all.map { String($0.path.dropFirst()) } + [
        "_insert", "_rows", "_faults", "_reset", "_state", "limit", "per_page", "cursor", "after", "before", "since_id",
        "min_id", "page[number]", "page[size]", "$skip", "$top", "first", "last", "session", "offset", "sort", "-score",
        "around", "reader", "exclude", "ids", "1", "7", "-1", "0", "99999999999999999999", "9223372036854775807", "a",
        "top", "count", "at", "match", "ids", "x.png",
      ]
    let rounds = ProcessInfo.processInfo.environment["FUZZ"].flatMap { Int($0) } ?? 1500
    var statuses: [Int: Int] = [:]
    for _ in 0..<rounds {
      var target = ""
      for _ in 0..<Int.random(in: 0...9, using: &chance) {
        target +=
          Bool.random(using: &chance)
          ? ["/", "?", "&", "=", "=", "%", "+", "#"].randomElement(using: &chance) ?? "" : ""
        target += ServedTarget.escaped(words.randomElement(using: &chance) ?? "")
      }
      if Bool.random(using: &chance) { target = "/" + target.replacing("/", with: "").replacing("%2F", with: "/") }
      let method = ["GET", "GET", "GET", "POST", "DELETE", "HEAD", "X"].randomElement(using: &chance) ?? "GET"
      let bodies = [
        "", "", "{", "{\"id\":7}", "[]", "null", "{\"first\":1e9}", "{\"variables\":{\"first\":-3}}", "all:html",
      ]
      let reply = desk.send(target, method, body: bodies.randomElement(using: &chance) ?? "")
      statuses[reply.status, default: 0] += 1
      if reply.header("Content-Type") == "application/json", desk.service.options.faults.isEmpty {
        #expect(reply.json != nil, "\(method) \(target)")
      }
      if desk.service.list.count < 10 { _ = desk.send("/_reset", "POST") }
    }
    #expect((statuses[200] ?? 0) > 20)
    #expect((statuses[400] ?? 0) > 20)
    #expect(
      statuses.keys.allSatisfy { [200, 201, 304, 400, 403, 404, 405, 409, 410, 507].contains($0) }, "\(statuses)")
  }
}
