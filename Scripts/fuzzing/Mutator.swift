import Foundation

/// Makes inputs up where libFuzzer isn't: takes those of the corpus and damages them by chance. Arguments: the seconds to
/// run, a folder to leave a failing input in, the corpus.
@main struct Mutator {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let seconds = Double(arguments[1]) else { exit(2) }
    let seed = UInt64.random(in: 0...(.max))
    print("seed \(seed)")
    var random = Seeded(state: seed)
    let files = try FileManager.default.contentsOfDirectory(
      at: URL(filePath: arguments[3]), includingPropertiesForKeys: nil)
    let corpus = try files.map { [UInt8](try Data(contentsOf: $0)) }
    let last = URL(filePath: arguments[2]).appending(path: "last-input-\(fuzzTarget)")
    let words = ["\"", "\\", ",", ";", "=", "<", ">", "%", "+", "max-age=", "rel=next", "GMT", "99999999999", "\u{0}"]
    let end = Date().addingTimeInterval(seconds)
    var count = 0
    while count % 1_024 != 0 || Date() < end {
      var bytes = corpus.randomElement(using: &random) ?? []
      for _ in 0...Int.random(in: 0...6, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let other = corpus.randomElement(using: &random) ?? []
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 1: bytes.insert(contentsOf: Array((words.randomElement(using: &random) ?? "").utf8), at: place)
        case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 3 where place < bytes.count: bytes.remove(at: place)
        case 4: bytes.removeSubrange(place...)
        default: bytes.insert(contentsOf: other.prefix(Int.random(in: 0...32, using: &random)), at: place)
        }
      }
      // Written before the look, since a trap leaves no time for it; only the latest is kept.
      try Data(bytes).write(to: last)
      check(bytes)
      count += 1
    }
    try? FileManager.default.removeItem(at: last)
    print("\(count) inputs, nothing found")
  }
}

private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 33) ^ (state << 31)
  }
}
