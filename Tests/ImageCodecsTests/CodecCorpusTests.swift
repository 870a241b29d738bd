import Foundation
import ImageCodecs
import Testing

/// What fuzzing found, and what it started from.
@Suite struct CodecCorpusTests {
  @Test(arguments: CodecFuzzChecks.targets) func I14_everyInputOfTheCorpusHolds(target: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Corpus/\(target)")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: file))
      let start = ContinuousClock.now
      let problem = CodecFuzzChecks.problem(target, bytes)
      #expect(problem == nil, "\(file.lastPathComponent): \(problem ?? "")")
      let time = ContinuousClock.now - start
      // Four decodes, frames and previews, on a machine that does other things too: each alone ends after two seconds at most.
      #expect(time < .seconds(20), "\(file.lastPathComponent) took \(time)")
    }
  }
}
