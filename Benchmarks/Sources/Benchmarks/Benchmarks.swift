/// Runs the workloads and says what they came to; `--json` for a machine, a name's beginning to run only some.
@main enum Benchmarks {
  static func main() async throws { try await run() }

  /// Off the main thread, which would otherwise hand every load over and back.
  @concurrent private static func run() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let wanted = arguments.filter { !$0.hasPrefix("-") }
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
    for workload in workloads where wanted.isEmpty || wanted.contains(where: workload.name.hasPrefix) {
      all += try await workload.run()
    }
    print(arguments.contains("--json") ? try Report.json(all) : Report.table(all))
  }
}
