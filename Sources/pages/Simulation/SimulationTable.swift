/// What simulations came to, as plain text that fits 80 columns.
enum SimulationTable {
  /// A column of the table: its head, how wide it is, and what it says of a combination.
  private struct Column: Sendable {
    let head: String
    let width: Int
    let text: @Sendable (SimulationResult) -> String
  }

  private static let columns = [
    Column(head: "page", width: 4) { "\($0.setting.pageSize)" },
    Column(head: "pre", width: 5) { "\($0.setting.prefetch)" },
    Column(head: "first", width: 6) { "\($0.setting.firstLoad)" },
    Column(head: "cap", width: 6) { $0.setting.capText },
    Column(head: "waits", width: 7) { "\($0.figures.waits.count)" },
    Column(head: "total", width: 7) { seconds($0.figures.waits.total) },
    Column(head: "p50", width: 6) { seconds($0.figures.waits.p50) },
    Column(head: "p95", width: 6) { seconds($0.figures.waits.p95) },
    Column(head: "max", width: 6) { seconds($0.figures.waits.max) },
    Column(head: "reqs", width: 7) { "\($0.figures.requests)" },
    Column(head: "waste", width: 6) { percent($0.figures.wastedShare) },
    Column(head: "again", width: 6) { "\($0.figures.pagesLoadedAgain)" },
    Column(head: "held", width: 7) { "\($0.figures.mostRowsHeld)" },
  ]

  private static let legend = """
    waits: times that rows on screen were not there, and for how many seconds: in all,
    half of the waits at most (p50), 95 of 100 at most (p95), the longest. reqs: requests.
    waste: rows loaded and never seen. again: pages loaded again after they were let go.
    held: rows held at most. page, pre, first, cap: page size, prefetch distance, first
    load, and the most rows that may be held.
    """

  /// The report of all results: one in words, several as a table for each world.
  static func text(of results: [SimulationResult], leftOut: Int) -> String {
    var parts: [String] = []
    if let only = results.first, results.count == 1 {
      parts.append(words(only))
    } else {
      var worlds: [SimulatedWorld] = []
      for result in results where !worlds.contains(result.world) { worlds.append(result.world) }
      parts += worlds.map { world in table(of: results.filter { $0.world == world }) }
      parts.append(wrapped(legend))
    }
    if leftOut > 0 {
      parts.append(
        wrapped(
          "Left out: \(leftOut) settings whose cap is below page size + 2 × prefetch distance, which no pager takes."))
    }
    return parts.joined(separator: "\n\n")
  }

  private static func table(of results: [SimulationResult]) -> String {
    let head = columns.map { padded($0.head, $0.width) }.joined()
    let rows = results.map { result in columns.map { padded($0.text(result), $0.width) }.joined() }
    return ([results.first.map(heading) ?? "", "", head] + rows).joined(separator: "\n")
  }

  private static func heading(_ result: SimulationResult) -> String {
    let figures = result.figures
    return wrapped(
      "\(result.world.label); \(grouped(figures.scrolls)) scrolls in \(grouped(figures.visits)) visits, "
        + "\(brief(figures.seconds / 3600)) hours, seed \(result.world.seed)")
  }

  private static func words(_ result: SimulationResult) -> String {
    let figures = result.figures
    func times(_ times: SimulationFigures.Times) -> String {
      "\(seconds(times.p50)) s (p50), \(seconds(times.p95)) s (p95), \(seconds(times.max)) s (longest)"
    }
    let waits =
      figures.waits.count == 0
      ? "none: all rows were there in time"
      : "\(grouped(figures.waits.count)), \(seconds(figures.waits.total)) s in all\n"
        + "                \(times(figures.waits))"
    return """
      \(result.setting.label)
      \(heading(result))

        first screen  \(times(figures.openings))
        waits         \(waits)
        requests      \(grouped(figures.requests)), \(grouped(figures.cancelledRequests)) of them cancelled
        loaded        \(grouped(figures.rowsLoaded)) rows, \(bytes(figures.bytesLoaded))
        never seen    \(grouped(figures.rowsWasted)) of them (\(percent(figures.wastedShare))), \
      \(bytes(figures.bytesWasted))
        again         \(grouped(figures.rowsLoadedAgain)) of them in \(grouped(figures.pagesLoadedAgain)) pages, \
      after they were let go
        held          \(grouped(figures.mostRowsHeld)) rows at most, \(bytes(figures.mostBytesHeld))
      """
  }

  // MARK: - Words

  /// Milliseconds as seconds, with as many digits as tell something.
  static func seconds(_ milliseconds: Double) -> String {
    let seconds = milliseconds / 1000
    return brief(seconds, digits: seconds >= 1000 ? 0 : seconds >= 100 ? 1 : 2)
  }

  /// A share as percent.
  static func percent(_ share: Double) -> String { brief(share * 100, digits: share < 0.1 ? 1 : 0) + "%" }

  /// An amount of bytes in a unit that suits it.
  static func bytes(_ count: Int) -> String {
    switch count {
    case ..<1_000: "\(count) bytes"
    case ..<1_000_000: "\(brief(Double(count) / 1e3, digits: 1)) kB"
    case ..<1_000_000_000: "\(brief(Double(count) / 1e6, digits: 1)) MB"
    default: "\(brief(Double(count) / 1e9, digits: 1)) GB"
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// Broken into lines of at most 80 characters.
  private static func wrapped(_ text: String) -> String {
    var lines = [""]
    for word in text.split(whereSeparator: \.isWhitespace) {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= 80 {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines.joined(separator: "\n")
  }
}
