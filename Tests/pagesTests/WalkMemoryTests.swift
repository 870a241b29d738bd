import Foundation
import Synchronization
import Testing

@testable import pages

/// Where Linux tells the most memory that a process has held so far. (What `wait4` tells counts its parent's, too.)
private func peakMemory(of pid: pid_t) -> Int? {
  guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
    let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
  else { return nil }
  return line.split(separator: " ").compactMap { Int($0) }.first.map { $0 << 10 }
}

@Suite(
  .enabled(if: peakMemory(of: getpid()) != nil, "there is no /proc"), .serialized, .timeLimit(.minutes(10)))
struct WalkMemoryTests {
  /// How many rows are compared with 10,000: the million that the limit is for where there is time, else fewer.
  private static let many = ProcessInfo.processInfo.environment["LONG_TESTS"] == nil ? 200_000 : 1_000_000

  @Test func aWalkHoldsNoMoreTheLongerItIs() async throws {
    func peak(_ count: Int) async throws -> Int {
      let server = try ListServer(
        ServedRows(count: count) {
          "{\"id\": \($0), \"text\": \"A row of some length, as rows are, and this is \($0).\"}"
        })
      let peak = Mutex(0)
      let run = try await Tool.run(["walk", server.url("/link?limit=500")]) { pid, _ in
        // The last one may come when the process has ended already.
        if let bytes = peakMemory(of: pid) { peak.withLock { $0 = max($0, bytes) } }
      }
      #expect(run.status == 0)
      #expect(run.lines.count == count)
      return peak.withLock { $0 }
    }
    let few = try await peak(10_000)
    let many = try await peak(Self.many)
    #expect(few > 1 << 20)
    #expect(many - few <= 2 << 20, "\(few) bytes for 10,000 rows, \(many) for \(Self.many)")
  }
}
