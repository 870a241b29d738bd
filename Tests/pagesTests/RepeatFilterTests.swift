import Testing

@testable import pages

@Suite struct RepeatFilterTests {
  private func answers(to ids: [RowID], _ filter: inout RepeatFilter) -> [Bool] {
    ids.map { filter.isNew($0) }
  }

  @Test func theLastTenThousandAreRemembered() {
    var filter = RepeatFilter()
    let first = answers(to: (0..<RepeatFilter.window).map { .text(String($0)) }, &filter)
    #expect(!first.contains(false))
    // "new" pushes "0" out, which pushes "1" out.
    let then = answers(to: ["0", "new", "0", "2"].map { .text($0) }, &filter)
    #expect(then == [false, true, true, false])
    #expect(filter.repeats == 2)
  }

  @Test func rowsWithoutAnIDAreAlwaysNew() {
    var filter = RepeatFilter()
    let answers = answers(to: [.unknown(1), .unknown(1)], &filter)
    #expect(answers == [true, true])
  }
}
