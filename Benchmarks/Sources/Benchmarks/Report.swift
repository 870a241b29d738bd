import Foundation

/// What one workload came to.
struct Measurement: Codable {
  enum Unit: String, Codable { case nanoseconds, megabytes }

  var workload: String
  var unit = Unit.nanoseconds
  var ours: Double
  /// What it is measured against, if anything.
  var baseline: Double?
  /// The most that is allowed: of the ratio where there is a baseline, else of `ours`.
  var asked: Double

  var ratio: Double? { baseline.map { ours / $0 } }
  var isMet: Bool { (ratio ?? ours) <= asked }
}

enum Report {
  static func table(_ measurements: [Measurement]) -> String {
    let head = ["workload", "ours", "baseline", "ratio", "asked", "met"]
    let rows = measurements.map { one in
      [
        one.workload, text(one.ours, one.unit), one.baseline.map { text($0, one.unit) } ?? "",
        one.ratio.map { String(format: "%.2f", $0) } ?? "",
        one.baseline == nil ? "≤ \(text(one.asked, one.unit))" : String(format: "≤ %.2f ×", one.asked),
        one.isMet ? "yes" : "NO",
      ]
    }
    return ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }

  static func json(_ measurements: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(measurements), as: UTF8.self)
  }

  private static func text(_ value: Double, _ unit: Measurement.Unit) -> String {
    switch unit {
    case .megabytes: String(format: "%.2f MB", value)
    case .nanoseconds where value < 1e3: String(format: "%.0f ns", value)
    case .nanoseconds where value < 1e6: String(format: "%.2f µs", value / 1e3)
    case .nanoseconds: String(format: "%.2f ms", value / 1e6)
    }
  }
}
