import Foundation
import Testing

@testable import pages

@Suite struct PagingStyleTests {
  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
  /// The rows 1000 to 921, in pages of 20.
  private static let pages = (0..<4).map { page in ProbeMade.ids((0..<20).map { 1000 - page * 20 - $0 }) }
  /// The rows 1 to 80.
  private static let rising = (0..<4).map { page in ProbeMade.ids((1...20).map { page * 20 + $0 }) }

  @Test(arguments: [
    (["2", "3", "4"], "page", KeyShape.pageNumbers), (["1", "2", "3"], "p", .pageNumbers),
    (["2"], "page", .pageNumbers),
    (["20", "40", "60"], "offset", .offsets), (["21", "41", "61"], "startIndex", .offsets),
    (["20", "40", "60"], "whatever", .offsets), (["981", "961", "941"], "max_id", .rowIDs),
    (["981"], "_next", .rowIDs), (["2026-01-01T09:31:00Z,981", "2026-01-01T09:30:00Z,961"], "_next", .rowIDs),
    (["c20", "c40", "c60"], "cursor", .hiddenOffsets("c20")), (["q8Zf0", "Zz1kw", "b77xx"], "cursor", .opaque),
    (["1767225600", "1767225000", "1767224000"], "before", .opaque), ([], "cursor", .none),
  ])
  func keysSayWhatTheyCount(_ keys: [String], _ name: String, _ shape: KeyShape) {
    #expect(KeyShape(keys: keys, name: name, pages: Self.pages) == shape)
  }

  @Test func cursorsAreLookedInto() {
    let relay = ["19", "39", "59"].map { Self.base64("arrayconnection:\($0)") }
    #expect(KeyShape(keys: relay, name: "after", pages: Self.pages) == .hiddenOffsets("arrayconnection:19"))
    let rows = ["981", "961", "941"].map { Self.base64("[\"2026-01-01T00:00:00Z\", \($0)]") }
    #expect(KeyShape(keys: rows, name: "cursor", pages: Self.pages) == .rowIDs)
    // A number that only contains the ID is another one.
    let others = ["19810", "29610", "39410"].map { Self.base64("x\($0)y7") }
    #expect(KeyShape(keys: others, name: "cursor", pages: Self.pages) == .opaque)
  }

  @Test func whereIDsAreCountsTheNameDecides() {
    let keys = ["20", "40", "60"]
    #expect(KeyShape(keys: keys, name: "offset", pages: Self.rising) == .offsets)
    #expect(KeyShape(keys: keys, name: "since_id", pages: Self.rising) == .rowIDs)
    #expect(KeyShape(keys: keys, name: "k", pages: Self.rising) == .either)
  }

  @Test(arguments: ["page", "offset", "cursor"]) func anyNumbersHaveAShape(_ name: String) {
    let all = [Int.min, -1, 0, 1, Int.max]
    for first in all {
      for second in all {
        _ = KeyShape(keys: ["\(first)", "\(second)"], name: name, pages: Self.pages)
      }
    }
    #expect(KeyShape(keys: ["\(Int.min)", "\(Int.max)"], name: "cursor", pages: Self.pages) == .opaque)
  }

  @Test func filteredOffsetsGoOnByTheirOwnStep() {
    let short = Self.pages.map { Array($0.prefix(7)) }
    #expect(KeyShape(keys: ["20", "40", "60"], name: "offset", pages: short) == .offsets)
  }

  @Test func insertsDecideWhatKeysLeaveOpen() {
    var seen = ProbeMade.list(keys: [nil, "q8Zf0", "Zz1kw", "b77xx"])
    #expect(PagingStyle(seen).kind == .cursor && PagingStyle(seen).confidence == .speculative)
    seen.insert = .init(
      first: seen.pages[0].rows, count: 2, cameOnTop: true, second: seen.pages[0].rows.suffix(2) + seen.pages[1].rows)
    #expect(PagingStyle(seen).kind == .hiddenOffset && PagingStyle(seen).confidence == .inferred)
  }

  @Test func aListOfOnePageIsTakenForWhatTheDetectorSays() {
    var seen = ProbeMade.list(keys: [nil], sizes: [5], last: true)
    seen.kind = "single"
    #expect(PagingStyle(seen).kind == .whole)
    seen.windows = (["around"], "around", 11)
    #expect(PagingStyle(seen).kind == .window)
  }

  @Test func rowsAreComparedByTheirOrder() {
    let before = ProbeMade.ids([5, 4, 3, 2, 1])
    #expect(Likeness(of: before, to: before) == .same(new: 0))
    #expect(Likeness(of: ProbeMade.ids([7, 6, 5, 4, 3]), to: before) == .same(new: 2))
    #expect(Likeness(of: ProbeMade.ids([5, 4, 2, 1]), to: before) == .same(new: 0))
    #expect(Likeness(of: ProbeMade.ids([4, 5, 3, 2, 1]), to: before) == .reordered(kept: 5))
    #expect(Likeness(of: ProbeMade.ids([5, 9, 4, 3, 2]), to: before) == .same(new: 1))
    #expect(Likeness(of: ProbeMade.ids([9, 8, 7, 5, 4]), to: before) == .other(kept: 2))
  }
}
