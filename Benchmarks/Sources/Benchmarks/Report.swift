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

/// A measurement with what follows from it, for whoever reads nothing else.
private struct Verdict: Encodable {
  private enum Keys: String, CodingKey { case ratio, isMet }

  let measurement: Measurement

  func encode(to encoder: any Encoder) throws {
    try measurement.encode(to: encoder)
    var fields = encoder.container(keyedBy: Keys.self)
    try fields.encodeIfPresent(measurement.ratio, forKey: .ratio)
    try fields.encode(measurement.isMet, forKey: .isMet)
  }
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

  /// How many numbers are met, and which are not.
  static func summary(_ measurements: [Measurement]) -> String {
    let unmet = measurements.filter { !$0.isMet }
    let head = "\(measurements.count - unmet.count) of \(measurements.count) numbers are met."
    guard !unmet.isEmpty else { return head }
    let lines = unmet.map { one in
      let (found, asked) =
        one.ratio.map { (String(format: "%.2f times the baseline", $0), String(format: "%.2f", one.asked)) }
        ?? (text(one.ours, one.unit), text(one.asked, one.unit))
      return "- \(one.workload): \(found), asked at most \(asked)"
    }
    return ([head + " Not met, see Documentation/Performance.md for why:"] + lines).joined(separator: "\n")
  }

  static func json(_ measurements: [Measurement]) throws -> String {
    try json(measurements.map { Verdict(measurement: $0) })
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
