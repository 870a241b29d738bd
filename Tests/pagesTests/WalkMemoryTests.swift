import Foundation
import Testing

@testable import pages

@Suite(.serialized, .timeLimit(.minutes(5))) struct WalkMemoryTests {
  /// How many rows are compared with 10,000: the million that the limit is for where there is time, else fewer.
  private static let many = ProcessInfo.processInfo.environment["LONG_TESTS"] == nil ? 200_000 : 1_000_000

  @Test func aWalkHoldsNoMoreTheLongerItIs() async throws {
    func peak(_ count: Int) async throws -> Int {
      let server = try ListServer(
        ServedRows(count: count) { "{\"id\": \($0), \"text\": \"A row of some length, as rows are, and this is \($0).\"}" })
      let (status, bytes) = try await peakMemory(of: Tool.path, ["walk", server.url("/link?limit=500")])
      #expect(status == 0)
      #expect(server.requestCount == count / 500)
      return bytes
    }
    let few = try await peak(10_000)
    let many = try await peak(Self.many)
    #expect(many - few <= 2 << 20, "\(few) bytes for 10,000 rows, \(many) for \(Self.many)")
  }
}
