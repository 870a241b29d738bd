import Foundation
import LoadingHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a test got thrown.
func failure<T>(_ body: () async throws -> T) async -> HTTPError? {
  do {
    _ = try await body()
    return nil
  } catch { return error as? HTTPError }
}

extension TransportTests {
  @Suite struct TransportBodyTests {
    @Test func anyStatusIsAReply() async throws {
      let server = try LoopbackServer { request, connection in
        let status = Int(request.target.dropFirst()) ?? 0
        connection.reply(
          status, headers: [("X-Status", "\(status)")], text: status == 204 || status == 304 ? "" : "body")
      }
      let transport = URLSessionTransport(now: { Date(timeIntervalSince1970: 7) })
      for status in [200, 201, 204, 300, 304, 400, 404, 410, 429, 500, 503] {
        let reply = try await transport.send(HTTPRequest(server.url("/\(status)")))
        #expect(reply.status == status)
        #expect(reply.headers["x-status"] == "\(status)")
        #expect(reply.body == Data((status == 204 || status == 304 ? "" : "body").utf8), "\(status)")
        #expect(reply.url == server.url("/\(status)"))
        #expect(reply.receivedAt == Date(timeIntervalSince1970: 7))
      }
    }

    @Test(arguments: ["Bearer", "Basic realm=\"x\"", "Digest realm=\"x\", nonce=\"1\"", "Negotiate", "", "=,,="])
    func aRefusalOfCredentialsIsAReplyWithItsBody(challenge: String) async throws {
      let server = try LoopbackServer { _, connection in
        connection.reply(401, headers: [("WWW-Authenticate", challenge)], text: "who are you?")
      }
      let transport = URLSessionTransport(now: { Date(timeIntervalSince1970: 7) })
      for _ in 0..<3 {
        let reply = try await transport.send(HTTPRequest(server.url()))
        #expect(reply.status == 401)
        #expect(reply.receivedAt == Date(timeIntervalSince1970: 7))
        #expect(reply.body == Data("who are you?".utf8))
      }
      #expect(server.requests.count == 3)
    }

    @Test func methodHeadersAndBodyGoOut() async throws {
      let server = try LoopbackServer { request, connection in connection.reply(body: request.body) }
      var request = URLRequest(url: server.url("/p?a=b%2Bc"))
      request.httpMethod = "POST"
      request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
      request.setValue("k=v", forHTTPHeaderField: "Cookie")
      request.httpBody = Data(repeating: 65, count: 300_000)
      let reply = try await URLSessionTransport().send(HTTPRequest(request))
      #expect(reply.body == request.httpBody)
      let seen = try #require(server.requests.first)
      #expect(seen.method == "POST" && seen.target == "/p?a=b%2Bc")
      #expect(seen.header("content-type") == "text/plain" && seen.header("cookie") == "k=v")
    }

    @Test func nothingIsCachedAndNoCookieKept() async throws {
      let server = try LoopbackServer { _, connection in
        connection.reply(
          headers: [("Set-Cookie", "a=b"), ("Cache-Control", "max-age=600"), ("ETag", "\"x\"")], text: "x")
      }
      let transport = URLSessionTransport()
      for _ in 0..<3 { _ = try await transport.send(HTTPRequest(server.url())) }
      #expect(server.requests.count == 3)
      #expect(server.requests.allSatisfy { $0.header("cookie") == nil && $0.header("if-none-match") == nil })
      #expect(server.connectionCount == 1, "connections are kept")
    }

    @Test func H2_bodyAboveTheLimitIsCutOff() async throws {
      // The least of three, since the memory is that of all tests that run in this process meanwhile. From before the first: what
      // a reply that wasn't cut off would leave behind counts each time.
      let before = residentBytes()
      var growths: [Int] = []
      for _ in 0..<3 {
        let closed = Signal()
        let server = try LoopbackServer { _, connection in
          connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
          connection.flood(chunked: true)
          closed.fire()
        }
        let error = await failure { try await URLSessionTransport().send(HTTPRequest(server.url("/big?key=secret"))) }
        #expect(error?.code == .bodyTooLarge)
        #expect(error?.message.contains("127.0.0.1/big") == true && error?.message.contains("secret") == false)
        await closed.wait()
        growths.append(residentBytes() - before)
        if growths.contains(where: { $0 < 200 << 20 }) { break }
      }
      #expect(growths.contains { $0 < 200 << 20 }, "\(growths)")
    }

    @Test func H2_anAnnouncedBodyAboveTheLimitIsRefusedAtOnce() async throws {
      let closed = Signal()
      let server = try LoopbackServer { request, connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n")
        if request.method != "HEAD" {
          connection.waitForClose()
          closed.fire()
        }
      }
      let transport = URLSessionTransport()
      let error = await failure { try await transport.send(HTTPRequest(server.url())) }
      #expect(error?.code == .bodyTooLarge)
      #expect(error?.status == 200)
      await closed.wait()
      var head = URLRequest(url: server.url())
      head.httpMethod = "HEAD"
      #expect(try await transport.send(HTTPRequest(head)).status == 200)
    }

    @Test func H2_aBodyOfExactlyTheLimitComes() async throws {
      let server = try LoopbackServer { _, connection in connection.reply(body: Data(count: 100_000)) }
      let transport = URLSessionTransport()
      let fits = HTTPRequest(URLRequest(url: server.url()), maxBodyBytes: 100_000)
      #expect(try await transport.send(fits).body.count == 100_000)
      let tooSmall = HTTPRequest(URLRequest(url: server.url()), maxBodyBytes: 99_999)
      #expect(await failure { try await transport.send(tooSmall) }?.code == .bodyTooLarge)
    }

    @Test func H2_streamedBodiesAreLimitedToo() async throws {
      let closed = Signal()
      let server = try LoopbackServer { _, connection in
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        connection.flood()
        closed.fire()
      }
      let transport = URLSessionTransport()
      let reply = try await transport.stream(HTTPRequest(URLRequest(url: server.url()), maxBodyBytes: 1 << 20))
      var count = 0
      let error = await failure { for try await piece in reply.body { count += piece.count } }
      #expect(error?.code == .bodyTooLarge)
      #expect(count <= 1 << 20)
      await closed.wait()
    }

    @Test func aStreamGivesTheHeadFirstAndThenEachPiece() async throws {
      let gates = [Signal(), Signal()]
      let server = try LoopbackServer { _, connection in
        connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n")
        gates[0].block()
        connection.chunk(Data("one".utf8))
        gates[1].block()
        connection.chunk(Data("two".utf8))
        connection.chunk(Data())
      }
      let transport = URLSessionTransport()
      let reply = try await transport.stream(HTTPRequest(server.url()))
      #expect(reply.head.status == 200 && reply.head.headers["x-a"] == "1" && reply.head.body.isEmpty)
      var pieces = reply.body.makeAsyncIterator()
      gates[0].fire()
      #expect(try await pieces.next() == Data("one".utf8))
      gates[1].fire()
      #expect(try await pieces.next() == Data("two".utf8))
      #expect(try await pieces.next() == nil)
      #expect(try await pieces.next() == nil)
    }

    @Test func linesOfOneHeaderAreJoined() async throws {
      let server = try LoopbackServer { _, connection in
        connection.reply(
          headers: [("Link", "<a>; rel=next"), ("Link", "<b>; rel=prev"), ("Next-Page", "x+/=")], text: "")
      }
      let headers = try await URLSessionTransport().send(HTTPRequest(server.url())).headers
      #expect(headers["link"] == "<a>; rel=next, <b>; rel=prev")
      #expect(headers["next-page"] == "x+/=")
    }

    @Test func H3_twoHundredRequestsAtOnce() async throws {
      let server = try LoopbackServer { request, connection in connection.reply(text: request.target) }
      let transport = URLSessionTransport()
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<200 {
          group.addTask {
            let reply = try await transport.send(HTTPRequest(server.url("/\(number)")))
            return reply.body == Data("/\(number)".utf8)
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
      #expect(Set(server.requests.map(\.target)).count == 200)
    }
  }
}

/// The memory this process has in use, in bytes; 0 where it cannot be told.
private func residentBytes() -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
  let words = text.split(separator: " ")
  return words.count > 1 ? (Int(words[1]) ?? 0) * 4096 : 0
}
