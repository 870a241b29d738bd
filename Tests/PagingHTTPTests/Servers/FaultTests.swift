import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import TestSupport
import Testing

private struct Results: Decodable, Sendable {
  var results: [PlainRow]
  var next: URL?
}

/// What the proxy saw of one request.
struct Seen: Decodable {
  var line: String
  var step: String
  var port: Int
  var credentials: [String]
}

/// Django behind a proxy that breaks its answers by plan. 90 rows, so five pages of 20.
@Suite(
  .enabled(if: RealServer.Kind.django.isInstalled, "Django is not installed"), .serialized, .timeLimit(.minutes(10)))
struct FaultTests {
  let proxy: RealServer
  private let other: URL

  init() async throws {
    let django = try await Behind.shared.server()
    try await django.tell("rows 90")
    proxy = try await RealServers.shared.server(
      .faults, arguments: ["--upstream", "127.0.0.1:\(django.url.port ?? 0)"])
    other = try #require(URL(string: try await proxy.tell("other")))
    try await proxy.tell("plan")
  }

  func source(
    maxBodyBytes: Int = 1 << 20, timeout: Duration = .seconds(10), allowing origins: [URL] = [],
    budget: HostBudget? = nil
  ) -> HTTPPageSource<PlainRow> {
    var config = HTTPPageSourceConfig(headers: ["Authorization": "Bearer secret", "X-Api-Key": "secret"])
    config.maxBodyBytes = maxBodyBytes
    config.allowedOrigins = origins
    // A transport of its own, since Foundation sends a GET again on a kept connection that was reset.
    return HTTPPageSource(
      proxy.url("/cursor-id/"), convention: .nextURL(\Results.next, size: "page_size"), config: config,
      transport: URLSessionTransport(config: HTTPTransportConfig(timeout: timeout), budget: budget), items: \.results)
  }

  func log() async throws -> [Seen] {
    var seen = try JSONDecoder().decode([Seen].self, from: Data(try await proxy.tell("log").utf8))
    for index in seen.indices { seen[index].credentials.sort() }
    return seen
  }

  /// Walks, going on from where a failure left off; gives the rows and the failures.
  func persistent(
    _ source: HTTPPageSource<PlainRow>, failures allowed: Int
  ) async throws -> (ids: [Int], failures: [any Error]) {
    var ids: [Int] = []
    var failures: [any Error] = []
    var key: HTTPPageKey?
    while true {
      do {
        for try await page in source.pages(from: key, pageSize: 20) { ids += page.items.map(\.id) }
        return (ids, failures)
      } catch {
        failures.append(error.cause)
        if failures.count > allowed { throw error }
        key = error.resumeKey
      }
    }
  }

  let all: [Int] = Array((1...90).reversed())

  @Test(arguments: ["delay:150", "drip:10", "gzip", "chunked", "http10"])
  func answersThatAreWholeAreRead(step: String) async throws {
    try await proxy.tell("plan " + Array(repeating: step, count: 5).joined(separator: " "))
    let (ids, failures) = try await persistent(source(), failures: 0)
    #expect(ids == all && failures.isEmpty)
    #expect(try await log().map(\.step) == Array(repeating: step.components(separatedBy: ":")[0], count: 5))
  }

  @Test(arguments: ["resetmid", "cut", "reset reset"])
  func answersThatBreakOffAreErrorsAndTheWalkGoesOn(steps: String) async throws {
    // On the first page and, with what came before kept, on the third.
    for plan in [steps, "ok ok \(steps)"] {
      try await proxy.tell("plan " + plan)
      let (ids, failures) = try await persistent(source(), failures: 2)
      #expect(ids == all, "\(plan)")
      #expect(!failures.isEmpty && failures.allSatisfy { $0 is HTTPError }, "\(failures)")
    }
  }

  @Test(arguments: ["429", "429:1", "429:+1", "429:~1", "429:^1", "503", "503:1", "503:nonsense"])
  func refusalsThatPassAreErrorsOfTheirPage(status: String) async throws {
    try await proxy.tell("plan ok status:\(status) ok")
    let (ids, failures) = try await persistent(source(), failures: 1)
    let error = try #require(failures.first as? HTTPPageError)
    #expect(ids == all && error.code == .status && error.status == Int(status.prefix(3)))
    #expect(error.message.contains("Try again later"))
  }

  @Test func aBurstOfRefusalsLosesNothing() async throws {
    try await proxy.tell("plan ok status:503 status:503 status:503 ok status:503 resetmid ok")
    let (ids, failures) = try await persistent(source(), failures: 6)
    #expect(ids == all && failures.count == 5)
  }

  @Test func redirectsThatGoRoundEnd() async throws {
    try await proxy.tell("plan " + Array(repeating: "loop", count: 30).joined(separator: " "))
    let error = await #expect(throws: HTTPError.self) { try await source().first() }
    #expect(error?.code == .tooManyRedirects)
    #expect(try await log().count == 11)
  }

  @Test func H6_aRedirectToAnotherOriginTakesNoCredentialsAlong() async throws {
    try await proxy.tell("plan elsewhere")
    let source = source()
    let page = try await source.first(size: 20)
    #expect(page.items.map(\.id) == Array(all.prefix(20)))
    let seen = try await log()
    #expect(seen.map(\.port) == [proxy.url.port, other.port])
    #expect(seen.first?.credentials == ["Authorization", "X-Api-Key"] && seen.last?.credentials == [])
    // The links of what came from there lead there, and are not followed.
    #expect(page.nextKey?.url?.port == other.port)
    let error = await #expect(throws: HTTPPageError.self) {
      try await source.load(LoadParams(.append, key: page.nextKey, loadSize: 20))
    }
    #expect(error?.code == .foreignOrigin)
    #expect(try await log().count == 2)
  }

  @Test func H6_anOriginThatIsAllowedIsFollowedWithCredentials() async throws {
    try await proxy.tell("plan elsewhere")
    let source = source(allowing: [other])
    let page = try await source.first(size: 20)
    _ = try await source.load(LoadParams(.append, key: page.nextKey, loadSize: 20))
    let seen = try await log()
    #expect(seen.last?.port == other.port && seen.last?.credentials == ["Authorization", "X-Api-Key"])
  }

  @Test func H2_aBodyAboveTheLimitIsCutOff() async throws {
    try await proxy.tell("plan big:3000000")
    let error = await #expect(throws: HTTPError.self) { try await source(maxBodyBytes: 100_000).first() }
    #expect(error?.code == .bodyTooLarge)
  }

  @Test func H9_aLoginPageInBetween() async throws {
    try await proxy.tell("plan ok html")
    let (ids, failures) = try await persistent(source(), failures: 1)
    let error = try #require(failures.first as? HTTPPageError)
    #expect(ids == all && error.code == .notJSON && error.message.contains("/cursor-id/"))
  }

  @Test func anAnswerThatDoesNotComeRunsIntoTheTimeout() async throws {
    try await proxy.tell("plan delay:3000")
    let error = await #expect(throws: HTTPError.self) { try await source(timeout: .milliseconds(300)).first() }
    #expect(error?.code == .timedOut)
  }
}

/// A Django of the faults' own, so that they don't change the list of other tests.
private actor Behind {
  static let shared = Behind()
  private var start: Task<RealServer, any Error>?

  func server() async throws -> RealServer {
    let task = start ?? Task { try await RealServer(.django, arguments: ["--rows", "90"]) }
    start = task
    return try await task.value
  }
}
