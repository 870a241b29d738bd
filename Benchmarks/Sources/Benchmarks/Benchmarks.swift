import Foundation

/// Runs the workloads and says what they came to; `--json` for a machine, a name's beginning to run only some.
///
/// `--with=FILE` puts what other programs measured into the same table, as the JSON of this one.
///
/// `growth [rows]` measures curves instead, with stores of up to so many rows, and writes JSON.
@main enum Benchmarks {
  static func main() async throws { try await run() }

  /// Off the main thread, which would otherwise hand every load over and back.
  @concurrent private static func run() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let wanted = arguments.filter { !$0.hasPrefix("-") }
    if wanted.first == "growth" {
      let curves = try await Growth.run(storeRows: wanted.dropFirst().first.flatMap { Int($0) } ?? 1_000_000)
      return print(try Report.json(curves))
    }
    if wanted.count == 2, wanted[0] == "walk-url", let url = URL(string: wanted[1]) { return try await Peers.walk(url) }
    if wanted.count == 3, wanted[0] == "windows", let count = Int(wanted[2]) {
      return try await Peers.windows(URL(fileURLWithPath: wanted[1]), posts: count)
    }
    let workloads: [(name: String, run: @concurrent () async throws -> [Measurement])] = [
      ("refresh-10k", { try await RefreshChanges.run(rows: 10_000) }),
      ("refresh-100k", { try await RefreshChanges.run(rows: 100_000) }),
      ("reading", { try await Reading.run(rows: 100_000) }),
      ("events", { try await PageEvents.run(rows: 100_000) }),
      ("blobs", { try Blobs.run(entries: 100_000) }),
      ("paginator", { try await Paginators.run() }),
      ("caches", { try await Caches.run() }),
      ("http-pages", { try await HTTPPages.run(rows: 10_000) }),
      ("link-header", { try await LinkHeaders.run() }),
      ("memory", { try await PagerWalk.memory(rows: 1_000_000) }),
      ("store", { try await Stores.run(entries: 1_000_000) }),
      ("walk", { try await PagerWalk.run(rows: 1_000_000) }),
    ]
    var all: [Measurement] = []
    for argument in arguments where argument.hasPrefix("--with=") {
      let file = URL(fileURLWithPath: String(argument.dropFirst("--with=".count)))
      all += try JSONDecoder().decode([Measurement].self, from: Data(contentsOf: file))
    }
    for workload in workloads where wanted.isEmpty || wanted.contains(where: workload.name.hasPrefix) {
      all += try await workload.run()
    }
    print(arguments.contains("--json") ? try Report.json(all) : Report.table(all) + "\n\n" + Report.summary(all))
  }
}
