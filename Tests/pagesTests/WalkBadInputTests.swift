import Foundation
import Testing

@testable import pages

/// The program against whatever may come from a user or a server: a clear word, the right exit code, and never a trap.
@Suite(.timeLimit(.minutes(10))) struct WalkBadInputTests {
  @Test(arguments: [
    ["walk"], ["walk", "not a url"], ["walk", "example.com/rows"], ["walk", "file:///etc/passwd"],
    ["walk", "ftp://host/x"],
    ["walk", "http://"], ["walk", "http:///path"], ["walk", "http://u:secret@h/"], ["walk", ""],
    ["walk", "http://h/", "--page-size", "7"], ["walk", "http://h/", "--page-size", "0", "--convention", "page"],
    ["walk", "http://h/", "--convention", "guess"], ["walk", "http://h/", "--header", "secret"],
    ["walk", "http://h/", "--header", "A: secret\r\nB: x"], ["walk", "http://h/", "--max-items", "-1"],
    ["walk", "http://h/", "http://h/"], ["walk", "http://h/", "--nonsense"], ["wlak"], [],
  ])
  func badUsageExitsWith2AndALineThatWouldWork(_ words: [String]) async throws {
    let run = try await Tool.run(words)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(!run.errors.contains("secret"))
    #expect(run.errors.contains("This would work:\n  pages "))
  }

  @Test func aSchemeThatWasForgottenIsAdded() async throws {
    let run = try await Tool.run(["walk", "localhost:1/rows?a=b"])
    #expect(run.offeredLine == "pages walk 'http://localhost:1/rows?a=b'")
    #expect(try await Tool.run(["walk", "127.0.0.1:1/rows"]).offeredLine == "pages walk http://127.0.0.1:1/rows")
  }

  @Test func theLineThatWouldWorkIsOfTheListThatWasMeant() async throws {
    let resumed = try await Tool.run(["walk", "http://127.0.0.1:1/a?b=c", "--resume"])
    #expect(resumed.offeredLine == "pages walk 'http://127.0.0.1:1/a?b=c' --output rows.ndjson --resume")
    let sized = try await Tool.run(["walk", "http://127.0.0.1:1/", "--max-items", "many"])
    #expect(sized.offeredLine == "pages walk http://127.0.0.1:1/ --max-items 100")
    let mistyped = try await Tool.run(["wlak", "http://127.0.0.1:1/"])
    #expect(mistyped.errors.contains("Did you mean walk?") && mistyped.offeredLine == "pages walk --help")
  }

  /// One fault on the first page.
  private func fails(_ reply: ServedReply, saying words: String...) async throws {
    let server = try LoopbackServer { _ in reply }
    let run = try await Tool.run(["walk", server.url("/list/rows?token=hidden")])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
    #expect(run.errors.utf8.count < 1500)
    #expect(!run.errors.dropLast().unicodeScalars.contains { steersTerminal($0) && $0 != "\n" })
  }

  @Test func aServerThatIsDownIsNamed() async throws {
    let server = try LoopbackServer { _ in .json("[]") }
    let url = server.url("/rows")
    server.stop()
    let run = try await Tool.run(["walk", url])
    #expect(run.status == 1)
    #expect(run.errors.contains("refused"))
    #expect(try await Tool.run(["walk", "http://127.0.0.1:99999/"]).status != 0)
  }

  @Test func statusAndServersWordsAreShown() async throws {
    try await fails(.refusal(404, "no such table"), saying: "404", "/list/rows", "no such table")
    try await fails(.refusal(500, "oops\u{1B}[2J"), saying: "500", "oops")
    try await fails(
      ServedReply(
        status: 502, headers: [("Content-Type", "text/html")], body: .bytes(Array("<html><h1>Bad Gateway</h1>".utf8))),
      saying: "502", "Bad Gateway")
    try await fails(.refusal(503, String(repeating: "x", count: 100_000)), saying: "503")
  }

  @Test func H9_whatIsNotJSONIsToldByItsFirstBytes() async throws {
    try await fails(.json("<!DOCTYPE html><title>Sign in</title>"), saying: "/list/rows", "<!DOCTYPE html>")
    try await fails(.json("[{\"id\": 1}, {\"id\":"), saying: "breaks off")
    try await fails(.json(""), saying: "no body")
    try await fails(.json("{}"), saying: "no list")
    try await fails(.json("7"), saying: "no list")
    try await fails(.json("{\"a\": [{}], \"b\": [{}]}"), saying: "several lists: a, b", "--items")
    try await fails(.json("{\"errors\": [{\"message\": \"not you\"}], \"data\": null}"), saying: "not you")
    try await fails(.json(String(repeating: "[", count: 100_000)), saying: "/list/rows")
    try await fails(ServedReply(body: .bytes([0x5B, 0x22, 0xFF, 0x22, 0x5D])), saying: "/list/rows")
    try await fails(ServedReply(body: .bytes([0x00, 0x1B, 0x5B, 0x32, 0x4A])), saying: "/list/rows")
  }

  @Test func H2_aBodyWithoutEndIsCutOff() async throws {
    try await fails(ServedReply(body: .filler(UInt8(ascii: " "), announced: 1 << 30, sent: 1 << 30)), saying: "MB")
  }

  @Test func aBodyThatBreaksOffIsAFailure() async throws {
    try await fails(ServedReply(body: .filler(UInt8(ascii: " "), announced: 1 << 20, sent: 1 << 19)))
  }

  @Test func H3_redirectsThatGoRoundEnd() async throws {
    try await fails(
      ServedReply(status: 302, headers: [("Location", "/list/rows")], body: .bytes([])), saying: "redirect")
  }

  @Test func P4_pagesThatGoRoundEnd() async throws {
    let server = try LoopbackServer { request in
      let page = request.number("p") ?? 0
      return .json("{\"items\": [{\"id\": \(page)}], \"next_url\": \"/?p=\(page % 5 + 1)\"}")
    }
    let run = try await Tool.run(["walk", server.url("/")])
    #expect(run.status == 1)
    #expect(run.lines.sorted() == (0...5).map { "{\"id\":\($0)}" })
    #expect(run.errors.contains("go round"))
    #expect(server.requestCount < 40)
  }

  @Test func P4_emptyPagesWithoutEndEnd() async throws {
    let server = try LoopbackServer { request in
      .json("{\"items\": [], \"next_url\": \"/?p=\((request.number("p") ?? 0) + 1)\"}")
    }
    let run = try await Tool.run(["walk", server.url("/")])
    #expect(run.status == 1)
    #expect(run.errors.contains("empty"))
    #expect(server.requestCount < 100)
    #expect(run.offeredLine?.contains("--from") == true)
  }

  @Test func rowsThatCannotBeWrittenAreAFailure() async throws {
    let server = try LoopbackServer { _ in .json("[{\"id\": 1}]") }
    let run = try await Tool.run(["walk", server.url("/"), "--output", "/nowhere/rows.ndjson"])
    #expect(run.status == 1)
    #expect(run.errors.contains("/nowhere/rows.ndjson"))
    if FileManager.default.fileExists(atPath: "/dev/full") {
      let full = try await Tool.run(["walk", server.url("/"), "--output", "/dev/full"])
      #expect(full.status == 1)
      #expect(full.errors.contains("written"))
    }
  }
}
