import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Files behind nginx: relative links, compression, and limits of its own.
@Suite(.enabled(if: RealServer.Kind.nginx.isInstalled, "nginx is not installed"), .serialized, .timeLimit(.minutes(10)))
struct NginxTests {
  private struct Pages: Decodable, Sendable {
    var items: [PlainRow]
    var next: URL?
  }

  private func source(_ url: URL) -> HTTPPageSource<PlainRow> {
    HTTPPageSource(url, convention: .nextURL(\Pages.next), transport: Shared.transport, items: \.items)
  }

  @Test func everyRowComesOnce() async throws {
    let server = try await RealServers.shared.server(.nginx)
    let style = FeedStyle("files", source(server.url), drift: .shifts, cap: 100, hasTotal: false)
    try await FeedChecks.everyRowOnce(style, of: server)
    for count in [0, 1, 200] {
      try await server.tell("rows \(count)")
      let pages = try await style.walked()
      #expect(pages.joined().count == count && pages.count == max(1, count / 100))
    }
  }

  @Test func H9_aPageThatIsNotThereIsAWebPage() async throws {
    let server = try await RealServers.shared.server(.nginx, rows: 200)
    let error = await #expect(throws: HTTPPageError.self) {
      try await source(server.url).load(
        LoadParams(.append, key: HTTPPageKey(server.url("page-9.json")), loadSize: 100))
    }
    #expect(error?.status == 404 && error?.message.contains("/feed/page-9.json") == true)
  }

  @Test(arguments: [("/limited/feed/page-1.json", 429), ("/busy/feed/page-1.json", 503)])
  func itsLimitsAreErrorsThatPass(path: String, status: Int) async throws {
    let server = try await RealServers.shared.server(.nginx, rows: 1000)
    do {
      for try await _ in source(server.url(path)).pages(pageSize: 100) {}
      Issue.record("ten pages at once came through a limit of four")
    } catch {
      #expect((error.cause as? HTTPPageError)?.status == status)
      let key = try #require(error.resumeKey?.url)
      #expect(key.path() == path.replacing("page-1", with: "page-5"))
    }
  }
}

/// httpbin, which says what reached it.
@Suite(.enabled(if: RealServer.Kind.httpbin.isInstalled, "httpbin is not installed"), .timeLimit(.minutes(10)))
struct HTTPBinTests {
  /// What was asked, as httpbin tells it.
  private struct Echo: Decodable, Sendable {
    var args: [String: String]
    var headers: [String: String]
    var json: JSONValue?
  }

  private func echo(
    _ server: RealServer, _ convention: PageConvention<Echo>, key: HTTPPageKey?, config: HTTPPageSourceConfig = .init()
  ) async throws -> Echo {
    let source = HTTPPageSource(
      server.url("/anything"), convention: convention, config: config, transport: Shared.transport
    ) { (echo: Echo) in [Told(id: 1, echo: echo)] }
    return try #require(try await source.load(LoadParams(.append, key: key, loadSize: 7)).items.first).echo
  }

  private struct Told: Identifiable, Sendable {
    var id: Int
    var echo: Echo
  }

  @Test(arguments: ["a+b/c==", "100%", "already%3Dquoted", "a b&c=d#e?f", "žluťoučký 🦊", "\"quoted\"", "+"])
  func H6_cursorsArriveAsTheyWere(cursor: String) async throws {
    let server = try await RealServers.shared.server(.httpbin)
    let plain = try await echo(server, .cursor({ _ in nil }), key: HTTPPageKey(cursor))
    #expect(plain.args["cursor"] == cursor)
    let aws = try await echo(
      server, .awsToken({ _ in nil }, operation: "X.Y", body: ["Name": "n"]), key: HTTPPageKey(cursor))
    let isJSON = cursor.first == "\""
    #expect(aws.json?["NextToken"] == .string(isJSON ? "quoted" : cursor))
    #expect(aws.json?["Name"] == "n" && aws.json?["MaxResults"] == 7)
    #expect(aws.headers["X-Amz-Target"] == "X.Y")
  }

  @Test func headersArrive() async throws {
    let server = try await RealServers.shared.server(.httpbin)
    let config = HTTPPageSourceConfig(headers: ["Authorization": "Bearer x"])
    let told = try await echo(server, .cursor({ _ in nil }), key: nil, config: config)
    #expect(told.headers["Authorization"] == "Bearer x" && told.headers["Accept"] == "application/json")
  }

  @Test func statusesAreErrors() async throws {
    let server = try await RealServers.shared.server(.httpbin)
    for status in [400, 401, 404, 418, 429, 500, 503] {
      let source = HTTPPageSource(
        server.url("/status/\(status)"), convention: .linkHeader, transport: Shared.transport, of: PlainRow.self)
      let error = await #expect(throws: HTTPPageError.self) { try await source.first() }
      #expect(error?.status == status)
    }
    let html = HTTPPageSource(
      server.url("/html"), convention: .linkHeader, transport: Shared.transport, of: PlainRow.self)
    let error = await #expect(throws: HTTPPageError.self) { try await html.first() }
    #expect(error?.code == .notJSON)
  }
}

/// What detection makes of first replies of real servers, and whether that walks.
@Suite(
  .enabled(if: RealServer.Kind.datasette.isInstalled, "the servers are not installed"), .timeLimit(.minutes(10)))
struct DetectedServerTests {
  /// Servers of its own, so that their lists stay as they are.
  private actor Own {
    static let shared = Own()
    private var running: [RealServer.Kind: Task<RealServer, any Error>] = [:]

    func server(_ kind: RealServer.Kind) async throws -> RealServer {
      let start = running[kind] ?? Task { try await RealServer(kind, arguments: ["--rows", "230"]) }
      running[kind] = start
      return try await start.value
    }
  }

  @Test(arguments: [
    (RealServer.Kind.django, "/page/?page_size=100", DetectedConvention.Kind.nextURL, ["results"]),
    (.django, "/offset/?limit=100", .nextURL, ["results"]),
    (.django, "/cursor-id/?page_size=100", .nextURL, ["results"]),
    (.django, "/jsonapi/?page%5Bsize%5D=100", .jsonAPI, ["data"]),
    (.fastapi, "/pages?size=100", .pageNumber, ["items"]), (.fastapi, "/limit-offset?limit=100", .offset, ["items"]),
    (.fastapi, "/pages-links?size=100", .nextURL, ["items"]), (.fastapi, "/link?per_page=100", .linkHeader, []),
    (.fastapi, "/stripe?limit=100", .keyset, ["data"]), (.fastapi, "/expiring?limit=100", .cursor, ["items"]),
    (.datasette, "?_shape=objects&_size=100", .datasette, ["rows"]),
    (.datasette, "?_shape=array&_size=100", .linkHeader, []),
  ])
  func H12_whatTheReplyTellsWalks(
    kind: RealServer.Kind, target: String, convention: DetectedConvention.Kind, items: [String]
  ) async throws {
    let server = try await Own.shared.server(kind)
    let url = server.url(target)
    var request = URLRequest(url: url)
    if convention == .jsonAPI { request.setValue("application/vnd.api+json", forHTTPHeaderField: "Accept") }
    let found = try PageConvention.detect(try await Shared.transport.send(HTTPRequest(request)))
    #expect(found.kind == convention && found.items == items && found.isWalkable, "\(found)")
    let accept = request.value(forHTTPHeaderField: "Accept")
    let config = HTTPPageSourceConfig(headers: accept.map { ["Accept": $0] } ?? [:])
    let source = HTTPPageSource(
      url, convention: found.convention, config: config, transport: Shared.transport
    ) { page in
      found.rows(in: page).compactMap { $0["id"]?.text.flatMap { Int($0) } }.map { PlainRow(id: $0) }
    }
    let ids = try await source.walked(size: 100).joined().map(\.id)
    #expect(ids.count == 230 && Set(ids) == Set(1...230), "\(found)")
  }
}
