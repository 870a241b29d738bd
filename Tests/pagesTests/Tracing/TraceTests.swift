import Foundation
import LoadingHTTP
import Paging
import PagingTesting
import Synchronization
import Testing

@testable import pages

@Suite(.timeLimit(.minutes(10))) struct TraceTests {
  private func withTrace<R>(_ body: (String) async throws -> R) async throws -> R {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
  }

  private let rows = ServedRows(count: 230) { "{\"id\": \($0 + 1)}" }

  @Test func aWalkIsTracedWithItsPagesAndRequests() async throws {
    let server = try ListServer(rows, cap: 50)
    try await withTrace { path in
      let run = try await Tool.run(["trace", "--output", path, "walk", server.url("/link?limit=50&token=secret")])
      #expect(run.status == 0)
      #expect(run.lines.count == 230)
      #expect(run.errors.contains("for ui.perfetto.dev or chrome://tracing"))
      let trace = try TraceSchema(file: path)
      #expect(trace.faults == [])
      #expect(trace.names(on: "pages") == ["first page"] + Array(repeating: "next page", count: 4))
      #expect(trace.names(on: "refresh requests") == ["GET /link"])
      #expect(trace.names(on: "append requests") == Array(repeating: "GET /link", count: 4))
      let requests = trace.arguments("E", "GET ")
      #expect(requests.allSatisfy { $0["status"] as? Int == 200 && ($0["bytes"] as? Int ?? 0) > 100 })
      #expect(trace.arguments("E", "next page").allSatisfy { $0["outcome"] as? String == "ok" })
      #expect(!String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self).contains("secret"))
    }
  }

  @Test func theDemoIsTracedWithLoadsAndDropsByTheirCauses() async throws {
    try await withTrace { path in
      #expect(try await Tool.run(["trace", "--output", path, "demo"]).status == 0)
      let trace = try TraceSchema(file: path)
      #expect(trace.faults == [])
      #expect(trace.names(on: "refresh").contains("first load"))
      #expect(trace.names(on: "refresh").contains("refresh"))
      #expect(trace.names(on: "append").contains("prefetch at append edge"))
      #expect(trace.names(on: "prepend").contains("prefetch at prepend edge"))
      #expect(trace.names(on: "list").contains("let go over the cap: grew at append edge"))
      #expect(trace.names(on: "list").contains("let go over the cap: grew at prepend edge"))
      #expect(trace.names(on: "append requests").allSatisfy { $0 == "GET /link" })
      #expect(!trace.names(on: "append requests").isEmpty)
    }
  }

  @Test func aSimulationIsTracedAtItsOwnTime() async throws {
    try await withTrace { path in
      let words = [
        "trace", "--output", path, "simulate", "--scrolls", "40", "--cap", "70,none", "--scrolling", "jumping",
      ]
      #expect(try await Tool.run(words).status == 0)
      let first = try Data(contentsOf: URL(fileURLWithPath: path))
      let trace = TraceSchema(first)
      #expect(trace.faults == [])
      let processes = trace.arguments("M", "process_name").compactMap { $0["name"] as? String }
      #expect(
        processes == [
          "pages simulate", "simulation: page 20, prefetch 20, first 60, cap 70",
          "simulation: page 20, prefetch 20, first 60, cap none",
        ])
      #expect(trace.names(on: "reader").contains("jump"))
      #expect(trace.names(on: "refresh").contains("jump"))
      #expect(trace.names(on: "waits").contains("row not there"))
      #expect(!trace.arguments("C", "rows held").isEmpty)
      let last = trace.events.compactMap { $0["ts"] as? Double }.max() ?? 0
      #expect(last > 40 * 500_000, "microseconds of scrolling, not of computing")
      // The same run gives the same trace but for the order of what happens at one instant in several places.
      #expect(try await Tool.run(words).status == 0)
      let second = try TraceSchema(file: path)
      func times(_ schema: TraceSchema) -> [String] {
        schema.events.map { "\($0["pid"] ?? "") \($0["ph"] ?? "") \($0["name"] ?? "") \($0["ts"] ?? "")" }.sorted()
      }
      #expect(times(trace) == times(second))
    }
  }

  @Test func anInterruptEndsTheTraceProperly() async throws {
    let server = try ListServer(ServedRows(count: 100_000) { "{\"id\": \($0 + 1)}" }, cap: 10)
    try await withTrace { path in
      let interrupts = Mutex(0)
      let run = try await Tool.run(["trace", "--output", path, "walk", server.url("/link?limit=10")]) { pid, lines in
        // One: a second would end the program at once.
        let isFirst =
          lines > 30
          && interrupts.withLock { count in
            count += 1
            return count == 1
          }
        if isFirst { kill(pid, SIGINT) }
      }
      #expect(run.status == 130)
      let trace = try TraceSchema(file: path)
      #expect(trace.faults == [])
      #expect(trace.names(on: "pages").count >= 3)
      #expect(run.errors.contains("To go on from there"), "the command's own end is not lost")
    }
  }

  @Test func badUsageAndAFileThatCannotBeWrittenAreTold() async throws {
    try await withTrace { path in
      #expect(try await Tool.run(["trace"]).status == 2)
      #expect(try await Tool.run(["trace", "--outptu", path, "walk", "x"]).status == 2)
      #expect(try await Tool.run(["trace", "--output", path, "wlak"]).status == 2)
      #expect(try await Tool.run(["trace", "trace", "walk"]).status == 2)
      let run = try await Tool.run(["trace", "--output", "/nowhere/trace.json", "simulate", "--scrolls", "10"])
      #expect(run.status == 1)
      #expect(run.errors.contains("/nowhere/trace.json can't be written"))
      // A disk without room, where the system has one.
      guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
      let full = try await Tool.run(["trace", "--output", "/dev/full", "simulate", "--scrolls", "10"])
      #expect(full.status == 1)
      #expect(full.errors.contains("/dev/full is not whole"))
    }
  }

  @Test func theSchemaFindsWhatIsBroken() {
    func faults(_ change: (inout [[String: Any]]) -> Void) -> [String] {
      let head: [String: Any] = ["pid": 1, "tid": 1, "ts": 0, "ph": "M"]
      var events: [[String: Any]] = [
        head.merging(["name": "process_name", "args": ["name": "p"]]) { $1 },
        head.merging(["name": "thread_name", "args": ["name": "t"]]) { $1 },
        ["name": "a", "ph": "B", "cat": "c", "ts": 5.5, "pid": 1, "tid": 1],
        ["name": "a", "ph": "E", "cat": "c", "ts": 7, "pid": 1, "tid": 1],
        ["name": "b", "ph": "X", "cat": "c", "ts": 8, "dur": 2, "pid": 1, "tid": 1],
        ["name": "c", "ph": "i", "cat": "c", "ts": 9, "s": "t", "pid": 1, "tid": 1],
        ["name": "d", "ph": "C", "cat": "c", "ts": 9, "pid": 1, "tid": 0, "args": ["d": 1]],
      ]
      change(&events)
      return TraceSchema((try? JSONSerialization.data(withJSONObject: events)) ?? Data()).faults
    }
    #expect(faults { _ in } == [])
    #expect(faults { $0.remove(at: 3) }.count == 1)
    #expect(faults { $0.remove(at: 2) }.count == 1)
    #expect(faults { $0.remove(at: 1) }.count == 1)
    #expect(faults { $0.remove(at: 0) }.count > 0)
    #expect(faults { $0.swapAt(4, 5) }.count == 1)
    #expect(faults { $0[3]["name"] = "b" }.count == 1)
    #expect(faults { $0[4]["dur"] = nil }.count == 1)
    #expect(faults { $0[5]["s"] = nil }.count == 1)
    #expect(faults { $0[6]["args"] = nil }.count == 1)
    #expect(faults { $0[2]["tid"] = nil }.count >= 1)
    #expect(TraceSchema(Data("[{".utf8)).faults.count == 1)
  }
}
