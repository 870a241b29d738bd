import Foundation
import LoadingHTTP
import PagingTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportTests {
  @Suite struct TransportFailureTests {
    @Test func H3_aServerThatIsDownRefuses() async throws {
      let port = try LoopbackServer.closedPort()
      let url = try #require(URL(string: "http://127.0.0.1:\(port)/x?key=secret"))
      let error = await failure { try await URLSessionTransport().send(HTTPRequest(url)) }
      #expect(error?.code == .connectionFailed)
      #expect(error?.message.contains("127.0.0.1/x") == true && error?.message.contains("secret") == false)
    }

    @Test func H3_aServerThatNeverAnswersTimesOut() async throws {
      let closed = Signal()
      let server = try LoopbackServer { _, connection in
        connection.waitForClose()
        closed.fire()
      }
      let transport = URLSessionTransport(config: HTTPTransportConfig(timeout: .milliseconds(200)))
      let start = ContinuousClock.now
      let error = await failure { try await transport.send(HTTPRequest(server.url())) }
      #expect(error?.code == .timedOut)
      #expect(ContinuousClock.now - start >= .milliseconds(200))
      await closed.wait()
    }

    @Test func H3_aServerThatStopsInTheBodyTimesOut() async throws {
      let server = try LoopbackServer { _, connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        connection.waitForClose()
      }
      let transport = URLSessionTransport(config: HTTPTransportConfig(timeout: .milliseconds(200)))
      #expect(await failure { try await transport.send(HTTPRequest(server.url())) }?.code == .timedOut)
      // Time stands still until the half is there, which a busy machine may bring late.
      let clock = ManualClock()
      let still = URLSessionTransport(config: HTTPTransportConfig(timeout: .milliseconds(200)), clock: clock)
      let reply = try await still.stream(HTTPRequest(server.url()))
      var pieces = reply.body.makeAsyncIterator()
      #expect(try await pieces.next() == Data("half".utf8))
      // The timeout is measured in quarters, each of which begins when the one before is over.
      for _ in 0..<4 {
        await clock.sleepers(atLeast: 1)
        await clock.advance(by: .milliseconds(50))
      }
      do {
        _ = try await pieces.next()
        Issue.record("more than the half came")
      } catch {
        #expect((error as? HTTPError)?.code == .timedOut)
      }
      withExtendedLifetime(still) {}
    }

    @Test(arguments: ["cut", "cutChunked", "resetInBody"])
    func H3_aBodyThatBreaksOffIsNoReply(how: String) async throws {
      let server = try LoopbackServer { _, connection in
        switch how {
        case "cut":
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
          connection.close()
        case "cutChunked":
          connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf")
          connection.close()
        default:
          connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
          connection.reset()
        }
      }
      let transport = URLSessionTransport()
      let error = await failure { try await transport.send(HTTPRequest(server.url())) }
      // A reset may overtake the head.
      #expect(error?.code == .invalidResponse || how == "resetInBody" && error?.code == .connectionFailed)
      #expect(error?.cause != nil)
    }

    @Test(arguments: ["close", "reset"])
    func H3_aConnectionThatEndsBeforeTheAnswerFails(how: String) async throws {
      let server = try LoopbackServer { _, connection in how == "close" ? connection.close() : connection.reset() }
      let error = await failure { try await URLSessionTransport().send(HTTPRequest(server.url())) }
      #expect(error?.code == .connectionFailed)
    }

    @Test(arguments: [
      "220 mail.example ESMTP\r\n", "HTTP/1.1 abc\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "HTTP/1.1 20",
      "HTTP/1.1 200 OK\r\nbroken\r\n\r\n",
    ])
    func whatIsNotHTTPIsAnError(answer: String) async throws {
      let server = try LoopbackServer { _, connection in
        connection.write(answer)
        connection.close()
      }
      let error = await failure { try await URLSessionTransport().send(HTTPRequest(server.url())) }
      #expect(error?.code == .invalidResponse || error?.code == .connectionFailed, "\(String(describing: error))")
    }

    @Test func whatIsNoHTTPURLIsRefused() async throws {
      for text in ["ftp://a.example/", "file:///etc/hosts", "relative", "http:///x", "data:,x"] {
        let url = try #require(URL(string: text))
        #expect(
          await failure { try await URLSessionTransport().send(HTTPRequest(url)) }?.code == .invalidURL, "\(text)")
      }
    }

    @Test func H3_cancelledBeforeTheStartNothingIsAsked() async throws {
      let server = try LoopbackServer { _, connection in connection.reply() }
      let transport = URLSessionTransport()
      let gate = Signal()
      let task = Task {
        await gate.wait()
        return try await transport.send(HTTPRequest(server.url()))
      }
      task.cancel()
      gate.fire()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(server.requests.isEmpty)
    }

    @Test func H3_cancellingClosesARequestThatWaitsForItsHead() async throws {
      let asked = Signal()
      let closed = Signal()
      let server = try LoopbackServer { _, connection in
        asked.fire()
        connection.waitForClose()
        closed.fire()
      }
      let transport = URLSessionTransport()
      let task = Task { try await transport.send(HTTPRequest(server.url())) }
      await asked.wait()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await closed.wait()
    }

    @Test(arguments: [false, true])
    func H3_cancellingClosesARequestInAFloodOfBody(streams: Bool) async throws {
      let started = Signal()
      let closed = Signal()
      let server = try LoopbackServer { _, connection in
        connection.write("HTTP/1.1 200 OK\r\n\r\n")
        connection.flood(started: started)
        closed.fire()
      }
      let transport = URLSessionTransport()
      // So high a limit that only the cancellation ends it in time.
      let request = HTTPRequest(URLRequest(url: server.url()), maxBodyBytes: 4 << 30)
      let task = Task {
        if streams {
          let reply = try await transport.stream(request)
          for try await _ in reply.body {}
          try Task.checkCancellation()
        } else {
          _ = try await transport.send(request)
        }
      }
      await started.wait()
      let start = ContinuousClock.now
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await closed.wait()
      #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func H3_droppingAStreamClosesItsRequest() async throws {
      let closed = Signal()
      let server = try LoopbackServer { _, connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
        connection.waitForClose()
        closed.fire()
      }
      let transport = URLSessionTransport()
      do {
        let reply = try await transport.stream(HTTPRequest(server.url()))
        for try await piece in reply.body {
          #expect(piece == Data("half".utf8))
          break
        }
      }
      await closed.wait()
    }

    @Test func H3_releasingTheTransportEndsWhatIsUnderWay() async throws {
      let closed = Signal()
      let server = try LoopbackServer { _, connection in
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        connection.waitForClose()
        closed.fire()
      }
      var transport: URLSessionTransport? = URLSessionTransport()
      weak let released = transport
      let reply = try #require(try await transport?.stream(HTTPRequest(server.url())))
      transport = nil
      #expect(released == nil)
      #expect(await failure { for try await _ in reply.body {} }?.code == .transportClosed)
      await closed.wait()
    }

    @Test func H3_anIdleTransportClosesItsConnectionsWhenReleased() async throws {
      let closed = Signal()
      let server = try LoopbackServer { _, connection in
        connection.reply(text: "x")
        connection.waitForClose()
        closed.fire()
      }
      var transport: URLSessionTransport? = URLSessionTransport()
      _ = try await transport?.send(HTTPRequest(server.url()))
      transport = nil
      await closed.wait()
    }
  }
}
