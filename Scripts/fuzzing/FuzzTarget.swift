import Foundation

/// Checks one input under `FUZZ_TARGET`; shared by both ways to make inputs.
func check(_ bytes: [UInt8]) {
  let target = fuzzTarget
  let isPage = target == "link" || target == "cursor"
  if let problem = isPage ? PageFuzzChecks.problem(target, bytes) : HeaderFuzzChecks.problem(target, bytes) {
    FileHandle.standardError.write(Data("\(target): \(problem)\n".utf8))
    abort()
  }
}

let fuzzTarget = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
