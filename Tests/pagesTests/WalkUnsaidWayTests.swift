import Foundation
import PagingHTTP
import Testing

@testable import pages

/// Lists whose way on is said in part, under a rare name, or not at all: none of them may pass for whole.
@Suite(.timeLimit(.minutes(10))) struct WalkUnsaidWayTests {
  private static let count = 137
  private static let lines = (1...count).map { "{\"id\":\($0)}" }
  private static let note = "came in one reply that names no next page"

  /// Rows behind `start`, and what a page says beside them: `start` of the next page is nil on the last one.
  private static func page(_ start: Int, size: Int = 20, _ rest: (_ next: Int?) -> String) -> ServedReply {
    let end = min(start + size, count)
    let rows = (start..<max(start, end)).map { "{\"id\": \($0 + 1)}" }.joined(separator: ", ")
    return .json("{\"data\": [\(rows)]\(rest(end < count ? end : nil))}")
  }

  /// A server of such cursors as `c20`, which go back as `after`, at `meta.` and a name.
  private func cursors(_ name: String = "cursor") throws -> LoopbackServer {
    try LoopbackServer { request in
      let start = request.query["after"].flatMap { Int($0.dropFirst()) } ?? 0
      return Self.page(start, size: request.number("limit") ?? 20) { next in
        ", \"meta\": {\"\(name)\": \(next.map { "\"c\($0)\"" } ?? "null")}"
      }
    }
  }

  @Test(arguments: [
    ["--next", "meta.where", "--param", "after"], ["--next", "meta.where", "--param", "after", "--convention", "auto"],
    ["--next", "meta.where"], ["--next", "/meta/where", "--convention", "cursor", "--param", "after"],
  ])
  func whatIsNamedNeedsNoConvention(_ words: [String]) async throws {
    let server = try cursors("where")
    let run = try await Tool.run(["walk", server.url("/items")] + words)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.lines == Self.lines)
    let part = try await Tool.run(["walk", server.url("/items"), "--max-pages", "3", "--verbose"] + words)
    let rest = try await Tool.shell(try #require(part.offeredLine))
    #expect(rest.status == 0 && part.lines + rest.lines == Self.lines, "\(rest.errors)")
  }

  @Test func aURLThatIsNamedIsFollowed() async throws {
    let server = try LoopbackServer { request in
      Self.page(request.number("from") ?? 0) { next in
        ", \"way\": {\"on\": \(next.map { "\"/items?from=\($0)\"" } ?? "null")}"
      }
    }
    let run = try await Tool.run(["walk", server.url("/items"), "--next", "way.on"])
    #expect(run.status == 0 && run.lines == Self.lines, "\(run.errors)")
    let wrong = try await Tool.run(["walk", server.url("/items"), "--next", "way.off"])
    #expect(wrong.lines.count == 20 && wrong.errors.contains("no member that leads to a next page"))
  }

  @Test(arguments: [
    ["--convention", "page", "--next", "a"], ["--convention", "link", "--param", "a"],
    ["--convention", "next-url", "--param", "a"], ["--query", "query($after: String) { a }", "--next", "a"],
    ["--query", "query($after: String) { a }", "--param", "a"],
  ])
  func whatMakesNoSenseTogetherIsBadUsage(_ words: [String]) async throws {
    let run = try await Tool.run(["walk", "http://127.0.0.1:9/x"] + words)
    #expect(run.status == 2 && run.errors.contains("This would work:\n  pages walk "), "\(run.errors)")
  }

  @Test(arguments: ["cursor", "after", "nextCursor", "end_cursor"])
  func aCursorOneLevelDownIsFoundAndSoIsItsParameter(_ name: String) async throws {
    let server = try cursors(name)
    let run = try await Tool.run(["walk", server.url("/items?limit=20")])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.lines == Self.lines)
    let part = try await Tool.run(["walk", server.url("/items?limit=20"), "--max-pages", "3", "--verbose"])
    let rest = try await Tool.shell(try #require(part.offeredLine))
    #expect(rest.status == 0 && part.lines + rest.lines == Self.lines, "\(rest.errors)")
  }

  @Test func aCursorOfTheLastRowEndsWhereTheReplySaysSo() async throws {
    let server = try LoopbackServer { request in
      Self.page(request.query["after"].flatMap { Int($0.dropFirst()) } ?? 0) { next in
        ", \"page_info\": {\"end_cursor\": \"c\(next ?? Self.count)\", \"has_next_page\": \(next != nil)}"
      }
    }
    let run = try await Tool.run(["walk", server.url("/items")])
    #expect(run.status == 0 && run.errors.isEmpty && run.lines == Self.lines, "\(run.errors)")
    #expect(server.requestCount == 7)
  }

  @Test func aCursorThatStandsOnPagesWithoutRowsIsTheEnd() async throws {
    let server = try LoopbackServer { request in
      let start = request.query["cursor"].flatMap { Int($0.dropFirst()) } ?? 0
      return Self.page(start) { next in ", \"meta\": {\"cursor\": \"c\(next ?? Self.count)\"}" }
    }
    let run = try await Tool.run(["walk", server.url("/items")])
    #expect(run.status == 0 && run.errors.isEmpty && run.lines == Self.lines, "\(run.errors)")
    #expect(server.requestCount == 8)
  }

  @Test func aParameterThatGivesNoRowsOrTheSameOnesIsNotTaken() async throws {
    let server = try LoopbackServer { request in
      if request.query["after"] != nil { return .json("{\"data\": []}") }
      if request.query["next_cursor"] != nil { return .json("{\"data\": [{\"id\": 2}, {\"id\": 1}]}") }
      return .json("{\"data\": [{\"id\": 1}, {\"id\": 2}], \"meta\": {\"cursor\": \"c2\"}}")
    }
    let run = try await Tool.run(["walk", server.url("/items")])
    #expect(run.status == 1 && run.lines.count == 2 && run.errors.contains("--param"), "\(run.errors)")
  }

  @Test func aParameterThatNobodyKnowsIsAskedFor() async throws {
    let server = try LoopbackServer { _ in Self.page(0) { _ in ", \"meta\": {\"cursor\": \"c20\"}" } }
    let run = try await Tool.run(["walk", server.url("/items")])
    #expect(run.status == 1 && run.lines.count == 20)
    #expect(run.errors.contains("the same page again") && run.errors.contains("--param"), "\(run.errors)")
    #expect(server.requestCount < 12)
  }

  @Test(arguments: [
    ", \"has_more\": true", ", \"hasMore\": true", ", \"more\": true", ", \"meta\": {\"has_next_page\": true}",
    ", \"pagination\": {\"hasNext\": true}", ", \"nextPage\": 2", ", \"total\": 137", ", \"meta\": {\"total\": 137}",
  ])
  func aReplyThatSaysMoreIsNotTheWholeList(_ rest: String) async throws {
    let server = try LoopbackServer { _ in .json("{\"data\": [{\"sku\": 1}, {\"sku\": 2}]\(rest)}") }
    let url = server.url("/items")
    for words in [[], ["--convention", "cursor"]] {
      let run = try await Tool.run(["walk", url] + words)
      #expect(run.status == 1 && run.lines.count == 2)
      #expect(run.errors.contains("this may not be all:") && run.errors.contains("--convention"), "\(run.errors)")
      #expect(run.errors.contains("pages probe \(url)"))
      #expect(!run.errors.contains(Self.note))
    }
  }

  @Test(arguments: ["", ", \"has_more\": false", ", \"total\": 2", ", \"nextPage\": null"])
  func oneReplyThatSaysNothingIsToldAsThat(_ rest: String) async throws {
    let server = try LoopbackServer { _ in .json("{\"data\": [{\"id\": 1}, {\"id\": 2}]\(rest)}") }
    let run = try await Tool.run(["walk", server.url("/items")])
    #expect(run.status == 0 && run.lines.count == 2)
    #expect(run.errors.hasPrefix("pages: 2 rows \(Self.note);") && run.errors.contains("--convention"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1)
    let empty = try LoopbackServer { _ in .json("[]") }
    #expect(try await Tool.run(["walk", empty.url("/items")]).errors.isEmpty)
  }

  @Test func theLastPageAloneMayBeLessThanTheTotal() async throws {
    let server = try LoopbackServer { request in
      Self.page(request.query["cursor"].flatMap { Int($0) } ?? 0) { next in
        next.map { ", \"next_cursor\": \"\($0)\", \"total\": 137" } ?? ", \"total\": 137"
      }
    }
    let from = server.url("/items?cursor=120")
    let last = try await Tool.run(["walk", server.url("/items"), "--from", from])
    #expect(last.status == 0 && last.lines.count == 17 && last.errors.isEmpty, "\(last.errors)")
    let run = try await Tool.run(["walk", server.url("/items")])
    #expect(run.status == 0 && run.lines == Self.lines && run.errors.isEmpty, "\(run.errors)")
  }

  @Test func aKeysetIsWalkedByItsFlagAndIDs() async throws {
    let rows = ServedRows(count: Self.count) { "{\"id\": \($0 + 1)}" }
    let server = try ListServer(rows)
    let run = try await Tool.run(["walk", server.url("/keyset")])
    #expect(run.status == 0 && run.errors.isEmpty && run.lines == Self.lines, "\(run.errors)")
    let bySize = try LoopbackServer { request in
      Self.page(request.number("after") ?? 0) { ", \"has_more\": \($0 != nil)" }
    }
    let walked = try await Tool.run(["walk", bySize.url("/items"), "--max-pages", "2", "--verbose"])
    let rest = try await Tool.shell(try #require(walked.offeredLine))
    #expect(rest.status == 0 && walked.lines + rest.lines == Self.lines, "\(rest.errors)")
  }

  // MARK: - Probe

  @Test func aProbeNamesPagingThatItCannotName() async throws {
    let capped = try LoopbackServer { request in Self.page(0, size: min(30, request.number("limit") ?? 20)) { _ in "" }
    }
    let (run, json) = try await ProbeRun.report([capped.url("/items")])
    #expect(run.status == 0 && json.style == PagingStyle.Kind.unknown.rawValue, "\(run.output)")
    let words = json.value(at: ["style", "evidence"])?.text ?? ""
    #expect(words.contains("30 rows came with limit=1000 against 20") && words.contains("--convention"), "\(words)")
    let flagged = try LoopbackServer { _ in .json("{\"data\": [{\"sku\": 1}, {\"sku\": 2}], \"has_more\": true}") }
    let (_, other) = try await ProbeRun.report([flagged.url("/items")])
    #expect(other.style == PagingStyle.Kind.unknown.rawValue)
    #expect(other.value(at: ["style", "evidence"])?.text?.contains("has_more") == true, "\(other)")
    let whole = try LoopbackServer { _ in .json("{\"data\": [{\"sku\": 1}, {\"sku\": 2}]}") }
    #expect(try await ProbeRun.report([whole.url("/items")]).json.style == PagingStyle.Kind.whole.rawValue)
  }

  @Test(arguments: [[], ["--next", "meta.cursor"], ["--next", "meta.cursor", "--convention", "cursor"]])
  func theAdviceHasTheMemberThatLeadsOn(_ words: [String]) async throws {
    let server = try cursors()
    let named = words.isEmpty ? [] : ["--param", "after"]
    let (run, json) = try await ProbeRun.report([server.url("/items")] + words + named)
    #expect(run.status == 0 && json.code.hasPrefix(".cursor(\\.meta.cursor, parameter: \"after\""), "\(json.code)")
  }

  // MARK: - Serve

  @Test func theFirstColumnThatTellsRowsApartIsTheirID() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".csv")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("kind,sku,name,price\nx,a1,Apple,1\nx,b2,Bread,2\n".utf8).write(to: file)
    let server = try await ServeProcess([file.path])
    let end = try await server.stop()
    #expect(end.errors.contains("a row's ID is its sku (--id names another)."), "\(end.errors)")
    func identity(_ text: String) throws -> JSONPath { try RowFile(Array(text.utf8)).identity }
    #expect(try identity(#"[{"b":"x","a":"y"},{"b":"z","a":"y"}]"#) == JSONPath("b"))
    #expect(try identity(#"[{"a":"","name":"x"},{"a":"b","name":"z"}]"#) == JSONPath("name"))
    #expect(try identity(#"[{"a":"c","id":1},{"a":"b","id":2}]"#) == JSONPath("id"))
    #expect(try RowFile(Array(#"[{"a":"c"},{"a":"c"}]"#.utf8)).isNumbered)
  }
}
