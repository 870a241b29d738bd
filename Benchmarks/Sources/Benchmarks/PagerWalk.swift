import Foundation
import Paging

/// Scrolling through a long list with one stream: what a page costs besides its load, and what stays in memory.
enum PagerWalk {
  static func run(rows count: Int) async throws -> [Measurement] {
    let start = Measure.processorTime
    var marks = [ContinuousClock.now]
    try await walk(Pager(source: CountingSource(count: count)), count: count) { rows in
      while marks.count <= rows / 20_000 { marks.append(.now) }
    }
    let processor = Measure.processorTime - start
    let laps = zip(marks.dropFirst(), marks).map { Measure.nanoseconds($0 - $1) / 1_000 }
    let pages = Double(count / 20)
    guard let first = marks.first, let last = marks.last, let firstLap = laps.first, let lastLap = laps.last else {
      return []
    }
    return [
      Measurement(
        workload: "a page, walking \(count) rows", ours: Measure.nanoseconds(last - first) / pages, asked: 10_000),
      Measurement(
        workload: "a page of it, processor time of all threads", ours: processor / pages, asked: 10_000),
      Measurement(
        workload: "the last 1,000 pages of it, against the first", ours: lastLap, baseline: firstLap, asked: 1.3),
    ]
  }

  static func memory(rows count: Int) async throws -> [Measurement] {
    var start: Double?
    var most = 0.0
    let pager = Pager(config: try PagingConfig(pageSize: 20, maxSize: 500), source: CountingSource(count: count))
    var seen = 0
    try await walk(pager, count: count) { _ in
      seen += 1
      guard seen >= 1_000, seen.isMultiple(of: 200), let now = residentMegabytes() else { return }
      if start == nil { start = now }
      most = max(most, now)
    }
    // Where the system doesn't say how much is resident, there is nothing to report.
    guard let start else { return [] }
    return [
      Measurement(
        workload: "memory above the start, maxSize 500, \(count) rows scrolled", unit: .megabytes, ours: most - start,
        asked: 2)
    ]
  }

  /// Reports the end of each snapshot as the viewport, until the list ends; `seen` gets how far it came.
  private static func walk(_ pager: Pager<Int, Row>, count: Int, seen: (_ rows: Int) -> Void) async throws {
    for await snapshot in pager.snapshots() {
      if let last = snapshot.items.last { seen(last.id + 1) }
      if snapshot.states.append.isAtEnd { break }
      if case .failed(let failure) = snapshot.states.append { throw failure.error }
      let end = snapshot.count
      pager.viewportChanged(to: max(0, end - 10)..<end, of: snapshot)
    }
  }

  private static func residentMegabytes() -> Double? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Double(fields[1]) else { return nil }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_048_576
  }
}
