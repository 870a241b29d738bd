import Foundation
import Loading
import PagingTesting
import TestSupport
import Testing

@testable import LoadingHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension TransportTests {
  @Suite struct TransportBudgetTests {
    @Test func H1_threeLoadersShareOneBudgetOnTheWire() async throws {
      let clock = ManualClock()
      let shared = HostBudget(maxConcurrentPerHost: 1, clock: clock)
      let server = try LoopbackServer { request, connection in
        if request.target == "/refused" {
          connection.reply(
            429,
            headers: [
              ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Retry-After", "Sunday, 06-Nov-94 08:50:07 GMT"),
            ], text: "slow down")
        } else {
          connection.reply(text: request.target)
        }
      }
      let list = URLSessionTransport(budget: shared)
      let otherList = URLSessionTransport(budget: shared)
      let images = URLSessionTransport(budget: shared)
      let refused = try await list.send(request(server.url("/refused")))
      #expect(refused.status == 429 && refused.body == Data("slow down".utf8))
      try #require(shared.coolDown(for: server.url("/x")) == .seconds(30))
      let tasks = [
        Task { try await list.send(request(server.url("/low"), .low)).body },
        Task { try await otherList.send(request(server.url("/medium"))).body },
        Task { try await images.send(request(server.url("/high"), .high)).body },
      ]
      await budget(shared, waits: 3, runs: 0)
      await clock.advance(by: .seconds(29))
      #expect(server.requests.count == 1)
      await clock.advance(by: .seconds(1))
      for (task, path) in zip(tasks, ["/low", "/medium", "/high"]) { #expect(try await task.value == Data(path.utf8)) }
      #expect(server.requests.map(\.target) == ["/refused", "/high", "/medium", "/low"])
      await budget(shared, waits: 0, runs: 0)
    }

    @Test func H1_aRedirectCountsForTheServerItLeadsTo() async throws {
      let clock = ManualClock()
      let shared = HostBudget(maxConcurrentPerHost: 1, clock: clock)
      let arrivedFar = Signal()
      let far = try LoopbackServer { request, connection in
        if request.target == "/refused" {
          connection.reply(503, headers: [("Retry-After", "7")])
        } else {
          arrivedFar.fire()
          connection.reply(text: "far")
        }
      }
      let target = far.url("/target").absoluteString
      let near = try LoopbackServer { request, connection in
        if request.target == "/go" {
          connection.reply(302, headers: [("Location", target)])
        } else {
          connection.reply()
        }
      }
      let transport = URLSessionTransport(budget: shared)
      #expect(try await transport.send(request(far.url("/refused"))).status == 503)
      try #require(shared.coolDown(for: far.url()) == .seconds(7))
      let redirected = Task { try await transport.send(request(near.url("/go"))).body }
      // Either it waits for the far server, or it has gone there.
      while shared.load != (1, 0), !arrivedFar.isFired { await Task.yield() }
      try #require(!arrivedFar.isFired, "the redirect was counted for the server that it came from")
      // The near one's only slot is free.
      #expect(try await transport.send(request(near.url("/"))).status == 200)
      #expect(far.requests.count == 1)
      await clock.advance(by: .seconds(7))
      #expect(try await redirected.value == Data("far".utf8))
      await budget(shared, waits: 0, runs: 0)
    }

    @Test(arguments: ["dropped", "cancelled", "read"])
    func H1_aStreamedBodyHoldsItsSlot(how: String) async throws {
      let shared = HostBudget(maxConcurrentPerHost: 1)
      let goesOn = Signal()
      let server = try LoopbackServer { request, connection in
        guard request.target == "/long" else { return connection.reply(text: "next") }
        connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        connection.chunk(Data("part".utf8))
        goesOn.block()
        connection.chunk(Data("rest".utf8))
        connection.chunk(Data())
      }
      defer { goesOn.fire() }
      let transport = URLSessionTransport(budget: shared)
      var reply: HTTPStreamedReply? = try await transport.stream(request(server.url("/long")))
      let next = Task { try await transport.send(request(server.url("/next"))).body }
      await budget(shared, waits: 1, runs: 1)
      #expect(server.requests.count == 1)
      switch how {
      case "dropped": reply = nil
      case "cancelled":
        let body = try #require(reply).body
        reply = nil
        let reader = Task { for try await _ in body {} }
        reader.cancel()
        _ = await reader.result
      default:
        goesOn.fire()
        var bytes = Data()
        for try await piece in try #require(reply).body { bytes += piece }
        #expect(bytes == Data("partrest".utf8))
      }
      // The slot passes on with the end itself, before anyone hears of it.
      try #require(shared.load.waiting == 0, "the slot is kept")
      #expect(try await next.value == Data("next".utf8))
    }

    @Test func H1_aFailedRequestGivesItsSlotBack() async throws {
      let shared = HostBudget(maxConcurrentPerHost: 1)
      let server = try LoopbackServer { request, connection in
        request.target == "/big" ? connection.reply(body: Data(count: 100)) : connection.reply(text: "next")
      }
      let transport = URLSessionTransport(budget: shared)
      var big = request(server.url("/big"))
      big.maxBodyBytes = 10
      #expect(await failure { try await transport.send(big) }?.code == .bodyTooLarge)
      try #require(shared.load == (0, 0), "the slot is kept")
      #expect(try await transport.send(request(server.url("/next"))).status == 200)
      await budget(shared, waits: 0, runs: 0)
    }
  }
}
