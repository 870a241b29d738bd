import Foundation
import Loading
import LoadingHTTP
import PagingTesting
import Synchronization
import TestSupport
import Testing

@testable import ImageLoading

/// Over a real socket, where what a transport makes of it counts.
@Suite(.timeLimit(.minutes(10))) struct FetchSocketTests {
  private let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  private func load(
    _ server: LoopbackServer, _ bench: FetchBench, _ path: String = "/a"
  ) async throws -> FetchedBytes { try await bench.load(ImageRequest(server.url(path))) }

  @Test func B86_aChunkedBodyComesWholeInOneRequest() async throws {
    let body = body
    let server = try LoopbackServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nTransfer-Encoding: chunked\r\n\r\n")
      for start in stride(from: 0, to: body.count, by: 50_000) { connection.chunk(body[start..<start + 50_000]) }
      connection.chunk(Data())
    }
    let bench = FetchBench(transport: URLSessionTransport())
    #expect(try await load(server, bench).bytes == [UInt8](body))
    #expect(try await load(server, bench).origin == .disk)
    #expect(server.requests.count == 1)
  }

  @Test func B88_aConnectionThatDropsIsContinuedAndJoined() async throws {
    let body = body
    let server = try LoopbackServer { request, connection in
      guard let range = request.header("range"), request.header("if-range") == "\"1\"",
        let start = Int(range.dropFirst("bytes=".count).dropLast())
      else {
        connection.write(
          "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nAccept-Ranges: bytes\r\nContent-Length: \(body.count)\r\n\r\n")
        connection.write(body.prefix(100_000))
        connection.close()
        return
      }
      connection.reply(
        206, headers: [("ETag", "\"1\""), ("Content-Range", "bytes \(start)-\(body.count - 1)/\(body.count)")],
        body: Data(body[start...]))
    }
    let bench = FetchBench(transport: URLSessionTransport()) { $0.maxAttempts = 1 }
    do {
      _ = try await load(server, bench)
      Issue.record("the first load is cut")
    } catch let error as ImageError {
      #expect(error.code == .network)
    }
    #expect(try await load(server, bench).bytes == [UInt8](body))
    let start = try #require(server.requests.last?.header("range"))
    #expect(start != "bytes=0-")
    #expect(server.requests.count == 2)
  }

  @Test func B87_aBodyBeyondTheCapIsCutOffOnTheWire() async throws {
    let ends = ["/announced": Signal(), "/unannounced": Signal()]
    let server = try LoopbackServer { request, connection in
      if request.target == "/announced" {
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n")
        connection.waitForClose()
      } else {
        connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        connection.flood(chunked: true)
      }
      ends[request.target]?.fire()
    }
    for (path, end) in ends {
      let bench = FetchBench(transport: URLSessionTransport()) { $0.maxResponseBytes = 1 << 20 }
      do {
        _ = try await load(server, bench, path)
        Issue.record("\(path) is too long")
      } catch let error as ImageError {
        #expect(error.code == .limit)
      }
      await end.wait()
    }
  }

  @Test func B76_aRealServerIsAskedByItsTagAndAnswers304() async throws {
    let server = try LoopbackServer { request, connection in
      if request.header("if-none-match") == "\"1\"" {
        connection.reply(304, headers: [("ETag", "\"1\"")])
      } else {
        connection.reply(200, headers: [("ETag", "\"1\"")], text: "picture")
      }
    }
    let bench = FetchBench(transport: URLSessionTransport())
    #expect(try await load(server, bench).origin == .network)
    let again = try await load(server, bench)
    #expect(again.origin == .disk && String(decoding: again.bytes, as: UTF8.self) == "picture")
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { $0.header("accept-encoding") == "identity" })
  }

  @Test func B85_aRedirectedPictureIsKeptUnderTheURLThatWasAskedFor() async throws {
    let server = try LoopbackServer { request, connection in
      if request.target == "/a" {
        connection.reply(302, headers: [("Location", "/b")])
      } else {
        connection.reply(200, headers: [("Cache-Control", "max-age=60")], text: "picture")
      }
    }
    let bench = FetchBench(transport: URLSessionTransport())
    _ = try await load(server, bench)
    #expect(try await load(server, bench).origin == .disk)
    #expect(server.requests.count == 2)
    let loop = try LoopbackServer { _, connection in connection.reply(302, headers: [("Location", "/a")]) }
    do {
      _ = try await load(loop, bench)
      Issue.record("a loop fails")
    } catch let error as ImageError {
      #expect(error.code == .network && (error.cause as? HTTPError)?.code == .tooManyRedirects)
    }
  }

  @Test func I2_cancellingEndsTheRequestOnTheWire() async throws {
    let (begun, ended) = (Signal(), Signal())
    let server = try LoopbackServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome")
      begun.fire()
      connection.waitForClose()
      ended.fire()
    }
    let bench = FetchBench(transport: URLSessionTransport())
    let request = ImageRequest(server.url("/a"))
    let load = Task { await bench.outcome(request) }
    await begun.wait()
    load.cancel()
    #expect(await load.value == "CancellationError")
    await ended.wait()
  }
}
