import Foundation
import LoadingHTTP
import PagingTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct TransportDoublesTests {
  private func request(_ target: String, method: String = "GET") throws -> HTTPRequest {
    var request = URLRequest(url: try #require(URL(string: "https://example.com\(target)")))
    request.httpMethod = method
    return HTTPRequest(request)
  }

  private func body(_ reply: HTTPReply) -> String { String(decoding: reply.body, as: UTF8.self) }

  @Test func aStubAnswersByMethodPathAndQuery() async throws {
    let stub = StubTransport()
    stub.reply(to: "/a", with: "path")
    stub.reply(to: "/a?x=1", headers: ["X": "y"], with: "query")
    let created = HTTPReply(status: 201, body: Data(), url: URL(filePath: "/"), receivedAt: .distantPast)
    stub.reply(to: "/a", method: "POST", with: created)
    #expect(body(try await stub.send(try request("/a?x=2"))) == "path")
    let reply = try await stub.send(try request("/a?x=1"))
    #expect(body(reply) == "query" && reply.headers["x"] == "y" && reply.url.query() == "x=1")
    #expect(try await stub.send(try request("/a", method: "POST")).status == 201)
    #expect(stub.requests.count == 3)
    let error = await #expect(throws: UnexpectedRequest.self) { try await stub.send(try request("/b?y")) }
    #expect(error?.description.contains("GET /b?y") == true)
  }

  @Test func aStubAnswersInTurnAndStaysWithTheLast() async throws {
    let stub = StubTransport()
    let replies = [500, 503, 200].map {
      HTTPReply(status: $0, body: Data(), url: URL(filePath: "/"), receivedAt: .distantPast)
    }
    stub.reply(to: "/a", inTurn: replies)
    var seen: [Int] = []
    for _ in 0..<4 { seen.append(try await stub.send(try request("/a")).status) }
    #expect(seen == [500, 503, 200, 200])
    stub.reply(to: "/a", inTurn: [])
    await #expect(throws: UnexpectedRequest.self) { try await stub.send(try request("/a")) }
  }

  @Test func aStubKeepsTheBoundAndStreams() async throws {
    let stub = StubTransport()
    stub.reply(to: "/a", with: "12345")
    var small = try request("/a")
    small.maxBodyBytes = 4
    let error = await #expect(throws: HTTPError.self) { try await stub.send(small) }
    #expect(error?.code == .bodyTooLarge)
    let streamed = try await stub.stream(try request("/a"))
    #expect(streamed.head.body.isEmpty && streamed.head.status == 200)
    var bytes = Data()
    for try await piece in streamed.body { bytes += piece }
    #expect(bytes == Data("12345".utf8))
  }

  @Test func faultsComeInTheOrderOfThePlan() async throws {
    let clock = ManualClock()
    let stub = StubTransport()
    stub.reply(to: "/a", with: "12345")
    let faulty = FaultyTransport(stub, clock: clock)
    faulty.plan(.reset, .none, .status(503, retryAfter: "2"), .truncate(after: 3), .latency(.seconds(2)))
    func send() async throws -> HTTPReply { try await faulty.send(try request("/a")) }
    #expect(await #expect(throws: HTTPError.self) { try await send() }?.code == .connectionFailed)
    #expect(body(try await send()) == "12345")
    let refused = try await send()
    #expect(refused.status == 503 && refused.retryAfter == .seconds(2))
    #expect(await #expect(throws: HTTPError.self) { try await send() }?.code == .invalidResponse)
    // Neither the reset nor the refusal reached the server.
    #expect(stub.requests.count == 2 && faulty.faultsLeft == 1)
    let late = Task { try await send() }
    await clock.sleepers(atLeast: 1)
    #expect(stub.requests.count == 2)
    await clock.advance(by: .seconds(2))
    #expect(try await late.value.status == 200)
    #expect(try await send().status == 200 && faulty.requestCount == 6)
  }

  @Test func aTruncatedStreamGivesWhatCame() async throws {
    let stub = StubTransport()
    stub.reply(to: "/a", with: "12345")
    stub.reply(to: "/empty", with: "")
    let faulty = FaultyTransport(stub)
    for (cut, expected) in [(3, "123"), (0, ""), (99, "1234"), (-1, "")] {
      faulty.plan(.truncate(after: cut))
      let reply = try await faulty.stream(try request("/a"))
      var bytes = Data()
      await #expect(throws: HTTPError.self) { for try await piece in reply.body { bytes += piece } }
      #expect(bytes == Data(expected.utf8))
    }
    faulty.plan(.truncate(after: 1))
    #expect(try await faulty.send(try request("/empty")).body.isEmpty)
  }

  @Test func whatHangsEndsWithItsTask() async throws {
    let faulty = FaultyTransport(StubTransport())
    faulty.plan(.hang)
    let hanging = Task { try await faulty.send(try request("/a")) }
    hanging.cancel()
    await #expect(throws: CancellationError.self) { try await hanging.value }
  }
}
