import Foundation
import Synchronization
import Testing

@testable import pages

@Suite(.timeLimit(.minutes(10))) struct WalkTests {
  private static let rows = ServedRows(count: 1000) { "{\"id\": \($0 + 1), \"title\": \"Row \($0 + 1)\"}" }
  private static let lines = (1...1000).map { "{\"id\":\($0),\"title\":\"Row \($0)\"}" }

  @Test(arguments: [
    ["/link?limit=30"], ["/next-url?limit=30"], ["/link?limit=30", "--convention", "link"],
    ["/next-url", "--convention", "next-url", "--page-size", "7", "--size-param", "limit"],
    ["/cursor?limit=64", "--convention", "cursor"], ["/page", "--convention", "page", "--page-size", "50"],
    ["/offset", "--convention", "offset", "--page-size", "5000"], ["/offset?limit=9", "--convention", "offset"],
    ["/page?per_page=100", "--convention", "page"],
    ["/cursor", "--convention", "cursor", "--next", "next_cursor", "--items", "items", "--id", "id"],
  ])
  func eachRowOfAListComesOnceAndInOrder(_ words: [String]) async throws {
    let server = try ListServer(Self.rows, cap: 100)
    let run = try await Tool.run(["walk", server.url(words[0])] + words.dropFirst())
    #expect(run.status == 0)
    #expect(run.lines == Self.lines)
    #expect(run.errors.isEmpty)
  }

  @Test func rowsArePrintedAsTheServerWroteThem() async throws {
    let server = try LoopbackServer { _ in
      .json(
        "[\n  {\"z\": 1.10, \"a\": 12345678901234567890, \"s\": \"\\u00e9 \\/ é\", \"id\": 1e2,\n \"o\": {\"b\": [ ]}} ]"
      )
    }
    let run = try await Tool.run(["walk", server.url("/")])
    #expect(
      run.output == "{\"z\":1.10,\"a\":12345678901234567890,\"s\":\"\\u00e9 \\/ é\",\"id\":1e2,\"o\":{\"b\":[]}}\n")
  }

  @Test func rowsThatComeAgainAreLeftOut() async throws {
    let server = try LoopbackServer { request in
      let page = request.number("page") ?? 1
      return .json(page > 3 ? "[]" : "[{\"id\": \(page)}, {\"id\": \(page + 1)}]")
    }
    let run = try await Tool.run(["walk", server.url("/"), "--convention", "page", "--verbose"])
    #expect(run.lines == (1...4).map { "{\"id\":\($0)}" })
    #expect(run.errors.contains("2 repeats left out"))
  }

  @Test func aFailureInMidWalkKeepsWhatWasPrintedAndSaysHowToGoOn() async throws {
    let isBroken = Mutex(true)
    let server = try LoopbackServer { request in
      let start = request.number("after") ?? 0
      if start == 500, isBroken.withLock({ $0 }) { return .refusal(500, "out of order") }
      let next = start + 100 < 1000 ? "\"/rows?after=\(start + 100)\"" : "null"
      return .json("{\"items\": \(Self.rows.array(start..<(start + 100))), \"next\": \(next)}")
    }
    let words = ["walk", server.url("/rows"), "--header", "Authorization: secret", "--max-items", "900"]
    let first = try await Tool.run(words)
    #expect(first.status == 1)
    #expect(first.lines == Array(Self.lines.prefix(500)))
    #expect(first.errors.contains("out of order"))
    #expect(!first.errors.contains("secret"))
    isBroken.withLock { $0 = false }
    let line = try #require(first.offeredLine)
    let second = try await Tool.shell(line)
    #expect(second.status == 0)
    #expect(first.lines + second.lines == Array(Self.lines.prefix(900)))
  }

  @Test func aFileGetsTheRestAtItsEnd() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let server = try ListServer(Self.rows)
    let first = try await Tool.run(
      ["walk", server.url("/link?limit=30"), "--max-pages", "10", "--output", file, "--verbose"])
    #expect(first.output.isEmpty)
    let second = try await Tool.shell(try #require(first.offeredLine))
    #expect(second.status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.lines.map { $0 + "\n" }.joined())
  }

  @Test func aLimitInTheMiddleOfAPageLosesNothingOnTheWayOn() async throws {
    let server = try ListServer(Self.rows)
    let first = try await Tool.run(["walk", server.url("/link?limit=30"), "--max-items", "100", "--verbose"])
    #expect(first.lines == Array(Self.lines.prefix(100)))
    let second = try await Tool.shell(try #require(first.offeredLine))
    #expect(second.lines == Array(Self.lines.dropFirst(90)))
  }

  @Test func anInterruptEndsAtAPageAndSaysHowToGoOn() async throws {
    // Page 4 is not answered before the program has ended.
    let hasEnded = DispatchSemaphore(value: 0)
    let server = try LoopbackServer { request in
      let start = request.number("after") ?? 0
      if start == 300 { hasEnded.wait() }
      let next = start + 100 < 1000 ? "\"/rows?after=\(start + 100)\"" : "null"
      return .json("{\"items\": \(Self.rows.array(start..<(start + 100))), \"next\": \(next)}")
    }
    let run = try await Tool.run(["walk", server.url("/rows")]) { pid, lines in
      if lines >= 300 { kill(pid, SIGINT) }
    }
    hasEnded.signal()
    #expect(run.status == 130)
    #expect(run.lines == Array(Self.lines.prefix(300)))
    hasEnded.signal()
    let rest = try await Tool.shell(try #require(run.offeredLine))
    #expect(run.lines + rest.lines == Self.lines)
  }

  @Test func aReaderThatLeavesEndsItQuietly() async throws {
    let server = try LoopbackServer { request in
      // Without end: only the reader's leaving stops it.
      let page = request.number("p") ?? 0
      return .json("{\"items\": \(Self.rows.array(0..<1000)), \"next\": \"/?p=\(page + 1)\"}")
    }
    let program = shellQuoted(try Tool.path)
    let run = try await Tool.shell("\(program) walk \(server.url("/")) --items items --id x | head -n 3; echo done")
    #expect(run.lines == Array(Self.lines.prefix(3)) + ["done"])
    #expect(run.errors.isEmpty)
  }

  @Test(arguments: ["/cursor?limit=40", "/link?limit=40", "/next-url?limit=40"])
  func whatTheFirstReplyTellsIsFollowedAndCanBeGoneOnFrom(_ target: String) async throws {
    let server = try ListServer(Self.rows)
    let whole = try await Tool.run(["walk", server.url(target)])
    #expect(whole.status == 0 && whole.errors.isEmpty)
    #expect(whole.lines == Self.lines)
    let first = try await Tool.run(["walk", server.url(target), "--max-pages", "3", "--verbose"])
    #expect(first.errors.contains("pages lead on by"))
    let rest = try await Tool.shell(try #require(first.offeredLine))
    #expect(rest.status == 0)
    #expect(first.lines + rest.lines == Self.lines)
  }

  @Test func anotherWayOnThanTheNamedOneIsTold() async throws {
    let server = try ListServer(Self.rows)
    let first = try await Tool.run(["walk", server.url("/cursor?limit=400"), "--convention", "link"])
    #expect(first.status == 1)
    #expect(first.errors.contains("next_cursor"))
    let whole = try await Tool.shell(try #require(first.offeredLine))
    #expect(whole.status == 0)
    #expect(whole.lines == Self.lines)
  }

  @Test func aWayOnThatNeedsAWordIsTold() async throws {
    let server = try LoopbackServer { _ in .json("{\"data\": [{\"id\": 1}], \"has_more\": true}") }
    let run = try await Tool.run(["walk", server.url("/")])
    #expect(run.status == 1)
    #expect(run.lines == ["{\"id\":1}"])
    #expect(run.errors.contains("starting_after") && run.errors.contains("--param"))
  }

  @Test func aServerThatDoesNotCountItsPagesIsNotAskedForEver() async throws {
    let server = try LoopbackServer { _ in .json("{\"items\": [{\"id\": 1}, {\"id\": 2}], \"page\": 1}") }
    let run = try await Tool.run(["walk", server.url("/")])
    #expect(run.status == 1)
    #expect(run.lines == ["{\"id\":1}", "{\"id\":2}"])
    #expect(run.errors.contains("the same page again"))
    #expect(server.requestCount == 2)
  }

  @Test func H6_headersStayWithTheirServer() async throws {
    let seen = Mutex<[String?]>([])
    let other = try LoopbackServer { request in
      seen.withLock { $0.append(request.headers["x-key"]) }
      return .json("{\"items\": [{\"id\": 2}]}")
    }
    let target = other.url("/rows")
    let server = try LoopbackServer { request in
      seen.withLock { $0.append(request.headers["x-key"]) }
      return request.path == "/moved"
        ? ServedReply(status: 302, headers: [("Location", target)], body: .bytes([]))
        : .json("{\"items\": [{\"id\": 1}], \"next\": \"\(target)\"}")
    }
    let linked = try await Tool.run(["walk", server.url("/linked"), "--header", "X-Key: secret"])
    #expect(linked.status == 1)
    #expect(linked.lines == ["{\"id\":1}"])
    #expect(!linked.errors.contains("secret"))
    #expect(seen.withLock { $0 } == ["secret"])
    _ = try await Tool.run(["walk", server.url("/moved"), "--header", "X-Key: secret"])
    #expect(seen.withLock { $0 } == ["secret", "secret", nil])
    let allowed = try await Tool.run(
      ["walk", server.url("/linked"), "--header", "X-Key: secret", "--allow-origin", other.url("")])
    #expect(allowed.status == 0)
    #expect(allowed.lines == ["{\"id\":1}", "{\"id\":2}"])
  }

  @Test func helpFitsAScreen() async throws {
    for words in [["--help"], ["help", "--help"]] + Commands.all.map({ [$0.table.name, "--help"] }) {
      let run = try await Tool.run(words)
      #expect(run.status == 0)
      #expect(run.lines.count <= 24)
      #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.lines.filter { $0.count > 80 })")
    }
  }
}
