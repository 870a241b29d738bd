import Foundation
import PagingHTTP
import TestSupport
import Testing

@testable import pages

/// What a probe makes of servers that other people wrote.
@Suite(
  .enabled(if: RealServer.Kind.probe.isInstalled, "the servers are missing"), .serialized, .timeLimit(.minutes(10)))
struct ProbeServerTests {
  struct Style: Sendable, CustomTestStringConvertible {
    let kind: RealServer.Kind
    let target: String
    let style: PagingStyle.Kind
    let code: String
    var faults: Set<String> = []
    var others: Set<String> = []
    var words: [String] = []

    var testDescription: String { "\(kind.rawValue)\(target)" }
  }

  private static let keysetQuery =
    "query($first: Int, $after: String) { itemsKeyset(first: $first, after: $after) "
    + "{ totalCount edges { node { id number } } pageInfo { hasNextPage endCursor } } }"

  static let styles: [Style] = [
    Style(
      kind: .datasette, target: "", style: .keyset, code: ".datasette()", faults: ["key.ends"],
      others: ["total.known", "size.open"]),
    Style(
      kind: .django, target: "/page/", style: .pageNumbers, code: ".nextURL(\\.next",
      others: ["pages.numbered", "total.known", "end.past", "size.capped"]),
    Style(
      kind: .django, target: "/offset/", style: .offset, code: ".nextURL(\\.next", faults: ["key.restarts"],
      others: ["pages.numbered", "size.capped", "total.known"]),
    Style(kind: .django, target: "/cursor/", style: .cursor, code: ".nextURL(\\.next", others: ["total.unknown"]),
    Style(kind: .django, target: "/jsonapi/", style: .pageNumbers, code: ".jsonAPI(", others: ["total.known"]),
    Style(
      kind: .django, target: "/jsonapi-offset/", style: .offset, code: ".jsonAPI(", faults: ["key.restarts"],
      others: ["total.known"]),
    Style(kind: .kinto, target: "", style: .cursor, code: ".kinto()", others: ["total.known", "key.refused"]),
    Style(
      kind: .fastapi, target: "/pages", style: .pageNumbers, code: ".pageNumber(\"page\"",
      others: ["size.refused", "total.known"]),
    Style(
      kind: .fastapi, target: "/limit-offset", style: .offset, code: ".offset(\"offset\"", others: ["size.refused"]),
    Style(kind: .fastapi, target: "/cursor", style: .keyset, code: ".cursor(\\.next_page", others: ["total.known"]),
    Style(
      kind: .fastapi, target: "/link", style: .pageNumbers, code: ".linkHeader",
      others: ["size.capped", "total.known"]),
    Style(kind: .fastapi, target: "/expiring", style: .keyset, code: ".cursor(\\.next", others: ["key.refused"]),
    Style(kind: .fastapi, target: "/stripe", style: .keyset, code: ".keyset(\\.data", others: ["total.unknown"]),
    Style(kind: .fastapi, target: "/window", style: .keyset, code: ".cursor(\\.older", others: ["entry.window"]),
    Style(
      kind: .strawberry, target: "", style: .hiddenOffset, code: ".graphQL(query, cursors: .offsets())",
      faults: ["key.refusedInBody"], others: ["size.refused"]),
    Style(
      kind: .strawberry, target: "", style: .cursor, code: ".graphQL(query) ", faults: ["key.refusedInBody"],
      others: ["total.known", "size.capped"], words: ["--query", keysetQuery]),
    Style(
      kind: .graphene, target: "", style: .hiddenOffset, code: ".graphQL(query, cursors: .offsets())",
      faults: ["key.restarts"], others: ["size.open"]),
    Style(kind: .nginx, target: "", style: .pageNumbers, code: ".nextURL(\\.next", others: ["end.past", "size.fixed"]),
    Style(kind: .httpbin, target: "/json", style: .whole, code: ".linkHeader, which makes one page of it"),
  ]

  @Test(arguments: styles)
  func theStyleOfEachIsNamed(_ one: Style) async throws {
    let hasRows = one.kind != .httpbin
    let server = try await RealServers.shared.server(one.kind, rows: hasRows ? 1234 : nil)
    let url = one.target.hasPrefix("/") ? server.url(one.target).absoluteString : server.url.absoluteString + one.target
    let (run, json) = try await ProbeRun.report([url] + one.words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(json.style == one.style.rawValue, "\(json["style"] ?? .null)")
    #expect(json.code.hasPrefix(one.code), "\(json.code)")
    #expect(json.faults == one.faults, "\(json.findings)")
    #expect(json.ids.isSuperset(of: one.others), "\(one.others.subtracting(json.ids)): \(json.findings)")
    if hasRows { #expect(json.ids.contains("pages.constant") && json.ids.contains("refresh.same")) }
  }

  @Test func aListThatIsNotThereIsTold() async throws {
    let server = try await RealServers.shared.server(.django, rows: 1234)
    let run = try await Tool.run(["probe", server.url("/nowhere/").absoluteString, "--pace", "0"])
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors.contains("404"))
  }

  @Test func aStaticServersRefusalIsTold() async throws {
    let server = try await RealServers.shared.server(.nginx, rows: 1234)
    let url = server.url("/busy/feed/page-1.json").absoluteString
    let (run, json) = try await ProbeRun.report([url])
    #expect(run.status == 0)
    #expect(json.faults.contains("server.waits"))
  }

  @Test func offsetsRepeatAndSkipOnARealServer() async throws {
    let server = try await RealServers.shared.server(.fastapi, rows: 300)
    // The server is changed by this process, which the commands reach through files.
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let obeys = Task {
      while !Task.isCancelled {
        for file in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where file.hasSuffix(".do") {
          let asked = folder.appendingPathComponent(file)
          let line = try String(contentsOf: asked, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
          let answer = try await server.tell(line)
          try FileManager.default.removeItem(at: asked)
          try Data(answer.utf8).write(to: folder.appendingPathComponent("done"), options: .atomic)
        }
        try await Task.sleep(for: .milliseconds(10))
      }
    }
    defer { obeys.cancel() }
    func command(_ line: String) -> String {
      "cd \(folder.path) && rm -f done && echo \(line) > it && mv it it.do && "
        + "while [ ! -e done ]; do sleep 0.02; done; cat done"
    }
    let changes = [
      "--insert-cmd", command("insert 1 top"), "--delete-cmd", command("delete $PAGES_ROW"), "--yes",
    ]
    let (run, offset) = try await ProbeRun.report([server.url("/link").absoluteString] + changes)
    #expect(run.status == 0, "\(run.errors)")
    #expect(offset.ids.isSuperset(of: ["insert.repeats", "delete.skips"]))
    let cursor = try await ProbeRun.report([server.url("/cursor").absoluteString] + changes).json
    #expect(cursor.ids.isSuperset(of: ["insert.none", "changes.none"]))
    #expect(cursor.ids.isDisjoint(with: ["insert.repeats", "delete.skips"]))
  }
}
