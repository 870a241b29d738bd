extension ProbeReport {
  /// The report for a person: at most 80 columns wide, what to use at its end.
  var text: String {
    var lines = Self.wrapped(printable(url, limit: 400), indent: "", hang: "  ")
    lines.append("looked at from outside, by \(requests == 1 ? "1 request" : "\(grouped(requests)) requests")")
    lines.append("")
    lines += Self.wrapped(
      "Style: \(style.kind.rawValue) (\(style.confidence.rawValue)). \(style.reason.capitalizedFirst)", indent: "",
      hang: "  ")
    lines += pageTable
    lines += section("Findings", findings.filter { !$0.isFault })
    lines += section("What goes wrong with it", faults)
    if !needs.isEmpty {
      lines += ["", "What the server has, as it seems"]
      lines += needs.flatMap { Self.wrapped($0, indent: "  ", hang: "    ") }
    }
    if !notes.isEmpty {
      lines += ["", "Not looked at"]
      lines += notes.flatMap { Self.wrapped($0, indent: "  ", hang: "    ") }
    }
    lines += ["", "What to use"]
    lines += Self.wrapped("HTTPPageSource with " + advice.code, indent: "  ", hang: "    ")
    lines += advice.costs.flatMap { Self.wrapped("- " + $0, indent: "  ", hang: "    ") }
    return lines.joined(separator: "\n")
  }

  private var pageTable: [String] {
    guard !pages.isEmpty else { return [] }
    var seen: Set<RowID> = []
    let rows = pages.enumerated().map { index, page in
      let new = page.rows.count { seen.insert($0).inserted }
      return Self.columns([
        String(index + 1), grouped(page.rows.count), grouped(new), "\(grouped(page.milliseconds)) ms",
        page.goesOn ? "yes" : "no",
      ])
    }
    let title = place.map { "Pages (rows are at \(printable($0, limit: 40)))" } ?? "Pages"
    return ["", title, Self.columns(["page", "rows", "new", "time", "next"])] + rows
  }

  private static func columns(_ cells: [String]) -> String {
    "  " + cells.map { String(repeating: " ", count: max(0, 8 - $0.count)) + $0 }.joined()
  }

  private func section(_ title: String, _ findings: [Finding]) -> [String] {
    guard !findings.isEmpty else { return [] }
    return ["", title]
      + findings.flatMap { finding in
        Self.wrapped(
          "\(finding.signal): \(finding.meaning) (\(finding.confidence.rawValue))", indent: "  ", hang: "    ")
          + Self.wrapped(finding.evidence, indent: "      ", hang: "      ")
      }
  }

  /// `text` in lines of at most 80 characters, broken between words, or within one that fits no line.
  static func wrapped(_ text: String, indent: String, hang: String, width: Int = 80) -> [String] {
    var lines: [String] = []
    var line = indent
    var isEmpty = true
    for word in text.split(separator: " ") {
      var word = word
      if !isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = hang
        isEmpty = true
      }
      while line.count + word.count > width {
        let part = word.prefix(width - line.count)
        lines.append(line + part)
        word = word.dropFirst(part.count)
        line = hang
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
