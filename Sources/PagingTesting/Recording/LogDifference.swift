/// The first difference between lines that are expected and lines that were recorded.
struct LogDifference: CustomStringConvertible {
  let description: String

  /// Nil where the record is as expected.
  ///
  /// - Parameters:
  ///   - expected: Lines; `…` or `...` stands for any number of them.
  ///   - recorded: Lines.
  init?(expected: String, recorded: [String]) {
    let lines = expected.split(whereSeparator: \.isNewline).map { Self.trimmed($0) }.filter { !$0.isEmpty }
    let parts = lines.split(omittingEmptySubsequences: false) { $0 == "…" || $0 == "..." }.map { Array($0) }
    guard let first = parts.first, let last = parts.last else { return nil }
    guard parts.count > 1 else {
      guard let line = Self.firstMismatch(first, recorded[...]) else { return nil }
      description = Self.text(at: line, expected: first, line, recorded)
      return
    }
    if let line = Self.firstMismatch(first, recorded.prefix(first.count)) {
      description = Self.text(at: line, expected: first, line, recorded)
      return
    }
    var reached = first.count
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let start = Self.place(of: part, in: recorded, from: reached) else {
        description = Self.text(missing: part, after: reached, recorded)
        return
      }
      reached = start + part.count
    }
    let tail = max(reached, recorded.count - last.count)
    guard let line = Self.firstMismatch(last, recorded[tail...]) else { return nil }
    description = Self.text(at: tail + line, expected: last, line, recorded)
  }

  private static func trimmed(_ line: Substring) -> String {
    var line = line
    while line.first?.isWhitespace == true { line.removeFirst() }
    while line.last?.isWhitespace == true { line.removeLast() }
    return String(line)
  }

  /// The position at which two runs of lines differ, which may be where the shorter one ends; nil where they are equal.
  private static func firstMismatch(_ expected: [String], _ recorded: ArraySlice<String>) -> Int? {
    for (position, (wanted, line)) in zip(expected, recorded).enumerated() where wanted != line { return position }
    return expected.count == recorded.count ? nil : min(expected.count, recorded.count)
  }

  private static func place(of part: [String], in recorded: [String], from start: Int) -> Int? {
    guard start <= recorded.count - part.count else { return nil }
    return (start...recorded.count - part.count).first { Array(recorded[$0..<$0 + part.count]) == part }
  }

  // MARK: - Text

  private static func text(
    at line: Int, expected: [String], _ position: Int, _ recorded: [String]
  ) -> String {
    let wanted = expected.indices.contains(position) ? expected[position] : "(nothing more)"
    let found = recorded.indices.contains(line) ? recorded[line] : "(nothing more)"
    return """
      The record differs at line \(line + 1):
        expected  \(wanted)
        recorded  \(found)
      The record:
      \(numbered(recorded, around: line))
      """
  }

  private static func text(missing part: [String], after line: Int, _ recorded: [String]) -> String {
    """
    After line \(line) of the record this does not come:
    \(part.map { "  expected  \($0)" }.joined(separator: "\n"))
    The record:
    \(numbered(recorded, around: line))
    """
  }

  /// Up to forty lines with their numbers.
  static func numbered(_ lines: [String], around line: Int) -> String {
    let start = max(0, min(line - 20, lines.count - 40))
    let end = min(lines.count, start + 40)
    let shown = (start..<end).map { "  \($0 + 1)  \(lines[$0])" }
    let before = start > 0 ? ["  (\(start) lines before)"] : []
    let after = end < lines.count ? ["  (\(lines.count - end) lines after)"] : []
    return lines.isEmpty ? "  (nothing was recorded)" : (before + shown + after).joined(separator: "\n")
  }
}
