import Foundation
import LoadingHTTP
import Synchronization
import TestSupport
import Testing

@testable import pages

/// What comes between a walk and its end: disks, networks, proxies, servers that ask for time, and the user.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WalkFaultTests {
  private static let rows = ServedRows(count: 1000) { "{\"id\":\($0)}" }
  private static let lines = (0..<1000).map { "{\"id\":\($0)}" }

  // MARK: - Disks and pipes

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func aFullDiskIsAFailureOfTheOtherSide() async throws {
    let server = try ListServer(Self.rows)
    let program = shellQuoted(try Tool.path)
    let piped = try await Tool.shell("\(program) walk '\(server.url("/link?limit=50"))' > /dev/full")
    #expect(piped.status == 1 && piped.errors.contains("No space left"))
  }

  @Test func aFullFolderKeepsWholeRowsAndCanBeGoneOnWith() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("small-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // Only the system's own user may make a small disk.
    guard try await Tool.shell("mount -t tmpfs -o size=16k none \(folder) 2>/dev/null").status == 0 else { return }
    let server = try ListServer(
      ServedRows(count: 1000) { "{\"id\":\($0),\"text\":\"A row of some length, and this is \($0).\"}" })
    let file = folder + "/rows.ndjson"
    let first = try await Tool.run(["walk", server.url("/link?limit=25"), "--output", file])
    #expect(first.status == 1 && first.errors.contains("No space left"), "\(first.errors)")
    let kept = try String(contentsOfFile: file, encoding: .utf8)
    #expect(kept.hasSuffix("}\n") || kept.isEmpty)
    #expect(try await Tool.shell("mount -o remount,size=1m \(folder)").status == 0)
    let rest = try await Tool.shell(try #require(first.offeredLine))
    #expect(rest.status == 0, "\(rest.errors)")
    let all = try String(contentsOfFile: file, encoding: .utf8)
    #expect(all.hasPrefix(kept) && all.split(separator: "\n").count == 1000)
    _ = try await Tool.shell("umount \(folder)")
  }

  // MARK: - Networks

  @Test func aHostThatNobodyKnowsIsNamed() async throws {
    let run = try await Tool.run(["walk", "http://nowhere.invalid/rows"])
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors.contains("nowhere.invalid"), "\(run.errors)")
  }

  @Test(
    .enabled(if: RealServer.Kind.faults.isInstalled, "the servers are not installed"),
    arguments: ["cut", "reset reset reset", "resetmid resetmid resetmid", "html", "status:500"])
  func aProxyThatBreaksAnAnswerLosesNoRow(step: String) async throws {
    let proxy = try await WalkServers.shared.proxy(before: .fastapi)
    try await proxy.tell("plan ok ok \(step)")
    let first = try await Tool.run(["walk", proxy.url("/expiring").absoluteString])
    #expect(first.status == 1, "\(step)")
    #expect(first.lines.count == 40)
    #expect(first.errors.split(separator: "\n").count == 3, "\(first.errors)")
    try await proxy.tell("plan ok")
    let rest = try await Tool.shell(try #require(first.offeredLine))
    #expect(rest.status == 0, "\(rest.errors)")
    let all = first.lines + rest.lines
    #expect(all.count == WalkServers.count && Set(all).count == WalkServers.count)
  }

  // MARK: - Servers that ask for time

  @Test(arguments: [("Retry-After", "0"), ("retry-after", "1"), ("X-RateLimit-Reset", "1")])
  func aRefusalThatSaysHowLongIsWaitedFor(name: String, value: String) async throws {
    let refused = Mutex(0)
    let server = try LoopbackServer { request in
      let page = request.number("page") ?? 1
      if page == 2,
        refused.withLock({
          $0 += 1
          return $0 <= 2
        })
      {
        return ServedReply(
          status: 429, headers: [(name, value), ("X-RateLimit-Remaining", "0")], body: .bytes(Array("{}".utf8)))
      }
      return .json("{\"items\": [{\"id\": \(page)}], \"next\": \(page < 3 ? "\"/?page=\(page + 1)\"" : "null")}")
    }
    let start = ContinuousClock.now
    let run = try await Tool.run(["walk", server.url("/?page=1")])
    #expect(run.status == 0 && run.lines == (1...3).map { "{\"id\":\($0)}" }, "\(run.errors)")
    #expect(run.errors.contains("asks to wait 1 s (status 429)"))
    #expect(server.requestCount == 5)
    if value == "1" { #expect(ContinuousClock.now - start >= .seconds(2)) }
  }

  @Test func aRefusalWithoutAWordOfWhenIsAFailure() async throws {
    let server = try LoopbackServer { _ in .refusal(429, "not so fast") }
    let run = try await Tool.run(["walk", server.url("/")])
    #expect(run.status == 1 && run.errors.contains("not so fast"))
    let long = try LoopbackServer { _ in
      ServedReply(status: 503, headers: [("Retry-After", "86400")], body: .bytes(Array("{}".utf8)))
    }
    #expect(try await Tool.run(["walk", long.url("/")]).status == 1)
    #expect(server.requestCount == 1 && long.requestCount == 1)
  }

  @Test func theUserNeedNotWait() async throws {
    let server = try LoopbackServer { request in
      request.number("page") == nil
        ? .json("{\"items\": [{\"id\": 1}], \"next\": \"/?page=2\"}")
        : ServedReply(status: 503, headers: [("Retry-After", "600")], body: .bytes(Array("{}".utf8)))
    }
    let piped = try await Tool.run(["walk", server.url("/")]) { pid, _ in kill(pid, SIGINT) }
    #expect(piped.status == 130 && piped.lines == ["{\"id\":1}"])
    #expect(piped.offeredLine?.contains("--from") == true, "\(piped.errors)")
  }

  @Test func whatServersSayOfTheirBudgets() throws {
    func reply(_ status: Int, _ headers: HTTPHeaders) throws -> HTTPReply {
      HTTPReply(
        status: status, headers: headers, body: Data(), url: try #require(URL(string: "http://127.0.0.1/")),
        receivedAt: Date(timeIntervalSince1970: 2_000_000_000))
    }
    let spent: HTTPHeaders = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2000000030"]
    #expect(ServerBudget.wait(toldBy: try reply(403, spent)) == .seconds(30))
    #expect(ServerBudget.wait(toldBy: try reply(429, spent)) == .seconds(30))
    #expect(ServerBudget.wait(toldBy: try reply(200, spent)) == nil)
    #expect(ServerBudget.wait(toldBy: try reply(403, ["Retry-After": "5"])) == nil)
    #expect(
      ServerBudget.wait(toldBy: try reply(429, ["X-RateLimit-Remaining": "3", "X-RateLimit-Reset": "9"])) == nil)
    #expect(
      ServerBudget.wait(toldBy: try reply(429, ["RateLimit-Remaining": "0", "RateLimit-Reset": "9"])) == .seconds(9))
    #expect(ServerBudget.pause(after: try reply(200, ["Backoff": "3"])) == .seconds(3))
    #expect(ServerBudget.pause(after: try reply(200, ["Backoff": "-3"])) == nil)
    #expect(ServerBudget.pause(after: try reply(503, ["Backoff": "3"])) == nil)
  }
}
