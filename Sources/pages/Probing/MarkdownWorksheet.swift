import Foundation
import PagingHTTP

/// A worksheet as Markdown: a first line that says so, and a block of lines for each list, between comments.
///
/// What a block shows is made from the JSON in the comment above it. Text between blocks is whoever's who wrote it.
struct MarkdownWorksheet: Sendable {
  private enum Part: Sendable {
    case text(String)
    case entry(WorksheetEntry)
  }

  private static let mark = "<!-- pages worksheet 1 -->"
  private static let opening = "<!-- pages list "
  private static let closing = " -->"
  private static let end = "<!-- pages list ends -->"

  private var parts: [Part]

  /// A new one.
  init() {
    parts = [.text("# Paged lists\n")]
  }

  /// The one in a file.
  init(_ data: Data) throws(Worksheet.Refusal) {
    guard let text = String(data: data, encoding: .utf8) else { throw Worksheet.Refusal(reason: "it is not UTF-8") }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard let first = lines.popFirst(), Self.trimmed(first) == Self.mark else {
      throw Worksheet.Refusal(reason: "its first line is not \(Self.mark)")
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    parts = []
    var plain = ""
    while let line = lines.popFirst() {
      let line = Self.trimmed(line)
      guard line.hasPrefix(Self.opening), line != Self.end else {
        plain += line + "\n"
        continue
      }
      let json = line.dropFirst(Self.opening.count).dropLast(Self.closing.count)
      guard line.hasSuffix(Self.closing),
        let members = try? JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)),
        let entry = WorksheetEntry(members), let end = lines.firstIndex(where: { Self.trimmed($0) == Self.end })
      else { throw Worksheet.Refusal(reason: "one of its lists is damaged") }
      lines = lines[(end + 1)...]
      parts += [.text(plain), .entry(entry)]
      plain = ""
    }
    parts.append(.text(plain))
  }

  private static func trimmed(_ line: Substring) -> String { String(line.last == "\r" ? line.dropLast() : line) }

  /// The lists in it.
  var entries: [WorksheetEntry] { parts.compactMap { if case .entry(let entry) = $0 { entry } else { nil } } }

  /// Puts an entry in the place of its list's, or at the end.
  mutating func put(_ entry: WorksheetEntry) {
    let index = parts.firstIndex { if case .entry(let old) = $0 { old.url == entry.url } else { false } }
    if let index { parts[index] = .entry(entry) } else { parts += [.text("\n"), .entry(entry)] }
  }

  /// The file's contents.
  var text: String {
    Self.mark + "\n"
      + parts.map { part in
        switch part {
        case .text(let text): text
        case .entry(let entry): Self.block(entry)
        }
      }.joined()
  }

  // MARK: - Blocks

  private static func block(_ entry: WorksheetEntry) -> String {
    let members = entry.members
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = (try? encoder.encode(members)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    // Only strings can hold one, and a comment would end at it.
    let safe = json.replacing(">", with: "\\u003e")
    let style = members["style"]
    var lines = [
      opening + safe + closing, "## `\(cell(entry.url))`", "",
      "Probed \(cell(members["probed_at"]?.text ?? "")), run \(members["runs"]?.integer ?? 1), "
        + "\(members["requests"]?.integer ?? 0) requests. Style: **\(cell(style?["name"]?.text ?? ""))** "
        + "(\(cell(style?["confidence"]?.text ?? ""))).", "",
    ]
    let changes = entry.changes
    if !changes.isEmpty {
      lines += ["Changed since the run before:", ""]
      for change in changes {
        let was = [change.before.map { "was: \(cell($0))" }, change.now.map { "is: \(cell($0))" }].compactMap { $0 }
        lines.append("- **\(cell(change.what))** \(cell(change.id)): \(was.joined(separator: " "))")
      }
      lines.append("")
    }
    lines += ["| | signal | points to | confidence | evidence |", "|---|---|---|---|---|"]
    for finding in members["findings"]?.elements ?? [] {
      let change = changes.first { $0.id == finding["id"]?.text && $0.what != "gone" }?.what ?? ""
      let cells = ["signal", "points_to", "confidence", "evidence"].map { cell(finding[$0]?.text ?? "") }
      lines.append("| \(([cell(change)] + cells).joined(separator: " | ")) |")
    }
    lines += ["", "To use: `\(cell(members.value(at: ["use", "convention"])?.text ?? ""))`", end]
    return lines.map { $0 + "\n" }.joined()
  }

  /// Text that stays in its cell.
  private static func cell(_ text: String) -> String {
    printable(text, limit: 600).replacing("|", with: "\\|").replacing("<", with: "&lt;")
  }
}
