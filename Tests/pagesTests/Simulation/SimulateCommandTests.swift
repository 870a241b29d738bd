import Foundation
import Testing

@testable import pages

@Suite(.timeLimit(.minutes(10))) struct SimulateCommandTests {
  private let small = ["simulate", "--scrolls", "60"]

  @Test func oneCombinationIsToldInWords() async throws {
    let run = try await Tool.run(small)
    #expect(run.status == 0)
    #expect(run.lines.first == "page 20, prefetch 20, first 60, cap none")
    for word in ["first screen", "waits", "requests", "loaded", "never seen", "again", "held"] {
      #expect(run.lines.contains { $0.hasPrefix("  \(word) ") }, "\(word)")
    }
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    #expect(try await Tool.run(small).output == run.output)
  }

  @Test func listsOfValuesGiveATableThatFits80Columns() async throws {
    let run = try await Tool.run(
      small + ["--page-size", "10,25,50", "--prefetch", "10,50", "--cap", "none,100", "--latency", "50ms,120ms/0.6s"])
    #expect(run.status == 0)
    #expect(run.lines.allSatisfy { $0.count <= 80 })
    let rows = run.lines.filter { $0.split(separator: " ").compactMap { Int($0) }.count >= 6 }
    // Of twelve settings three have a cap below page size + 2 × prefetch; each is tried with two latencies.
    #expect(rows.count == 18)
    #expect(run.output.contains("Left out: 3 settings"))
  }

  @Test func jsonHoldsAllFigures() async throws {
    let run = try await Tool.run(small + ["--json", "--page-size", "10,20", "--cap", "100", "--seed", "7"])
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(json["seed"] as? Int == 7)
    let combinations = try #require(json["combinations"] as? [[String: Any]])
    #expect(combinations.compactMap { $0["pageSize"] as? Int } == [10, 20])
    let first = try #require(combinations.first)
    #expect(first["cap"] as? Int == 100)
    for name in ["requests", "rowsLoaded", "rowsNeverSeen", "pagesLoadedAgain", "mostRowsHeld", "bytesLoaded"] {
      #expect(first[name] is Int, "\(name)")
    }
    let waits = try #require(first["waits"] as? [String: Any])
    #expect(["count", "total", "p50", "p95", "max"].allSatisfy { waits[$0] is NSNumber })
  }

  @Test func theReportStandsAlone() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".html").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let run = try await Tool.run(
      small + ["--page-size", "10,25", "--prefetch", "10,50", "--scrolling", "reading,flinging", "--html", path])
    #expect(run.status == 0)
    let html = try String(contentsOfFile: path, encoding: .utf8)
    #expect(html.hasPrefix("<!DOCTYPE html>"))
    for word in ["http:", "https:", "//", "<script", "@import", "url(", "<link", "src="] {
      #expect(!html.contains(word), "\(word)")
    }
    #expect(html.contains("prefers-color-scheme: dark"))
    // For each way of scrolling: six figures over two axes, one of waits against waste, and one of waits if there were any.
    let withWaits = html.components(separatedBy: "<h3>How long the waits were</h3>").count - 1
    #expect(withWaits >= 1)
    #expect(html.components(separatedBy: "<figure").count - 1 == 2 * (6 * 2 + 1) + withWaits)
    for axis in ["page size", "prefetch distance", "in 100 scrolls", "% of those loaded"] {
      #expect(html.contains(">\(axis)</text>"), "\(axis)")
    }
    #expect(html.contains("class=\"legend\"") && html.contains("page size 25"))
    // Well-formed, but for the two tags that HTML does not close.
    let xml = html.replacing("<!DOCTYPE html>", with: "").replacing(#/<meta [^>]*>/#, with: "")
    #expect(XMLWellFormed(xml).fault == nil)
    #expect(!html.contains("NaN") && !html.contains("inf\""))
  }

  @Test func aReportThatCannotBeWrittenIsTold() async throws {
    let run = try await Tool.run(small + ["--html", "/nowhere/report.html"])
    #expect(run.status == 1)
    #expect(run.errors.contains("/nowhere/report.html can't be written: No such file"))
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ["--page-size", "0"], ["--page-size", "10,x"], ["--page-size", ""], ["--prefetch", "-1"], ["--cap", "0"],
    ["--cap", "30"], ["--latency", "300ms-80ms"], ["--latency", "120"], ["--latency", "11m"], ["--bandwidth", "0"],
    ["--scrolling", "running"], ["--scrolls", "0"],
    ["--seed", "-1"], ["--rows", "1e9"], ["stray"],
    [
      "--page-size", (1...30).map { "\($0)" }.joined(separator: ","), "--prefetch",
      (1...30).map { "\($0)" }.joined(separator: ","),
    ],
  ])
  func whatMakesNoSenseIsRefusedWithALineThatWorks(_ words: [String]) throws {
    let error = #expect(throws: UsageError.self) {
      _ = try SimulateOptions(Arguments(words, for: SimulateCommand.table))
    }
    let line = try #require(error?.line).split(separator: " ").map(String.init)
    #expect(line.starts(with: ["pages", "simulate"]))
    _ = try SimulateOptions(Arguments(Array(line.dropFirst(2)), for: SimulateCommand.table))
  }

  @Test(arguments: [("120", "120ms"), ("50,80-300", "50ms,80ms-300ms"), ("120/600", "120ms/600ms")])
  func aLatencyWithoutItsUnitIsToldAsServeTellsIt(_ text: String, _ meant: String) throws {
    let error = #expect(throws: UsageError.self) {
      _ = try SimulateOptions(Arguments(["--latency", text], for: SimulateCommand.table))
    }
    #expect(error?.line == "pages simulate --latency \(meant)")
    #expect(error?.message.contains("units") == true)
  }

  @Test func rowsThatTakeYearsOnTheWayTrapNothing() async throws {
    let run = try await Tool.run([
      "simulate", "--scrolls", "1", "--rows", "1000000", "--page-size", "100000", "--row-bytes", "100000000",
      "--bandwidth", "0.01",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(SimulatedWorld(megabits: 0.01, rowBytes: 100_000_000).transferTime(of: 300_000) == 3_600_000)
  }

  @Test func theHelpFitsAScreen() {
    for table in [SimulateCommand.table, TraceCommand.table] {
      let lines = table.help.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 24)
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
    }
  }

  @Test func ticksAreRoundAndReachTheLargest() {
    for largest in [0.003, 0.9, 1, 4, 5.1, 37, 99, 100, 1234, 1e6] {
      let scale = PlotScale(upTo: largest)
      #expect(scale.end >= largest && scale.end < largest * 2.6)
      #expect((2...7).contains(scale.ticks.count))
    }
    #expect(PlotScale(upTo: 0).ticks == [0, 1])
    #expect(PlotScale(upTo: .nan).ticks == [0, 1])
  }
}

/// Whether tags are closed in their order.
private struct XMLWellFormed {
  let fault: String?

  init(_ text: String) {
    var open: [Substring] = []
    for match in text.matches(of: #/<(\/?)([a-zA-Z0-9]+)[^>]*?(\/?)>/#) {
      let name = match.output.2
      if !match.output.3.isEmpty { continue }
      if match.output.1.isEmpty {
        open.append(name)
      } else if open.popLast() != name {
        fault = "\(name) is closed and was not open"
        return
      }
    }
    fault = open.last.map { "\($0) is not closed" }
  }
}
