import Foundation

/// Checks one input under `FUZZ_TARGET`; shared by both ways to make inputs.
func check(_ bytes: [UInt8]) {
  if let problem = CodecFuzzChecks.problem(fuzzTarget, bytes) {
    FileHandle.standardError.write(Data("\(fuzzTarget): \(problem)\n".utf8))
    abort()
  }
}

let fuzzTarget = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
