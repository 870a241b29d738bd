import Foundation
import LoadingHTTP
import Paging
import PagingHTTP
import Testing

/// Page numbers and offsets, against a server of 23 rows that gives at most `cap` of them at once.
@Suite struct NumberedConventionTests {
  private func server(rows count: Int = 23, cap: Int = 10, beyond status: Int = 200) -> StubTransport {
    StubTransport { request in
      let size = min(cap, number("per_page", in: request) ?? number("limit", in: request) ?? 5)
      let start = number("offset", in: request) ?? ((number("page", in: request) ?? 1) - 1) * size
      let end = min(count, start + size)
      guard start < end else { return .stub(status, status == 200 ? "{\"items\":[]}" : "<h1>No</h1>", for: request) }
      return .stub(200, "{\"items\":\(rows(start..<end)),\"total\":\(count)}", for: request)
    }
  }

  private func source(
    _ convention: PageConvention<Feed>, _ transport: StubTransport, url: URL = listURL
  ) -> HTTPPageSource<Row> {
    HTTPPageSource(url, convention: convention, transport: transport, items: \.items)
  }

  /// The IDs of all pages, forward from the start.
  private func walk(_ source: HTTPPageSource<Row>, size: Int = 10) async throws -> [[Int]] {
    var pages: [[Int]] = []
    var key: HTTPPageKey?
    repeat {
      let page = try await source.load(LoadParams(key == nil ? .refresh : .append, key: key, loadSize: size))
      pages.append(page.items.map(\.id))
      key = page.nextKey
    } while key != nil && pages.count < 50
    return pages
  }

  // MARK: - Page numbers

  @Test func pageNumbersGoOnToTheFirstEmptyPage() async throws {
    let server = server()
    let source = source(.pageNumber(), server)
    #expect(try await walk(source) == [Array(0..<10), Array(10..<20), [20, 21, 22], []])
    #expect(server.urls.first == "https://example.com/items?page=1&per_page=10")
    #expect(server.urls.last == "https://example.com/items?page=4&per_page=10")
    #expect(source.keyKind == .pageNumber)
  }

  @Test func pageNumbersGoBackToTheFirst() async throws {
    let source = source(.pageNumber(), server())
    let third = try await source.load(LoadParams(.refresh, key: 3, loadSize: 5))
    #expect(third.previousKey == 2 && third.nextKey == 4)
    #expect(try await source.load(LoadParams(.prepend, key: 1, loadSize: 5)).previousKey == nil)
    #expect(try await source.load(LoadParams(.refresh, loadSize: 5)).previousKey == nil)
  }

  @Test(arguments: [400, 404]) func H5_aRefusalPastTheFirstPageEndsTheNumbers(status: Int) async throws {
    let source = source(.pageNumber(), server(beyond: status))
    #expect(try await walk(source).last == [])
    let beyond = try await source.load(LoadParams(.refresh, key: 9, loadSize: 10))
    #expect(beyond.items.isEmpty && beyond.nextKey == nil && beyond.previousKey == 8)
  }

  @Test func H5_aRefusalOfTheFirstPageIsAnError() async throws {
    let source = source(.pageNumber(), server(rows: 0, beyond: 404))
    for key: HTTPPageKey? in [nil, 1, "1"] {
      await #expect(throws: HTTPPageError.self) { try await source.load(LoadParams(.refresh, key: key, loadSize: 10)) }
    }
  }

  @Test func H5_whichStatusesEndIsAdjustable() async throws {
    let strict = source(.pageNumber().ending(at: []), server(beyond: 404))
    await #expect(throws: HTTPPageError.self) { try await walk(strict) }
    let ranged = source(.offset().ending(at: [416]), server(rows: 20, beyond: 416))
    #expect(try await walk(ranged) == [Array(0..<10), Array(10..<20), []])
  }

  @Test func numbersInTheURLAreKept() async throws {
    let server = server()
    let url = try #require(URL(string: "https://example.com/items?sort=a%20b&page=2&per_page=3"))
    let first = try await source(.pageNumber(), server, url: url).load(LoadParams(.refresh, loadSize: 10))
    #expect(first.items.map(\.id) == [3, 4, 5] && first.nextKey == 3 && first.previousKey == 1)
    _ = try await source(.pageNumber(), server, url: url).load(LoadParams(.append, key: 3, loadSize: 10))
    #expect(server.urls == [url.absoluteString, "https://example.com/items?sort=a%20b&per_page=3&page=3"])
  }

  @Test func pagesMayBeCountedFromZero() async throws {
    let server = StubTransport { request in
      let page = number("p", in: request) ?? -1
      return .stub(200, rows(page < 2 ? [page] : []), for: request)
    }
    let source = HTTPPageSource(
      listURL, convention: .pageNumber("p", size: nil, first: 0), transport: server, of: Row.self)
    let first = try await source.load(LoadParams(.refresh, loadSize: 9))
    #expect(first.items == [Row(id: 0)] && first.nextKey == 1 && first.previousKey == nil)
    #expect(server.urls == ["https://example.com/items?p=0"])
  }

  @Test func keysOfAnotherConventionAreInvalid() async throws {
    for convention: PageConvention<Feed> in [.pageNumber(), .offset()] {
      let source = source(convention, server())
      for key: HTTPPageKey in ["abc", -1, HTTPPageKey(listURL), "<0", "<x", "1.5", "99999999999999999999"] {
        let error = await #expect(throws: PagingError.self) {
          try await source.load(LoadParams(.append, key: key, loadSize: 10))
        }
        #expect(error?.code == .invalidKey)
      }
    }
  }

  @Test func theLargestNumbersDoNotOverflow() async throws {
    let full = StubTransport(200, "{\"items\":\(rows(0..<3)),\"total\":-5}")
    for convention: PageConvention<Feed> in [.pageNumber(), .offset(), .offset(total: \.total)] {
      let page = try await source(convention, full).load(LoadParams(.append, key: HTTPPageKey(Int.max), loadSize: .max))
      #expect(page.nextKey == nil && page.total == nil)
    }
    #expect(try await source(.offset(), full).load(LoadParams(.prepend, key: "<1", loadSize: .max)).items.count == 3)
  }

  // MARK: - Offsets

  @Test func H5_offsetsCountWhatCame() async throws {
    let server = server(cap: 10)
    #expect(try await walk(source(.offset(), server), size: 500) == [Array(0..<10), Array(10..<20), [20, 21, 22], []])
    #expect(server.urls[1] == "https://example.com/items?offset=10&limit=500")
  }

  @Test func H5_aTotalEndsTheOffsets() async throws {
    let source = source(.offset(total: \.total), server())
    #expect(try await walk(source) == [Array(0..<10), Array(10..<20), [20, 21, 22]])
    let page = try await source.load(LoadParams(.append, key: 10, loadSize: 5))
    #expect(page.itemsBefore == 10 && page.itemsAfter == 8 && page.total == .exact(23))
    #expect(page.nextKey == 15 && page.previousKey == "<10")
    // A total larger than what there is ends nothing, an empty page does.
    let lying = StubTransport(200, "{\"items\":[],\"total\":23}")
    let empty = try await self.source(.offset(total: \.total), lying).load(LoadParams(.append, key: 10, loadSize: 5))
    #expect(empty.nextKey == nil)
  }

  @Test func H10_totalsComeFromHeadersToo() async throws {
    for (header, total) in [("x-total-count", Total?.some(.exact(7))), ("X-WP-Total", .exact(7)), ("X-Other", nil)] {
      let server = StubTransport(200, "{\"items\":[]}", headers: [header: "7"])
      #expect(try await source(.cursor(\.next), server).load(LoadParams(.refresh, loadSize: 5)).total == total)
    }
    let nonsense = StubTransport(200, "{\"items\":[]}", headers: ["X-Total-Count": "-1", "X-Total": "many"])
    #expect(try await source(.cursor(\.next), nonsense).load(LoadParams(.refresh, loadSize: 5)).total == nil)
  }

  @Test(arguments: [1, 4, 7, 10]) func goingBackGivesEveryRowOnce(size: Int) async throws {
    let source = source(.offset(), server())
    var page = try await source.load(LoadParams(.refresh, key: 13, loadSize: 10))
    var ids: [Int] = []
    while let key = page.previousKey {
      page = try await source.load(LoadParams(.prepend, key: key, loadSize: size))
      ids = page.items.map(\.id) + ids
    }
    #expect(ids == Array(0..<13))
    #expect(page.itemsBefore == 0)
  }

  @Test func goingBackPastACapIsAnErrorNotAHole() async throws {
    let error = await #expect(throws: HTTPPageError.self) {
      try await source(.offset(), server(rows: 100, cap: 10)).load(LoadParams(.prepend, key: "<60", loadSize: 20))
    }
    #expect(error?.code == .shortPage)
    #expect(error?.message.contains("Of the 20 rows before row 60, 10 came") == true)
  }

  @Test func offsetsFollowTheSizeInTheURL() async throws {
    let server = server()
    let url = try #require(URL(string: "https://example.com/items?limit=4"))
    let source = source(.offset(), server, url: url)
    #expect(try await source.load(LoadParams(.prepend, key: "<13", loadSize: 10)).items.map(\.id) == [9, 10, 11, 12])
    #expect(server.urls == ["https://example.com/items?limit=4&offset=9"])
  }

  @Test func rowsOfAnOffsetListCanBeJumpedTo() {
    #expect(source(.offset(), server()).key(forIndex: 17) == 17)
    #expect(source(.offset(), server()).key(forIndex: -1) == 0)
    #expect(source(.pageNumber(), server()).key(forIndex: 17) == nil)
  }
}
