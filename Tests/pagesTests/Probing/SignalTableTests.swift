import Testing

@testable import pages

/// Each row of the table of signals that an API alone can show: seen where it is to be seen, with its confidence.
@Suite struct SignalTableTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let signal: String
    let confidence: Confidence
    let seen: ProbeObservations

    var testDescription: String { "\(id)" }
  }

  private typealias Made = ProbeMade

  private static func changed(
    _ list: ProbeObservations = Made.list(), second: [Int] = Array((961...980).reversed()), skips: Int? = nil
  ) -> ProbeObservations {
    var seen = list
    seen.insert = .init(first: Made.ids((981...1000).reversed()), count: 2, cameOnTop: true, second: Made.ids(second))
    if let skips {
      let before = Array((961...980).reversed())
      seen.delete = .init(
        second: Made.ids(before), count: 2, secondAfter: Made.ids(before.dropFirst(skips)),
        firstAfter: Made.ids((981...1000).reversed()) + Made.ids(before.prefix(skips)))
    }
    return seen
  }

  private static func refreshed(_ again: [Int]) -> ProbeObservations {
    var seen = Made.list()
    seen.refreshes = [Made.ids(again)]
    return seen
  }

  private static func with(_ change: (inout ProbeObservations) -> Void) -> ProbeObservations {
    var seen = Made.list()
    change(&seen)
    return seen
  }

  static let cases: [Case] = [
    Case(
      id: "pages.numbered", signal: "page numbers, or a jump to any page", confidence: .speculative,
      seen: Made.list(keys: [nil, "2", "3", "4"], name: "page")),
    Case(
      id: "pages.constant", signal: "the same number of rows in every page", confidence: .observed, seen: Made.list()),
    Case(
      id: "pages.smallFirst", signal: "a smaller first page, then a constant larger one", confidence: .inferred,
      seen: Made.list(sizes: [5, 20, 20, 20])),
    Case(
      id: "pages.vary", signal: "the number varies", confidence: .speculative, seen: Made.list(sizes: [20, 7, 20, 20])),
    Case(
      id: "insert.repeats", signal: "rows repeat on the next page after inserts above", confidence: .inferred,
      seen: changed(second: Array((963...982).reversed()))),
    Case(
      id: "insert.shorter", signal: "no repeat, but the next page is shorter by the number inserted",
      confidence: .speculative, seen: changed(second: Array((963...980).reversed()))),
    Case(
      id: "insert.none", signal: "no repeat, full page, after inserts above", confidence: .inferred, seen: changed()),
    Case(
      id: "delete.skips", signal: "rows that exist never come, after deletes above", confidence: .inferred,
      seen: changed(skips: 2)),
    Case(
      id: "changes.none", signal: "neither repeats nor skips while the list changes", confidence: .inferred,
      seen: changed(skips: 0)),
    Case(
      id: "refresh.same", signal: "same rows in the same order on refresh", confidence: .inferred, seen: Made.list()),
    Case(
      id: "refresh.same", signal: "same rows in the same order on refresh", confidence: .inferred,
      seen: refreshed(Array((983...1002).reversed()))),
    Case(
      id: "refresh.reordered", signal: "mostly the same rows in another order", confidence: .inferred,
      seen: refreshed([990, 1000, 999, 998, 997, 996, 995, 994, 993, 992, 991, 989, 988, 987, 986])),
    Case(
      id: "refresh.other", signal: "mostly other rows each time", confidence: .inferred,
      seen: refreshed(Array((951...985).reversed()))),
    Case(
      id: "total.known", signal: "placeholders throughout, an indicator of constant size", confidence: .inferred,
      seen: Made.list(total: SeenTotal(4321, at: "total"))),
    Case(id: "total.unknown", signal: "the indicator shrinks as pages come", confidence: .inferred, seen: Made.list()),
    Case(
      id: "total.estimated", signal: "a total with a plus sign, or rounded", confidence: .inferred,
      seen: Made.list(total: SeenTotal(500, at: "total", mark: "500+"))),
    Case(
      id: "total.estimated", signal: "a total with a plus sign, or rounded", confidence: .inferred,
      seen: Made.list(total: SeenTotal(3000, at: "total"))),
    Case(
      id: "end.none", signal: "the list ends, a refresh shows more", confidence: .speculative,
      seen: Made.list(sizes: [20, 20, 7, 20])),
    Case(
      id: "end.none", signal: "the list ends, a refresh shows more", confidence: .speculative,
      seen: {
        var seen = Made.list(sizes: [20, 20, 0], last: true)
        seen.behindEmpty = .otherRows(20)
        return seen
      }()),
    Case(
      id: "end.none", signal: "the list ends, a refresh shows more", confidence: .speculative,
      seen: Made.list(sizes: [20, 20, 4], last: true, total: SeenTotal(1000, at: "total"))),
    Case(
      id: "end.none", signal: "the list ends, a refresh shows more", confidence: .speculative,
      seen: {
        var seen = Made.list(sizes: [20, 20, 4], last: true)
        seen.lastAgain = (seen.pages[2].rows + Made.ids([1, 2]), false)
        return seen
      }()),
    Case(
      id: "entry.window", signal: "an old row opens in its place and both sides load", confidence: .inferred,
      seen: with { $0.windows = (["around"], "around", 11) }),
    Case(
      id: "entry.none", signal: "an old row opens alone", confidence: .observed,
      seen: with { $0.windows = (["around", "anchor"], nil, 0) }),
    Case(
      id: "entry.newer", signal: "a control that announces new rows, nothing moves", confidence: .observed,
      seen: with { $0.newerCount = ("\"/count\"", 3) }),
  ]

  @Test(arguments: cases) func eachSignalIsFoundWithItsConfidence(_ one: Case) throws {
    let finding = try #require(one.seen.findings.first { $0.id == one.id })
    #expect(finding.signal == one.signal)
    #expect(finding.confidence == one.confidence)
    #expect(!finding.evidence.isEmpty && finding.evidence.hasSuffix("."))
  }

  @Test func everyRowOfTheTableHasACase() {
    #expect(Set(SignalTable.rules.map(\.id)) == Set(Self.cases.map(\.id)))
  }

  @Test func aListWithNothingTheMatterHasNoFaults() {
    #expect(Made.list().findings.filter(\.isFault).isEmpty)
    let changed = Self.changed(skips: 0)
    #expect(changed.findings.filter(\.isFault).isEmpty)
    #expect(Made.list(sizes: [20, 20, 7], last: true).findings.filter(\.isFault).isEmpty)
  }

  @Test func whatDidNotHappenIsNotSaid() {
    let repeats = Set(Self.changed(second: Array((963...982).reversed()), skips: 2).findings.map(\.id))
    #expect(repeats.isDisjoint(with: ["insert.none", "insert.shorter", "changes.none"]))
    #expect(Set(Self.changed(skips: 0).findings.map(\.id)).isDisjoint(with: ["insert.repeats", "delete.skips"]))
    let reordered = Set(Self.refreshed([990, 1000, 999, 998, 997, 996, 995, 994, 993, 992, 991]).findings.map(\.id))
    #expect(reordered.isDisjoint(with: ["refresh.same", "refresh.other"]))
    // Rows that were put in elsewhere say nothing.
    var elsewhere = Self.changed(second: Array((963...982).reversed()))
    elsewhere.insert?.cameOnTop = false
    #expect(Set(elsewhere.findings.map(\.id)).isDisjoint(with: ["insert.repeats", "insert.none", "insert.shorter"]))
  }

  @Test func aRowThatIsGoneIsNotSkipped() {
    // Somebody else deleted a row of page 2 meanwhile: it is on no page, and moved nowhere.
    var seen = Self.changed(skips: 1)
    seen.delete?.firstAfter = Made.ids((981...1000).reversed())
    #expect(seen.delete?.skipped == 0)
    #expect(Self.changed(skips: 2).delete?.skipped == 2)
  }

  @Test func aTotalIsDoubtedForAReason() {
    func ids(_ change: (inout ProbeObservations) -> Void) -> Set<String> {
      var seen = Made.list(total: SeenTotal(3000, at: "total"))
      change(&seen)
      return Set(seen.findings.map(\.id))
    }
    #expect(ids { $0.totalIsExact = true }.contains("total.known"))
    #expect(ids { $0.totalIsExact = false }.contains("total.estimated"))
    #expect(ids { $0.pages[2].total = SeenTotal(3001, at: "total") }.contains("total.estimated"))
    // A number that isn't round and that nothing speaks against is believed.
    #expect(ids { for index in 0..<4 { $0.pages[index].total = SeenTotal(3001, at: "total") } }.contains("total.known"))
    let whole = Made.list(sizes: [20, 20, 7], last: true, total: SeenTotal(47, at: "count"))
    #expect(whole.findings.contains { $0.id == "total.known" })
    let wrong = Made.list(sizes: [20, 20, 7], last: true, total: SeenTotal(40, at: "count"))
    #expect(wrong.findings.contains { $0.id == "total.estimated" })
  }
}
