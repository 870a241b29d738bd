import Foundation
import LoadingHTTP
import Synchronization
import Testing

@testable import pages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How a probe's requests are bounded.
@Suite(.timeLimit(.minutes(5))) struct ProbeTransportTests {
  /// Answers with those replies, the last one for ever.
  private final class Scripted: HTTPTransport {
    private let replies: [(status: Int, headers: HTTPHeaders)]
    private let sent = Mutex(0)

    init(_ replies: [(status: Int, headers: HTTPHeaders)]) {
      self.replies = replies
    }

    var count: Int { sent.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPReply {
      let number = sent.withLock { sent in
        sent += 1
        return sent
      }
      let reply = replies[min(number, replies.count) - 1]
      let url = request.urlRequest.url ?? URL(filePath: "/")
      return HTTPReply(status: reply.status, headers: reply.headers, body: Data(), url: url, receivedAt: Date())
    }

    func stream(_ request: HTTPRequest) async throws -> HTTPStreamedReply { throw CancellationError() }
  }

  private func request() throws -> HTTPRequest { HTTPRequest(try #require(URL(string: "http://127.0.0.1/x"))) }

  private func bounded(_ server: Scripted, limit: Int = 10) -> ProbeTransport {
    ProbeTransport(server, limit: limit, pace: .zero, notes: Notes(isSilent: true))
  }

  @Test func noMoreThanTheLimitAreMade() async throws {
    let server = Scripted([(200, [:])])
    let transport = bounded(server, limit: 3)
    for _ in 0..<3 { _ = try await transport.send(request()) }
    await #expect(throws: ProbeTransport.Stop.requests(3)) { try await transport.send(request()) }
    #expect(server.count == 3 && transport.count == 3)
  }

  @Test func aRefusalIsWaitedOutAndAskedAgain() async throws {
    let server = Scripted([(429, ["Retry-After": "1"]), (200, [:])])
    let transport = bounded(server)
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try await transport.send(request()).status == 200)
    #expect(clock.now - start >= .seconds(1))
    #expect(transport.throttles.count == 1 && transport.throttles.seconds == 1)
  }

  @Test func aGoodReplyMayAskForRestToo() async throws {
    let server = Scripted([(200, ["Backoff": "1"]), (200, [:])])
    let transport = bounded(server)
    // From before the first: the rest begins with its reply, not when this task gets its turn again.
    let clock = ContinuousClock()
    let start = clock.now
    _ = try await transport.send(request())
    _ = try await transport.send(request())
    #expect(clock.now - start >= .seconds(1))
    #expect(transport.throttles.count == 1)
  }

  @Test func aLongWaitEndsTheProbe() async throws {
    let transport = bounded(Scripted([(503, ["Retry-After": "600"])]))
    await #expect(throws: ProbeTransport.Stop.waits(600)) { try await transport.send(request()) }
  }

  @Test func aRefusalWithoutATimeIsTheAnswer() async throws {
    let server = Scripted([(503, [:])])
    let transport = bounded(server)
    #expect(try await transport.send(request()).status == 503)
    #expect(server.count == 1 && transport.throttles.count == 1)
  }
}
