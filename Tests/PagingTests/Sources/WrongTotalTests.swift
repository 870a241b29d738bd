import Paging
import Testing

/// Totals that say too little, of a server whose pages are numbered.
@Suite struct WrongTotalTests {
  private func source(_ count: Int, total: Int, cap: Int = .max) -> NumberedPageSource<Row> {
    NumberedPageSource { params in
      let size = min(cap, params.loadSize)
      let start = min(count, ((params.key ?? 1) - 1) * size)
      return PageSlice(rows(start..<min(count, start + size)), total: total)
    }
  }

  @Test func P4_rowsBeyondTheTotalDoNotEndTheList() async throws {
    for count in 1...40 {
      for total in 0..<count where total % 10 != 0 {
        #expect(try await source(count, total: total).walkedIDs() == Array(0..<count), "\(total) of \(count)")
      }
    }
    // A page that ends where the total says is the end: nothing tells that from a total that is right.
    #expect(try await source(30, total: 20).walkedIDs() == Array(0..<20))
  }

  @Test func P4_aServerThatCapsIsReadToItsEndToo() async throws {
    for total in 0..<4 {
      #expect(try await source(23, total: total, cap: 4).walkedIDs() == Array(0..<23), "\(total)")
    }
  }

  @Test func P16_aTotalThatIsPassedIsOneAtLeast() async throws {
    let server = source(30, total: 15)
    let first = try await server.load(LoadParams(.refresh, loadSize: 10))
    #expect(first.total == .exact(15) && first.itemsAfter == 5)
    let second = try await server.load(LoadParams(.append, key: 2, loadSize: 10))
    #expect(second.total == .atLeast(20) && second.nextKey == 3 && second.itemsAfter == 0)
  }

  @Test func P4_aPageKnownToBeShortEndsTheListWithoutOneMore() async throws {
    let asked = Box<[Int?]>([])
    let counted = NumberedPageSource<Row> { params in
      asked.change { $0.append(params.key) }
      let start = ((params.key ?? 1) - 1) * 10
      return PageSlice(rows(start..<min(23, start + 10)), total: 22)
    }
    #expect(try await counted.walkedIDs() == Array(0..<23))
    #expect(asked.value == [1, 2, 3])
  }
}
