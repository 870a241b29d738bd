import Foundation
import Synchronization
import Testing

@testable import pages

/// Kills a process when a certain request has come, and a little later than that. It is answered a few requests more at
/// the most, however late the threads are that see to its end.
private final class Killer: Sendable {
  private struct State {
    /// Which process it is about.
    var round = 0
    /// How many requests are to come until then; nil: nobody is to be killed.
    var requests: Int?
    var delay: UInt32 = 0
    /// Who is to be killed; nil: that is not known yet.
    var pid: pid_t?
  }

  /// How many requests more are answered.
  static let most = 4
  private let state = Mutex(State())

  /// The next process is to be killed.
  func kill(atRequest requests: Int, after delay: UInt32) {
    state.withLock { $0 = State(round: $0.round + 1, requests: requests, delay: delay) }
  }

  /// The process has that number.
  func name(_ pid: pid_t) { state.withLock { $0.pid = pid } }

  /// Nobody is to be killed any more.
  func spare() { state.withLock { $0 = State(round: $0.round + 1) } }

  /// Returns when the request may be answered.
  func requestCame() {
    let now = state.withLock { state -> State in
      state.requests? -= 1
      return state
    }
    guard let left = now.requests else { return }
    if left == 0 { Thread.detachNewThread { self.kill(in: now.round, after: now.delay) } }
    while left < -Self.most, state.withLock({ $0.round == now.round }) { usleep(1000) }
  }

  private func kill(in round: Int, after delay: UInt32) {
    usleep(delay)
    while true {
      let now = state.withLock { $0 }
      guard now.round == round else { return }
      if let pid = now.pid {
        _ = Foundation.kill(pid, SIGKILL)
        return
      }
      usleep(1000)
    }
  }
}

/// `--output FILE --resume`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WalkResumeTests {
  private static let pages = max(240, (kills + 2) * (Killer.most + 2))
  private static let size = 20
  /// Kills of one walk: some where many tests run, as many as are asked for elsewhere.
  private static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 6
  private static let lines = (0..<(pages * size)).map {
    "{\"id\":\($0),\"text\":\"Row \($0) of a list, and some more of it\"}"
  }
  private static var text: String { lines.map { $0 + "\n" }.joined() }

  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("walk-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
  }

  /// Pages of which each begins with the last row of the one before, as where a row came in above meanwhile.
  private func server(_ killer: Killer? = nil) throws -> LoopbackServer {
    try LoopbackServer { request in
      killer?.requestCame()
      if killer != nil { usleep(2000) }
      let page = request.number("page") ?? 0
      let start = max(0, page * Self.size - 1)
      let rows = Self.lines[start..<((page + 1) * Self.size)].joined(separator: ",")
      let next = page + 1 < Self.pages ? "\"/rows?page=\(page + 1)\"" : "null"
      return .json("{\"items\": [\(rows)], \"next\": \(next)}")
    }
  }

  private func exits(_ words: [String], started: (pid_t) -> Void) async throws -> (status: Int32, wasKilled: Bool) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Tool.path)
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    started(process.processIdentifier)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        process.waitUntilExit()
        continuation.resume()
      }
    }
    return (process.terminationStatus, process.terminationReason == .uncaughtSignal)
  }

  @Test func killedAtAnyInstantTheFileIsTheListInTheEnd() async throws {
    try await inFolder { folder in
      let killer = Killer()
      let server = try server(killer)
      defer { killer.spare() }
      let file = folder + "/rows.ndjson"
      let words = ["walk", server.url("/rows"), "--output", file, "--resume"]
      var generator = SystemRandomNumberGenerator()
      for _ in 0..<Self.kills {
        // Few enough that the list outlasts all of them.
        let request = Int.random(in: 1...(Self.pages / (Self.kills + 2) - Killer.most), using: &generator)
        killer.kill(atRequest: request, after: UInt32.random(in: 0..<6000, using: &generator))
        let end = try await exits(words) { killer.name($0) }
        #expect(end.wasKilled)
        let written = FileManager.default.contents(atPath: file) ?? Data()
        let state = try JSONDecoder().decode(
          WalkState.self, from: Data(contentsOf: URL(fileURLWithPath: file + ".resume")))
        #expect(state.offset <= written.count && !state.isDone)
        #expect(Data(Self.text.utf8).starts(with: written.prefix(state.offset)))
      }
      killer.spare()
      let last = try await Tool.run(words)
      #expect(last.status == 0 && last.errors.isEmpty, "\(last.errors)")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.text)
      let count = server.requestCount
      let again = try await Tool.run(words)
      #expect(again.status == 0 && again.errors.contains("the whole list already"))
      #expect(server.requestCount == count)
    }
  }

  @Test func aWalkThatWasNotToBeResumedCanBe() async throws {
    try await inFolder { folder in
      let server = try server()
      let file = folder + "/rows.ndjson"
      let first = try await Tool.run(
        ["walk", server.url("/rows"), "--output", file, "--max-items", "130", "--verbose"])
      #expect(first.status == 0)
      #expect(try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").count == 130)
      let line = try #require(first.offeredLine)
      #expect(line.hasSuffix(" --resume") && !line.contains("--from"))
      let rest = try await Tool.shell(line)
      #expect(rest.status == 0, "\(rest.errors)")
      #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.text)
    }
  }

  @Test func aFileWithoutItsStateOrWithAnotherIsLeftAlone() async throws {
    try await inFolder { folder in
      let server = try server()
      let file = folder + "/rows.ndjson"
      func refuses(_ word: String, at path: String = "/rows") async throws {
        let before = FileManager.default.contents(atPath: file)
        let run = try await Tool.run(["walk", server.url(path), "--output", file, "--resume"])
        #expect(run.status == 1 && run.errors.contains(word), "\(run.errors)")
        #expect(FileManager.default.contents(atPath: file) == before)
      }
      try Data("mine\n".utf8).write(to: URL(fileURLWithPath: file))
      try await refuses("no \(file).resume")
      let state = URL(fileURLWithPath: file + ".resume")
      try Data("{".utf8).write(to: state)
      try await refuses("can't be read")
      try Data("{\"version\":1,\"url\":\"\(server.url("/rows"))\",\"offset\":100,\"isDone\":false}".utf8).write(
        to: state)
      try await refuses("is shorter")
      try Data("{\"version\":1,\"url\":\"\(server.url("/rows"))\",\"offset\":1,\"isDone\":false}".utf8).write(to: state)
      try await refuses("of another list", at: "/others")
    }
  }

  @Test(arguments: [
    ["--resume"], ["--output", "/dev/null", "--resume"], ["--output", "x", "--resume", "--from", "k"], ["--list", "a"],
    ["--into", "a.db", "--output", "b"], ["--into", "a.db", "--from", "k"], ["--into", "a.db", "--list", ""],
    ["--query", "{ items { id } }"], ["--query", "query($after: ID) { a }", "--convention", "link"],
  ])
  func whatContradictsItselfIsRefused(_ words: [String]) async throws {
    let run = try await Tool.run(["walk", "http://127.0.0.1:1/"] + words)
    #expect(run.status == 2, "\(words)")
    #expect(run.errors.contains("This would work:\n  pages walk "))
  }
}
