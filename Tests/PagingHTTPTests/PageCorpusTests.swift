import Foundation
import Testing

@testable import PagingHTTP

/// Replays the inputs that are kept of fuzzing: each is read without a trap, rightly, and in time.
@Suite struct PageCorpusTests {
  @Test(arguments: ["link", "cursor"])
  func everyInputOfTheCorpusHolds(target: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus/\(target)")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count >= 50)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      #expect(PageFuzzChecks.problem(target, bytes) == nil, "\(file.lastPathComponent)")
      // The best of three, since others use the machine too: far above what it takes, far below what a square would.
      let clock = ContinuousClock()
      let took = (0..<3).map { _ in clock.measure { _ = PageFuzzChecks.problem(target, bytes) } }.min() ?? .zero
      #expect(took < .milliseconds(20) + .microseconds(50) * bytes.count, "\(file.lastPathComponent): \(took)")
    }
  }

  /// What a parser that goes back would choke on.
  @Test(arguments: ["<", "<>", "<>;", "<>;a=\"", ";", ",", "\\", "<>;rel=\"next ", "%", "%2", "&", "+", "é"])
  func longInputsAreReadInTime(unit: String) {
    let bytes = Array(String(repeating: unit, count: 20_000).utf8)
    for target in ["link", "cursor"] {
      let clock = ContinuousClock()
      let took = (0..<3).map { _ in clock.measure { _ = PageFuzzChecks.problem(target, bytes) } }.min() ?? .zero
      #expect(took < .milliseconds(20) + .microseconds(50) * bytes.count, "\(target): \(took)")
    }
  }

  /// The checks see what is wrong, or a clean run would mean nothing.
  @Test func anUnknownTargetIsNamed() {
    #expect(PageFuzzChecks.problem("nothing", []) != nil)
  }
}
