import Testing

@testable import pages

/// What an API shows besides: caps, keys, ends.
@Suite struct FaultTableTests {
  private static func list(_ change: (inout ProbeObservations) -> Void) -> ProbeObservations {
    var seen = ProbeMade.list()
    change(&seen)
    return seen
  }

  private static func size(_ asked: [(size: Int, rows: Int?)], parameter: String? = "limit") -> ProbeObservations {
    list { $0.size = .init(parameter: parameter, tried: ["limit"], asked: asked) }
  }

  static let cases: [(id: String, seen: ProbeObservations)] = [
    ("size.capped", size([(1000, 100)])),
    ("size.refused", size([(1000, nil), (100, 100)])),
    ("size.open", size([(1000, 1000)])),
    ("size.fixed", size([], parameter: nil)),
    ("key.refused", list { $0.badKeys = [.garbled: .refused(400)] }),
    ("key.refusedInBody", list { $0.badKeys = [.garbled: .refusedInBody] }),
    ("key.fails", list { $0.badKeys = [.cut: .failed(500)] }),
    ("key.restarts", list { $0.badKeys = [.garbled: .firstPage] }),
    ("key.missing", list { $0.badKeys = [.empty: .firstPage] }),
    ("key.ends", list { $0.badKeys = [.garbled: .noRows] }),
    ("key.ignored", list { $0.badKeys = [.cut: .samePage] }),
    ("key.unreadable", list { $0.badKeys = [.cut: .unreadable] }),
    ("key.once", list { $0.keyAgain = .refused(400) }),
    (
      "key.expires",
      list {
        $0.keyAgain = .samePage
        $0.keyLater = (3, .refused(410))
      }
    ),
    ("key.lives", list { $0.keyLater = (3, .samePage) }),
    ("key.moves", list { $0.keyAgain = .otherRows(20) }),
    ("end.round", list { $0.goesRound = true }),
    ("end.round", list { $0.pastEnd = .otherRows(7) }),
    ("end.past", list { $0.pastEnd = .refused(404) }),
    ("pages.empty", ProbeMade.list(sizes: [20, 20, 0, 20])),
    ("pages.empty", list { $0.behindEmpty = .otherRows(20) }),
    ("pages.overlap", list { $0.pages[1].rows.insert($0.pages[0].rows[19], at: 0) }),
    ("entry.since", list { $0.newer = (["since_id"], "since_id", 3) }),
    ("server.waits", list { $0.throttles = (1, 2) }),
    ("server.breaksOff", list { $0.brokeOff = (3, 502) }),
  ]

  @Test(arguments: cases.map(\.id).indices) func eachIsFound(_ index: Int) throws {
    let one = Self.cases[index]
    let finding = try #require(one.seen.findings.first { $0.id == one.id })
    #expect(finding.evidence.hasSuffix("."))
  }

  @Test func everyRowOfTheTableHasACase() {
    #expect(Set(FaultTable.rules.map(\.id)) == Set(Self.cases.map(\.id)))
  }

  @Test func answersToBadKeysAreToldApart() {
    let seen = Self.list { $0.badKeys = [.garbled: .refused(400), .cut: .failed(500), .empty: .firstPage] }
    let found = Dictionary(uniqueKeysWithValues: seen.findings.map { ($0.id, $0.evidence) })
    #expect(found["key.refused"] == "A garbled one: status 400.")
    #expect(found["key.fails"] == "A cut one: status 500.")
    #expect(found["key.missing"] != nil && found["key.restarts"] == nil)
    #expect(found["key.ends"] == nil && found["key.ignored"] == nil)
    let restarts = Self.list { $0.badKeys = [.garbled: .firstPage, .cut: .firstPage, .empty: .noRows] }
    #expect(
      restarts.findings.first { $0.id == "key.restarts" }?.evidence == "A garbled one: page 1; a cut one: page 1.")
  }

  @Test func aShortListHasNoCap() {
    var seen = ProbeMade.list(sizes: [20, 7], last: true)
    seen.size = .init(parameter: "limit", asked: [(1000, 27)])
    let ids = Set(seen.findings.map(\.id))
    #expect(ids.contains("size.open") && !ids.contains("size.capped"))
  }

  @Test func aRankedListsKeysAreNotBlamed() {
    var seen = Self.list { $0.keyAgain = .noRows }
    seen.refreshes = [Array(seen.pages[0].rows.reversed())]
    #expect(!seen.findings.contains { $0.id == "key.once" })
  }
}
