/// What `simulate` is asked for, read from its arguments.
struct SimulateOptions: Sendable {
  /// The options, for the command's table.
  static let table: [CommandTable.Option] = [
    .init("page-size", "N,…", "rows of a page (20)"),
    .init("prefetch", "N,…", "rows to keep loaded beyond the screen (a page)"),
    .init("first-load", "N,…", "rows of the first load (3 pages)"),
    .init("cap", "N,…|none", "rows held at most (none)"),
    .init("latency", "TIME,…", "120ms, 80ms-300ms, or 120ms/600ms, which are p50/p95"),
    .init("bandwidth", "MBIT/S,…", "of the connection, or none for no limit (8)"),
    .init("scrolling", "HOW,…", "reading, flinging or jumping (flinging)"),
    .init("scrolls", "N", "movements of the finger (1000)"),
    .init("visit", "N", "scrolls until the reader leaves and starts again (50)"),
    .init("rows", "N", "rows of the list (10000)"),
    .init("row-bytes", "N", "bytes of a row on the way (1000)"),
    .init("screen", "N", "rows on screen (12)"),
    .init("seed", "N", "another seed, other chances (1)"),
    .init("json", nil, "print JSON instead of a table"),
    .init("html", "FILE", "write a report with plots there, too"),
  ]

  let plan: SimulationPlan
  let printsJSON: Bool
  /// Where the report with plots goes.
  let reportFile: String?

  /// Reads the options.
  init(_ arguments: Arguments) throws(UsageError) {
    let list = ListedValues(arguments)
    var plan = SimulationPlan()
    plan.pageSizes = try list.numbers("page-size", in: 1...100_000) ?? plan.pageSizes
    plan.prefetches = try list.numbers("prefetch", in: 0...100_000)
    plan.firstLoads = try list.numbers("first-load", in: 1...1_000_000)
    plan.caps =
      try list.values("cap", "none or a whole number from 1 to 10000000", like: "none,200") { text in
        text == "none" ? .some(nil) : Int(text).flatMap { (1...10_000_000).contains($0) ? .some($0) : nil }
      } ?? plan.caps
    plan.latencies =
      try list.values(
        "latency", "times with their units, as 120ms, 80ms-300ms or 120ms/600ms, up to 10m",
        like: Self.latencies(meantBy: arguments.text("latency") ?? "")
      ) { LatencyModel($0) } ?? plan.latencies
    plan.megabits =
      try list.values("bandwidth", "none or megabits a second, from 0.01 to 100000", like: "8") { text in
        text == "none" ? .some(nil) : Double(text).flatMap { (0.01...100_000).contains($0) ? .some($0) : nil }
      } ?? plan.megabits
    let styles = ScrollStyle.allCases.map(\.rawValue).joined(separator: ", ")
    plan.styles =
      try list.values("scrolling", "one of \(styles)", like: "flinging") { ScrollStyle(rawValue: $0) } ?? plan.styles
    var world = plan.world
    world.scrolls = try arguments.number("scrolls", in: 1...10_000_000) ?? world.scrolls
    world.visit = try arguments.number("visit", in: 1...10_000_000) ?? world.visit
    world.rows = try arguments.number("rows", in: 1...10_000_000) ?? world.rows
    world.rowBytes = try arguments.number("row-bytes", in: 0...100_000_000) ?? world.rowBytes
    world.screen = try arguments.number("screen", in: 1...1000) ?? world.screen
    world.seed = UInt64(try arguments.number("seed", in: 0...Int.max) ?? Int(world.seed))
    plan.world = world
    self.plan = plan
    printsJSON = arguments.has("json")
    reportFile = arguments.text("html")
    try check(arguments.table)
  }

  /// What works in place of latencies that don't: the same with units, if that is all that they lack.
  private static func latencies(meantBy text: String) -> String {
    guard let mended = TimeSpan.withUnits(text),
      mended.split(separator: ",", omittingEmptySubsequences: false).allSatisfy({ LatencyModel($0) != nil })
    else { return "80ms-300ms" }
    return mended
  }

  private func check(_ table: CommandTable) throws(UsageError) {
    guard plan.combinationCount <= SimulationPlan.mostCombinations else {
      throw UsageError(
        "these are \(grouped(plan.combinationCount)) combinations, and at most "
          + "\(SimulationPlan.mostCombinations) are tried.",
        line: "\(table.call) --page-size 10,25,50 --prefetch 10,50 --cap none,200")
    }
    guard plan.settings.isEmpty, let first = plan.contradictions.first else { return }
    let least = SimulationSetting.leastCap(pageSize: first.pageSize, prefetch: first.prefetch)
    throw UsageError(
      "--cap \(first.capText) is too small: it must be at least page size + 2 × prefetch, which is \(least).",
      line: "\(table.call) --page-size \(first.pageSize) --prefetch \(first.prefetch) --cap \(least)")
  }
}

/// Options whose value is several values, with commas between.
private struct ListedValues {
  private let arguments: Arguments

  init(_ arguments: Arguments) {
    self.arguments = arguments
  }

  /// Whole numbers in `range`; nil where the option isn't given.
  func numbers(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> [Int]? {
    let example = "\(max(range.lowerBound, min(range.upperBound, 50)))"
    return try values(name, "whole numbers from \(range.lowerBound) to \(range.upperBound)", like: example) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// The values that `read` makes of an option's parts, each once; nil where the option isn't given.
  ///
  /// - Parameters:
  ///   - what: What the values must be, for whoever gives others.
  ///   - example: A value that works.
  func values<Value: Hashable>(
    _ name: String, _ what: String, like example: String, _ read: (String) -> Value?
  ) throws(UsageError) -> [Value]? {
    guard let text = arguments.text(name) else { return nil }
    var values: [Value] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let value = read(String(part)) else {
        throw UsageError(
          "--\(name) is '\(printable(text))' and must be \(what), or several with commas between.",
          line: "\(arguments.table.call) --\(name) \(example)")
      }
      if !values.contains(value) { values.append(value) }
    }
    return values
  }
}
