import Foundation

/// What the program holds of the machine; nil where the system doesn't say, as macOS doesn't in `/proc`.
struct Usage {
  var kilobytes: Int
  var descriptors: Int
  var threads: Int

  static func now() -> Usage? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    else { return nil }
    func number(_ name: String) -> Int? {
      status.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
        .split { !$0.isNumber }.first.flatMap { Int($0) }
    }
    guard let kilobytes = number("VmRSS"), let threads = number("Threads") else { return nil }
    return Usage(kilobytes: kilobytes, descriptors: open.count, threads: threads)
  }
}

/// The figures of a run, of which those after the warm-up have to stay where they are.
struct UsageRecord {
  private var samples: [Usage] = []

  mutating func add(_ usage: Usage?) { if let usage { samples.append(usage) } }

  /// What grew, comparing the second quarter of the run with its last one.
  func grown() -> [String] {
    guard samples.count >= 8 else { return [] }
    let quarter = samples.count / 4
    let early = samples[quarter..<(2 * quarter)]
    let late = samples.suffix(quarter)
    var grown: [String] = []
    let (before, after) = (median(early.map(\.kilobytes)), median(late.map(\.kilobytes)))
    // The allocator's own ups and downs are no leak.
    if after > before + before / 10 + 4096 { grown.append("memory grew from \(before) to \(after) KB") }
    for (name, figure) in [("descriptors", \Usage.descriptors), ("threads", \Usage.threads)] {
      let (before, after) = (early.map { $0[keyPath: figure] }.max() ?? 0, median(late.map { $0[keyPath: figure] }))
      if after > before + 4 { grown.append("\(name) grew from \(before) to \(after)") }
    }
    return grown
  }

  var text: String {
    guard !samples.isEmpty else { return "not measured on this system" }
    let quarter = max(1, samples.count / 4)
    let quarters = stride(from: 0, to: samples.count, by: quarter).prefix(4).map { samples[$0...].prefix(quarter) }
    func line(_ figure: (Usage) -> Int) -> String {
      quarters.map { part in
        "\(part.map(figure).min() ?? 0)–\(median(part.map(figure)))–\(part.map(figure).max() ?? 0)"
      }.joined(separator: "  ")
    }
    return """
      by quarters of the run, lowest–median–highest
        memory, KB   \(line { $0.kilobytes })
        descriptors  \(line { $0.descriptors })
        threads      \(line { $0.threads })
      """
  }

  private func median(_ numbers: [Int]) -> Int {
    numbers.isEmpty ? 0 : numbers.sorted()[numbers.count / 2]
  }
}
