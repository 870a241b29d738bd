import Paging
import Testing

struct Row: Identifiable, Hashable, Sendable {
  var id: Int
  var title = ""
}

@Suite struct PagingStateTests {
  private func state(_ sizes: [Int], anchor: Int? = nil) -> PagingState<Int, Row> {
    var next = 0
    let pages = sizes.map { size in
      defer { next += size }
      return Page<Int, Row>((next..<next + size).map { Row(id: $0) }, nextKey: next + size)
    }
    return PagingState(pages: pages, anchorIndex: anchor, config: PagingConfig())
  }

  @Test func closestItemIsClampedAndSkipsEmptyPages() {
    let three = state([2, 0, 3])
    #expect((-2...7).map { three.closestItem(to: $0)?.id } == [0, 0, 0, 1, 2, 3, 4, 4, 4, 4])
    #expect(three.closestPage(to: 2)?.items.count == 3)
    #expect(state([]).closestItem(to: 0) == nil)
    #expect(state([0, 0]).closestItem(to: 0) == nil)
  }

  @Test func anchorItemIsNilWhereItIsNotLoaded() {
    #expect(state([2, 3], anchor: 3).anchorItem?.id == 3)
    #expect(state([2, 3], anchor: 5).anchorItem == nil)
    #expect(state([2, 3], anchor: -1).anchorItem == nil)
    #expect(state([2, 3]).anchorItem == nil)
  }

  @Test func closestItemWherePrefersTheEarlierOfTwo() {
    let rows = state([3, 4, 3])
    #expect(rows.closestItem(to: 5) { $0.id == 3 || $0.id == 7 }?.id == 3)
    #expect(rows.closestItem(to: 5) { $0.id == 2 || $0.id == 7 }?.id == 7)
    #expect(rows.closestItem(to: 5) { $0.id == 5 }?.id == 5)
    #expect(rows.closestItem(to: 20) { $0.id < 4 }?.id == 3)
    #expect(rows.closestItem(to: -20) { $0.id > 4 }?.id == 5)
    #expect(rows.closestItem(to: 5) { _ in false } == nil)
  }
}
