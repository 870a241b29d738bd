import Loading
import Testing

@testable import Paging

/// P34: what a ranked list has delivered.
@Suite struct DeliveredPagesTests {
  private typealias Pages = DeliveredPages<Int>

  private func key(_ offset: Int) -> RankedKey { RankedKey(session: "s", offset: offset) }
  private func page(_ offset: Int) -> Pages.Page { Pages.Page(asked: key(offset), size: 3, next: key(offset + 3)) }

  /// The IDs that are shown of those that came.
  private func take(_ ids: [Int], at offset: Int, into pages: inout Pages) -> [Int] {
    pages.take(ids, at: key(offset), page(offset)).map { ids[$0] }
  }

  @Test func P34_aRowBelongsToThePageThatBroughtItFirst() {
    var pages = Pages()
    #expect(take([1, 2, 1, 3], at: 0, into: &pages) == [1, 2, 3])
    #expect(take([3, 4, 2, 5], at: 3, into: &pages) == [4, 5])
    #expect(pages.ids(outside: key(3)) == [1, 2, 3] && pages.ids(outside: key(0)) == [4, 5])
    #expect(pages.ids(outside: key(9)) == [1, 2, 3, 4, 5])
  }

  @Test func P34_aPageReadAgainBringsItsOwnRowsInTheirOrder() {
    var pages = Pages()
    _ = take([1, 2, 3], at: 0, into: &pages)
    _ = take([4, 5, 6], at: 3, into: &pages)
    #expect(take([6, 3, 9, 1, 1], at: 0, into: &pages) == [1, 3])
    #expect(take([1, 2, 3], at: 0, into: &pages) == [1, 2, 3], "nor is it forgotten what it had")
    #expect(pages.ids(outside: key(9)) == [1, 2, 3, 4, 5, 6])
    #expect(pages.page(at: key(0))?.next == key(3) && pages.page(at: key(0))?.size == 3)
  }

  @Test func P34_aPageThatBroughtNothingIsNotKnown() {
    var pages = Pages()
    _ = take([1], at: 0, into: &pages)
    #expect(take([1], at: 3, into: &pages).isEmpty)
    #expect(pages.page(at: key(3)) == nil)
    #expect(take([7], at: 3, into: &pages) == [7])
  }

  @Test func P34_theOldestPagesAreForgottenBeyondTheLimit() {
    var pages = Pages()
    let limit = Pages.limit
    #expect(limit == 5_000)
    for start in stride(from: 0, to: limit, by: 100) { _ = take(Array(start..<start + 100), at: start, into: &pages) }
    #expect(pages.ids(outside: key(-1)) == Array(0..<limit))
    _ = take([limit], at: limit, into: &pages)
    #expect(pages.ids(outside: key(-1)) == Array(100...limit))
    #expect(pages.page(at: key(0)) == nil && pages.page(at: key(100)) != nil)
    #expect(take(Array(0..<100), at: 0, into: &pages) == Array(0..<100), "new again")
    // A page that alone is longer than the limit is kept, and nothing else.
    let long = Array(10_000..<16_000)
    #expect(take(long, at: 9_999, into: &pages) == long)
    #expect(pages.ids(outside: key(-1)) == long)
    _ = take([1], at: 1, into: &pages)
    #expect(pages.ids(outside: key(-1)) == [1])
  }

  @Test func P34_randomPagesAgreeWithANaiveList() {
    var generator = SeededGenerator(seed: 34)
    for _ in 0..<300 {
      var pages = Pages()
      var owned: [Int: [Int]] = [:]
      for _ in 0..<20 {
        let offset = Int.random(in: 0..<6, using: &generator)
        let ids = (0..<Int.random(in: 0...5, using: &generator)).map { _ in Int.random(in: 0..<12, using: &generator) }
        var expected: [Int] = []
        if let own = owned[offset] {
          expected = own.filter { ids.contains($0) }
        } else {
          let others = Set(owned.values.joined())
          for id in ids where !others.contains(id) && !expected.contains(id) { expected.append(id) }
          if !expected.isEmpty { owned[offset] = expected }
        }
        #expect(take(ids, at: offset, into: &pages) == expected)
      }
      let all = pages.ids(outside: key(-1))
      #expect(Set(all) == Set(owned.values.joined()) && all.count == Set(all).count)
    }
  }
}
