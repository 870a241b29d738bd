import Foundation
import Loading
import PagingTesting
import TestSupport
import Testing

@testable import LoadingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Returns when that many requests wait for their turn and that many are out; a test that waits in vain hangs.
func budget(_ budget: HostBudget, waits waiting: Int, runs running: Int) async {
  while budget.load != (waiting, running) { await Task.yield() }
}

func request(_ url: URL, _ priority: LoadPriority = .medium) -> HTTPRequest {
  HTTPRequest(URLRequest(url: url), ticket: LoadTicket(priority: priority))
}

@Suite struct HostBudgetTests {
  private let base = URL(string: "https://example.com")!

  private func url(_ path: String) -> URL { base.appending(path: path) }

  private func stub(_ paths: [String]) -> StubTransport {
    let stub = StubTransport()
    for path in paths { stub.reply(to: path, with: path) }
    return stub
  }

  private func paths(_ stub: StubTransport) -> [String] {
    stub.requests.map { $0.urlRequest.url?.path() ?? "" }
  }

  @Test func H1_aRefusalStopsAllWhoShareTheBudget() async throws {
    let clock = ManualClock()
    let shared = HostBudget(maxConcurrentPerHost: 1, clock: clock)
    let stub = stub(["/low", "/high", "/medium", "/other"])
    stub.reply(to: "/refused", status: 429, headers: ["Retry-After": "10"], with: "")
    let (first, second, third) = (
      BudgetedTransport(stub, budget: shared), BudgetedTransport(stub, budget: shared),
      BudgetedTransport(stub, budget: shared)
    )
    #expect(try await first.send(request(url("/refused"))).status == 429)
    try #require(shared.coolDown(for: base) == .seconds(10))
    let low = Task { try await first.send(request(url("/low"), .low)) }
    let medium = Task { try await second.send(request(url("/medium"))) }
    let high = Task { try await third.send(request(url("/high"), .high)) }
    await budget(shared, waits: 3, runs: 0)
    // Another server is not meant, though it differs by its port alone.
    let other = try #require(URL(string: "https://example.com:8443/other"))
    #expect(try await second.send(request(other)).status == 200)
    await clock.advance(by: .seconds(9))
    #expect(paths(stub) == ["/refused", "/other"])
    let gate = Gate()
    stub.hold(by: gate)
    await clock.advance(by: .seconds(1))
    await gate.waiting(atLeast: 1)
    #expect(paths(stub).dropFirst(2) == ["/high"])
    gate.open()
    for task in [low, medium, high] { #expect(try await task.value.status == 200) }
    #expect(paths(stub).dropFirst(2) == ["/high", "/medium", "/low"])
    #expect(shared.load == (0, 0) && shared.coolDown(for: base) == nil)
  }

  @Test func H1_oneProbeGoesFirstThoughSlotsAreFree() async throws {
    let clock = ManualClock()
    let shared = HostBudget(maxConcurrentPerHost: 4, maxCoolDown: .seconds(5), clock: clock)
    let stub = stub(["/a", "/b", "/c"])
    stub.reply(
      to: "/refused", status: 503,
      headers: ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun Nov  6 08:59:37 1994"], with: "")
    let transport = BudgetedTransport(stub, budget: shared)
    #expect(try await transport.send(request(url("/refused"))).status == 503)
    // Ten minutes are asked for, five seconds are the cap.
    try #require(shared.coolDown(for: base) == .seconds(5))
    let gate = Gate()
    stub.hold(by: gate)
    let tasks = ["/a", "/b", "/c"].map { path in Task { try await transport.send(request(url(path))) } }
    await budget(shared, waits: 3, runs: 0)
    await clock.advance(by: .seconds(5))
    await gate.waiting(atLeast: 1)
    #expect(shared.load == (2, 1))
    gate.open()
    for task in tasks { _ = try await task.value }
    #expect(stub.requests.count == 4)
  }

  @Test func H1_ticketsAreRaisedAndLoweredWhileTheyWait() async throws {
    let shared = HostBudget(maxConcurrentPerHost: 1)
    let stub = stub(["/held", "/a", "/b", "/c"])
    let transport = BudgetedTransport(stub, budget: shared)
    let gate = Gate()
    stub.hold(by: gate)
    let held = Task { try await transport.send(request(url("/held"))) }
    await stub.requests(atLeast: 1)
    let requests = [request(url("/a"), .high), request(url("/b"), .low), request(url("/c"))]
    let tasks = requests.map { request in Task { try await transport.send(request) } }
    await budget(shared, waits: 3, runs: 1)
    requests[0].ticket.priority = LoadPriority(rawValue: -5)
    requests[1].ticket.priority = LoadPriority(rawValue: 5)
    gate.open()
    for task in tasks + [held] { _ = try await task.value }
    #expect(paths(stub) == ["/held", "/b", "/c", "/a"])
    // The request reaches the transport with its ticket, which nobody watches any more.
    #expect(stub.requests[1].ticket === requests[1].ticket)
    #expect(requests.allSatisfy { $0.ticket.observerCount == 0 })
  }

  @Test func H1_whoIsCancelledWhileWaitingNeverGoesOut() async throws {
    let shared = HostBudget(maxConcurrentPerHost: 1)
    let stub = stub(["/held", "/a", "/b"])
    let transport = BudgetedTransport(stub, budget: shared)
    let gate = Gate()
    stub.hold(by: gate)
    let held = Task { try await transport.send(request(url("/held"))) }
    await stub.requests(atLeast: 1)
    let gone = Task { try await transport.stream(request(url("/a"))) }
    await budget(shared, waits: 1, runs: 1)
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    #expect(shared.load == (0, 1))
    // One that is out and fails gives its slot back.
    held.cancel()
    await #expect(throws: CancellationError.self) { try await held.value }
    gate.open()
    #expect(try await transport.send(request(url("/b"))).status == 200)
    #expect(paths(stub) == ["/held", "/b"])
    #expect(shared.load == (0, 0))
  }

  @Test func H1_aStreamHoldsItsSlotUntilItsEndOrItsReaderIsGone() async throws {
    let shared = HostBudget(maxConcurrentPerHost: 1)
    let stub = stub(["/a", "/b"])
    let transport = BudgetedTransport(stub, budget: shared)
    var reply: HTTPStreamedReply? = try await transport.stream(request(url("/a")))
    #expect(shared.load == (0, 1))
    var body = Data()
    for try await piece in try #require(reply).body { body += piece }
    #expect(body == Data("/a".utf8) && shared.load == (0, 0))
    reply = try await transport.stream(request(url("/a")))
    let next = Task { try await transport.send(request(url("/b"))) }
    await budget(shared, waits: 1, runs: 1)
    #expect(reply != nil)
    reply = nil
    #expect(try await next.value.status == 200)
    // A body that breaks off is at its end.
    let faulty = FaultyTransport(stub)
    faulty.plan(.truncate(after: 1))
    let broken = try await BudgetedTransport(faulty, budget: shared).stream(request(url("/a")))
    await #expect(throws: HTTPError.self) { for try await _ in broken.body {} }
    #expect(shared.load == (0, 0))
  }

  /// A transport that follows redirects by itself: whatever it is asked, another server answers.
  private struct Redirected: HTTPTransport {
    let far: URL

    func send(_ request: HTTPRequest) async throws -> HTTPReply {
      HTTPReply(status: 429, headers: ["Retry-After": "10"], body: Data(), url: far, receivedAt: Date())
    }

    func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply {
      HTTPStreamedReply(head: try await send(request), body: AsyncThrowingStream { $0.finish() })
    }
  }

  @Test func H1_aRefusalAfterARedirectClosesBothServers() async throws {
    let shared = HostBudget(clock: ManualClock())
    let far = try #require(URL(string: "https://far.example/x"))
    let transport = BudgetedTransport(Redirected(far: far), budget: shared)
    #expect(try await transport.send(request(url("/go"))).status == 429)
    #expect(shared.coolDown(for: far) == .seconds(10) && shared.coolDown(for: base) == .seconds(10))
    #expect(shared.load == (0, 0))
  }

  @Test func H1_aBudgetThatMakesNoSenseIsNamed() {
    #expect(HostBudget.problem(maxConcurrentPerHost: 4, maxCoolDown: .seconds(1)) == nil)
    for (count, coolDown) in [(0, Duration.seconds(1)), (1_001, .seconds(1)), (4, .zero), (4, .seconds(86_401))] {
      let problem = HostBudget.problem(maxConcurrentPerHost: count, maxCoolDown: coolDown)
      #expect(problem?.contains(count == 4 ? "maxCoolDown" : "maxConcurrentPerHost") == true)
    }
  }
}
