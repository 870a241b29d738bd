import Foundation
import PagingHTTP
import TestSupport
import Testing

@testable import pages

/// What a probe finds of lists that page in every style, and of lists with a fault each.
@Suite(
  .enabled(if: RealServer.Kind.probe.isInstalled, "the servers are missing"), .serialized, .timeLimit(.minutes(10)))
struct ProbeFeedTests {
  private static let count = 700

  private func probe(_ path: String, _ words: [String] = [], pages: Int = 4) async throws -> JSONValue {
    let server = try await RealServers.shared.server(.probe, rows: Self.count)
    let (run, json) = try await ProbeRun.report([server.url(path).absoluteString] + words, pages: pages)
    #expect(run.status == 0, "\(run.errors)")
    return json
  }

  /// What the report must have, and what it must not.
  struct Fault: Sendable, CustomTestStringConvertible {
    let path: String
    let style: PagingStyle.Kind
    let faults: Set<String>
    var others: Set<String> = []
    var not: Set<String> = []
    var words: [String] = []
    var pages = 4

    var testDescription: String { path }
  }

  @Test(arguments: [
    Fault(
      path: "/offset", style: .offset, faults: [],
      others: [
        "pages.numbered", "pages.constant", "refresh.same", "total.known", "size.capped", "end.past", "key.refused",
      ]),
    Fault(path: "/page", style: .pageNumbers, faults: [], others: ["pages.numbered", "total.known", "end.past"]),
    Fault(
      path: "/keyset", style: .keyset, faults: [],
      others: ["total.unknown", "key.refused", "key.missing", "key.lives", "entry.none", "size.capped"],
      not: ["pages.numbered"]),
    Fault(path: "/refusing", style: .offset, faults: [], others: ["size.refused"], not: ["size.capped"]),
    Fault(path: "/small-first", style: .keyset, faults: [], others: ["pages.smallFirst"]),
    Fault(
      path: "/filtered", style: .cursor, faults: ["end.none", "pages.empty"],
      others: ["pages.vary"], pages: 5),
    Fault(
      path: "/empty-middle", style: .pageNumbers, faults: ["end.none", "pages.empty"], others: ["end.past"]),
    Fault(path: "/short-end", style: .keyset, faults: ["end.none"]),
    Fault(path: "/estimated", style: .keyset, faults: ["total.estimated"]),
    Fault(path: "/marked", style: .keyset, faults: ["total.estimated"]),
    Fault(path: "/rounded", style: .keyset, faults: ["total.estimated"]),
    Fault(path: "/drifting", style: .keyset, faults: ["total.estimated"]),
    Fault(
      path: "/expiring", style: .keyset, faults: ["key.expires"], words: ["--key-age", "6"]),
    Fault(path: "/once", style: .keyset, faults: ["key.once"], not: ["key.expires"]),
    Fault(path: "/ranked", style: .cursor, faults: ["refresh.reordered"], not: ["refresh.same"]),
    Fault(path: "/held", style: .keyset, faults: ["refresh.other"], not: ["refresh.same", "refresh.reordered"]),
    Fault(path: "/round", style: .keyset, faults: ["end.round"]),
    Fault(path: "/last-again", style: .pageNumbers, faults: ["end.round"]),
    Fault(path: "/overlap", style: .offset, faults: ["pages.overlap"]),
    Fault(path: "/bad/400", style: .keyset, faults: [], others: ["key.refused"]),
    Fault(path: "/bad/500", style: .keyset, faults: ["key.fails"]),
    Fault(path: "/bad/first", style: .keyset, faults: ["key.restarts"]),
    Fault(path: "/bad/empty", style: .keyset, faults: ["key.ends"]),
    Fault(path: "/bad/body", style: .keyset, faults: ["key.refusedInBody"]),
    Fault(
      path: "/entries", style: .keyset, faults: [],
      others: ["entry.window", "entry.since", "entry.newer"], not: ["entry.none"]),
    Fault(path: "/throttled", style: .keyset, faults: ["server.waits"], pages: 2),
  ])
  func eachFaultIsNamed(_ fault: Fault) async throws {
    let json = try await probe(fault.path, fault.words, pages: fault.pages)
    #expect(json.style == fault.style.rawValue, "\(json["style"] ?? .null)")
    #expect(json.faults == fault.faults, "\(json.findings)")
    #expect(json.ids.isSuperset(of: fault.others), "\(fault.others.subtracting(json.ids)) are missing")
    #expect(json.ids.isDisjoint(with: fault.not))
    #expect((json["requests"]?.integer ?? 99) <= ProbeCommand.maxRequests)
  }

  // MARK: - Inserts and deletes

  private func commands(_ server: RealServer) -> [String] {
    let base = server.url("/").absoluteString
    return [
      "--insert-cmd", "curl -sf '\(base)insert'", "--delete-cmd", "curl -sf \"\(base)delete?id=$1\"", "--yes",
    ]
  }

  private func changed(_ path: String) async throws -> JSONValue {
    let server = try await RealServers.shared.server(.probe, rows: Self.count)
    let json = try await probe(path, commands(server))
    // All that was put in is gone again, and nothing else.
    let total = try await ProbeRun.report([server.url("/offset?limit=1").absoluteString]).json
    #expect(total.finding("total.known")?["evidence"]?.text?.contains("\(Self.count)") == true)
    return json
  }

  @Test(arguments: ["/offset", "/page"]) func offsetsRepeatAndSkip(_ path: String) async throws {
    let json = try await changed(path)
    #expect(json.ids.isSuperset(of: ["insert.repeats", "delete.skips"]))
    #expect(json.ids.isDisjoint(with: ["insert.none", "changes.none", "insert.shorter"]))
    #expect(json.value(at: ["style", "confidence"])?.text == "inferred")
    #expect(
      json.finding("insert.repeats")?["evidence"]?.text == "2 rows put in above: 2 rows of page 1 came again on page 2."
    )
  }

  @Test(arguments: ["/keyset", "/expiring"]) func cursorsDoNeither(_ path: String) async throws {
    let json = try await changed(path)
    #expect(json.ids.isSuperset(of: ["insert.none", "changes.none"]))
    #expect(json.ids.isDisjoint(with: ["insert.repeats", "delete.skips", "insert.shorter"]))
  }

  @Test func offsetsInACursorAreFoundByWhatIsDropped() async throws {
    let json = try await changed("/dropping")
    #expect(json.ids.contains("insert.shorter") && json.ids.contains("delete.skips"))
    #expect(json.ids.isDisjoint(with: ["insert.repeats", "insert.none", "changes.none"]))
  }

  @Test func aListWhoseOrderDoesNotLastIsNotChanged() async throws {
    let server = try await RealServers.shared.server(.probe, rows: Self.count)
    let json = try await probe("/ranked", commands(server))
    #expect(json.ids.isDisjoint(with: ["insert.repeats", "insert.none", "delete.skips", "changes.none"]))
    #expect(json["not_looked_at"]?.elements?.contains { $0.text?.hasPrefix("inserts and deletes") == true } == true)
  }

  @Test func nothingIsDeletedWithoutYes() async throws {
    let server = try await RealServers.shared.server(.probe, rows: Self.count)
    let words = ["probe", server.url("/offset").absoluteString] + commands(server).dropLast()
    let run = try await Tool.run(words)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("--yes"))
    let count = try await ProbeRun.report([server.url("/offset?limit=1").absoluteString]).json
    #expect(count.finding("total.known")?["evidence"]?.text?.contains("700") == true)
  }

  @Test func onlyInsertedRowsAreDeleted() async throws {
    let server = try await RealServers.shared.server(.probe, rows: Self.count)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: file) }
    // The IDs of rows that were there all the time.
    let names = "echo >> \(file).count; echo $((690 - $(wc -l < \(file).count)))"
    defer { try? FileManager.default.removeItem(atPath: file + ".count") }
    let (run, _) = try await ProbeRun.report([
      server.url("/offset").absoluteString, "--insert-cmd", names, "--delete-cmd", "echo $1 >> \(file)", "--yes",
    ])
    #expect(run.status == 1)
    #expect(run.errors.contains("689") && run.errors.contains("was there before"))
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test func rowsThatAreLeftAreNamed() async throws {
    let server = try await RealServers.shared.server(.probe, rows: Self.count)
    let base = server.url("/").absoluteString
    let (run, json) = try await ProbeRun.report([
      server.url("/offset").absoluteString, "--insert-cmd", "curl -sf '\(base)insert'", "--delete-cmd", "exit 3",
      "--yes",
    ])
    #expect(run.status == 1)
    #expect(run.errors.contains("--delete-cmd ended with status 3"))
    #expect(run.errors.contains("still there: 701, 702"))
    #expect(run.errors.contains("will be given, one after the other: 701, 702"))
    #expect(json.ids.contains("insert.repeats"))
  }
}
