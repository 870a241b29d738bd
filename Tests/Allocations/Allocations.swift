import CAllocationCounter

/// How often the things that happen most ask for memory: one line each, the count an operation and what it is of.
///
/// Each workload runs several times, after it ran until nothing more is set up; the fewest count, since a table that grows
/// or a thread that starts is not of the operation. Counts are of a release build.
@main enum Allocations {
  static func main() async throws { try await run() }

  /// Off the main thread, which would otherwise hand every load over and back.
  @concurrent private static func run() async throws {
    var all: [(name: String, count: Int)] = []
    all += try await Pages.counts()
    all += Memory.counts()
    all += try await Pictures.counts()
    all += try Merges.counts()
    for one in all { print("\(one.count)\t\(one.name)") }
    if CommandLine.arguments.contains("--memory") { try await Footprints.show() }
  }

  static let rounds = 9
  static let repeats = 100

  /// Allocations of one call of `body`.
  static func count(_ body: () throws -> Void) rethrows -> Int {
    var least = Int.max
    for _ in 0..<rounds {
      let before = allocation_count()
      for _ in 0..<repeats { try body() }
      least = min(least, Int(allocation_count() - before))
    }
    return perOperation(least)
  }

  /// Allocations of one call of `body`, which waits for what it does.
  static func count(_ body: () async throws -> Void) async rethrows -> Int {
    var least = Int.max
    for _ in 0..<rounds {
      let before = allocation_count()
      for _ in 0..<repeats { try await body() }
      least = min(least, Int(allocation_count() - before))
    }
    return perOperation(least)
  }

  /// To the nearest: tables grow now and then.
  private static func perOperation(_ count: Int) -> Int { (count + repeats / 2) / repeats }
}

/// Keeps a result from being optimised away.
@inline(never) func consume<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}
