import Testing

@testable import pages

/// What goes wrong as planned, and what is sent again only when it changed.
@Suite struct ServeFaultTests {
  @Test(arguments: [
    ("3:500", 3...3, 1), ("2-4:cut", 2...4, 1), ("every 5:503:2", 5...Int.max, 5), ("all:close", 1...Int.max, 1),
    (" every  2 : slow : 1.5s", 2...Int.max, 2), ("1:429", 1...1, 1),
  ])
  func plansAreRead(_ text: String, _ requests: ClosedRange<Int>, _ step: Int) throws {
    let fault = try #require(ServedFault(text))
    #expect(fault.requests == requests)
    #expect(fault.step == step)
  }

  @Test(arguments: [
    "", "3", "3:", ":500", "0:500", "4-2:cut", "-1:cut", "every:cut", "every 0:cut", "every x:cut", "3:200", "3:600",
    "3:slow", "3:slow:5", "3:slow:2d", "3:cut:1", "3:500:x", "3:500:1:2", "1-2-3:cut", "3:nonsense", "every 2 3:cut",
    "99999999999999999999:cut", "3:slow:-1s", "3:slow:999h",
  ])
  func nonsenseIsNoPlan(_ text: String) {
    #expect(ServedFault(text) == nil)
  }

  private func planned(_ what: String) -> (good: ServedReply, bad: ServedReply, after: ServedReply) {
    var desk = ServeDesk(30)
    _ = desk.send("/_faults", "POST", body: "2:" + what)
    let good = desk.send("/cursor?limit=3")
    _ = desk.send("/_state")
    _ = desk.send("/")
    return (good, desk.send("/cursor?limit=4"), desk.send("/cursor?limit=4"))
  }

  @Test func eachFaultIsWhatItsNameSaysAndHitsItsRequestOnly() throws {
    let whole = planned("slow:2s").after
    #expect(whole.status == 200)
    #expect(planned("500").bad.status == 500)
    #expect(planned("429").bad.header("Retry-After") == "1")
    #expect(planned("503:7").bad.header("Retry-After") == "7")
    #expect(planned("404").bad.header("Retry-After") == nil)
    let slow = planned("slow:2s").bad
    #expect(slow.delay == .seconds(2))
    #expect(slow.text == whole.text)
    guard case .broken(let bytes, let sent) = planned("cut").bad.body else {
      Issue.record("not cut")
      return
    }
    #expect(bytes == whole.bytes)
    #expect(sent == bytes.count / 2)
    if case .nothing = planned("close").bad.body {} else { Issue.record("not closed") }
    #expect(planned("truncated").bad.bytes == Array(whole.bytes.prefix(whole.bytes.count / 2)))
    #expect(planned("empty").bad.bytes.isEmpty)
    #expect(planned("html").bad.header("Content-Type") == "text/html")
    #expect(planned("html").bad.text.hasPrefix("<!DOCTYPE html>"))
    #expect(planned("type").bad.header("Content-Type") == "text/html")
    #expect(planned("type").bad.text == whole.text)
    #expect(planned("null").bad.text == "null")
    #expect(String(validating: planned("utf8").bad.bytes, as: UTF8.self) == nil)
    let again = planned("again")
    #expect(again.bad.text == again.good.text)
    for what in ["500", "cut", "close", "truncated", "empty", "html", "type", "null", "utf8", "again"] {
      #expect(planned(what).after.text == whole.text, "\(what)")
      if what != "again" { #expect(planned(what).bad.header("ETag") == nil, "\(what)") }
    }
  }

  @Test func latencyIsBetweenItsBoundsAndTheSameInEveryRun() {
    func delays() -> [Duration] {
      var desk = ServeDesk(5, .init(latency: .milliseconds(100) ... .milliseconds(300)))
      #expect(desk.send("/_state").delay == .zero)
      return (0..<50).map { _ in desk.send("/cursor").delay }
    }
    let first = delays()
    #expect(first.allSatisfy { $0 >= .milliseconds(100) && $0 <= .milliseconds(300) })
    #expect(Set(first).count > 10)
    #expect(first == delays())
  }

  @Test(arguments: [
    ("200ms", 200), ("1.5s", 1500), ("2m", 120_000), ("24h", 86_400_000), ("0s", 0),
  ])
  func timesAreRead(_ text: String, _ milliseconds: Int) {
    #expect(TimeSpan.read(text) == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "5", "ms", "s", "-1s", "1 s", "1e3s", "25h", "1..2s", "inf s", "٣s", "9999999999999999999999s"])
  func nonsenseIsNoTime(_ text: String) {
    #expect(TimeSpan.read(text) == nil)
    #expect(TimeSpan.readRange(text) == nil)
  }

  @Test func rangesOfTimesAreRead() {
    #expect(TimeSpan.readRange("1s") == .seconds(1) ... .seconds(1))
    #expect(TimeSpan.readRange("100ms-2s") == .milliseconds(100) ... .seconds(2))
    #expect(TimeSpan.readRange("2s-1s") == nil)
    #expect(TimeSpan.readRange("1s-2s-3s") == nil)
  }

  @Test func whatDidNotChangeIsNotSentAgain() throws {
    var desk = ServeDesk(30)
    let first = desk.send("/link?limit=5")
    let tag = try #require(first.header("ETag"))
    #expect(first.header("Cache-Control") == "no-cache")
    for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      let again = desk.send("/link?limit=5", headers: ["if-none-match": known])
      #expect(again.status == 304, "\(known)")
      #expect(again.bytes.isEmpty)
      #expect(again.header("ETag") == tag)
      #expect(again.header("Link") == first.header("Link"))
    }
    for known in ["\"other\"", "", tag.replacing("\"", with: "")] {
      #expect(desk.send("/link?limit=5", headers: ["if-none-match": known]).status == 200, "\(known)")
    }
    _ = desk.send("/_rows/3", "DELETE")
    #expect(desk.send("/link?limit=5", headers: ["if-none-match": tag]).status == 200)
    let picture = desk.send("/images/3.png")
    #expect(picture.header("Cache-Control") == "max-age=3600")
    #expect(desk.send("/images/3.png", headers: ["if-none-match": picture.header("ETag") ?? ""]).status == 304)
  }
}
