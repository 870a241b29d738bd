import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

@testable import pages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The built program over sockets: `walk` and the library's own presets against `serve`.
@Suite(.timeLimit(.minutes(10))) struct ServeCommandTests {
  private static let count = 230

  private struct Row: Decodable, Identifiable, Sendable {
    var id: Int
  }
  private struct Items: Decodable, Sendable {
    var items: [Row]
    var has_more: Bool?
    var next: String?
    var previous: String?
  }
  private struct Answer: Decodable, Sendable {
    struct Data: Decodable, Sendable {
      var items: GraphQLConnection<Row>
    }
    var data: Data
  }
  private struct Tokens: Decodable, Sendable {
    var Items: [Row]
    var NextToken: JSONValue?
  }

  private func withServer(_ options: [String], _ run: (ServeProcess) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".csv")
    defer { try? FileManager.default.removeItem(at: file) }
    let rows = (1...Self.count).map { "\($0),\"Row \($0)\"\n" }.joined()
    try Data(("id,title\n" + rows).utf8).write(to: file)
    try await run(ServeProcess([file.path] + options))
  }

  private func url(_ server: ServeProcess, _ target: String) throws -> URL {
    try #require(URL(string: server.url + target))
  }

  /// The IDs of all rows of a source, from its start.
  private func walked(_ source: HTTPPageSource<Row>) async throws -> [Int] {
    try await source.items(pageSize: 50).collect(atMost: 1000).map(\.id)
  }

  @Test func everyStyleIsWalkedAndEachRowComesOnce() async throws {
    try await withServer(["--images"]) { server in
      let all = Array(1...Self.count)
      for target in [
        "link?limit=50", "next-url?limit=50", "next-page?limit=50", "odata?$top=50", "jsonapi?page[size]=50",
        "cursor?limit=50",
        "page?per_page=50", "offset?limit=50", "ranked?limit=50", "expiring?limit=50",
      ] {
        let run = try await Tool.run([
          "walk", server.url + target.replacing("[", with: "%5B").replacing("]", with: "%5D"),
        ])
        #expect(run.status == 0, "\(target): \(run.errors)")
        let ids = run.lines.compactMap { line in
          (try? JSONSlice(checking: Array(line.utf8))).flatMap { row in
            (row.member("attributes") ?? row).member("id")?.integer
          }
        }
        #expect(ids.sorted() == all, "\(target)")
        #expect(run.lines.allSatisfy { $0.contains("\"image_url\":\"\(server.url)images/") })
      }
      let keyset = HTTPPageSource(
        try url(server, "keyset"),
        convention: .keyset(
          { (page: Items) in page.items }, key: { String($0.id) }, after: "after", before: "before",
          hasMore: { $0.has_more }), items: { $0.items })
      #expect(try await walked(keyset) == all)
      let window = HTTPPageSource(
        try url(server, "window"),
        convention: .window(
          .cursors(anchor: "around", before: "before", after: "after", previous: "previous", next: "next"),
          previous: { (page: Items) in page.previous }, next: { $0.next }), items: { $0.items })
      #expect(try await walked(window) == all)
      let graphQL = HTTPPageSource(
        try url(server, "graphql"),
        convention: .graphQL(
          "query($first: Int, $after: String) { items }", pageInfo: { (page: Answer) in page.data.items.pageInfo }),
        items: { $0.data.items.nodes })
      #expect(try await walked(graphQL) == all)
      let aws = HTTPPageSource(
        try url(server, "aws"), convention: .awsToken({ (page: Tokens) in page.NextToken }, operation: "Rows.List"),
        items: { $0.Items })
      #expect(try await walked(aws) == all)
      let end = try await server.stop()
      #expect(end.status == 0)
      #expect(end.output.isEmpty)
      #expect(end.errors.hasPrefix("pages: READY http://127.0.0.1:"))
    }
  }

  @Test func faultsAndChangesReachTheClient() async throws {
    try await withServer(["--fault", "2:cut", "--fault", "3:close", "--fault", "4:429:0", "--verbose"]) { server in
      func send(_ target: String, _ method: String = "GET") async throws -> (status: Int, body: Data, tag: String?) {
        var request = URLRequest(url: try url(server, target))
        request.httpMethod = method
        let (data, response) = try await URLSession.shared.data(for: request)
        let http = response as? HTTPURLResponse
        return (http?.statusCode ?? 0, data, http?.value(forHTTPHeaderField: "ETag"))
      }
      let first = try await send("link?limit=5")
      #expect(first.status == 200)
      #expect(first.tag != nil)
      await #expect(throws: (any Error).self) { try await send("link?limit=5") }
      // A client may ask once more by itself where a connection was closed, so what comes next is the 429 or what is behind.
      _ = try? await send("link?limit=5")
      _ = try? await send("link?limit=5")
      #expect(try await send("link?limit=5").body == first.body)
      #expect(try await send("_insert?count=2", "POST").status == 201)
      #expect(try await send("_rows/1", "DELETE").status == 200)
      #expect(try await send("_rows/1", "DELETE").status == 410)
      #expect(try await send("offset").body.count > 100)
      #expect(try await send("link?limit=5", "HEAD").body.isEmpty)
      let end = try await server.stop(by: SIGTERM)
      #expect(end.status == 0)
      #expect(end.output.isEmpty)
      for words in [
        "GET /link?limit=5: 200, cut", "GET /link?limit=5: closed", ": 429", "DELETE /_rows/1: 200", "requests.",
      ] {
        #expect(end.errors.contains(words), "\(end.errors)")
      }
    }
  }

  @Test func itIsReadyWhenItsFileIsThere() async throws {
    let ready = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: ready) }
    try await withServer(["--ready-file", ready.path, "--latency", "1h"]) { server in
      #expect(try String(contentsOf: ready, encoding: .utf8) == server.url + "\n")
      // One who waits for an answer doesn't keep it from stopping.
      let waiting = Task { try await URLSession.shared.data(from: url(server, "link")) }
      let state = URLRequest(url: try url(server, "_state"), cachePolicy: .reloadIgnoringLocalCacheData)
      var listRequests = 0
      while listRequests == 0 {
        let (data, _) = try await URLSession.shared.data(for: state)
        listRequests = try JSONSlice(checking: Array(data)).member("list_requests")?.integer ?? 0
      }
      #expect(try await server.stop().status == 0)
      await #expect(throws: (any Error).self) { try await waiting.value }
    }
  }

  @Test(arguments: [
    ["serve"], ["serve", "x", "--port", "70000"], ["serve", "x", "--fault", "nonsense"],
    ["serve", "x", "--latency", "5"],
    ["serve", "x", "--format", "xml"], ["serve", "x", "--page-size", "50", "--cap", "10"],
    ["serve", "x", "--cursor-ttl", "2d"],
  ])
  func badUsageExitsWith2AndALineThatWouldWork(_ words: [String]) async throws {
    let run = try await Tool.run(words)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("This would work:\n  pages serve "))
  }

  @Test(arguments: [("5", "5ms"), ("100-2000", "100ms-2000ms"), ("2s-1s", "100ms-2s"), ("soon", "100ms-2s")])
  func aLatencyWithoutItsUnitIsTold(_ text: String, _ meant: String) async throws {
    let run = try await Tool.run(["serve", "x", "--latency", text])
    #expect(run.status == 2 && run.errors.contains("with its unit"))
    #expect(run.errors.hasSuffix("pages serve FILE --latency \(meant)\n"), "\(run.errors)")
  }

  @Test func aFileThatCannotBeServedIsNamedWithLineAndColumn() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data("{\"id\": 1}\n{\"id\": 2,}\n".utf8).write(to: file)
    let run = try await Tool.run(["serve", file.path])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors == "pages: \(file.path): line 2, column 10: '}' can't stand here.\n")
  }

  @Test func aPortThatIsTakenIsNamed() async throws {
    try await withServer([]) { server in
      let port = try #require(URL(string: server.url)?.port)
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".json")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data("[{\"id\": 1}]".utf8).write(to: file)
      let run = try await Tool.run(["serve", file.path, "--port", String(port)])
      #expect(run.status == 1)
      #expect(run.errors.contains("127.0.0.1:\(port)"))
    }
  }

  @Test func theHelpFitsAScreen() {
    let lines = ServeCommand.table.help.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }
}
