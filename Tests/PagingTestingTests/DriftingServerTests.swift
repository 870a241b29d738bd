import Paging
import PagingTesting
import Synchronization
import Testing

@Suite struct DriftingServerTests {
  private func server(_ count: Int = 10, maxPageSize: Int = .max) -> DriftingServer<SampleItem> {
    DriftingServer((0..<count).map { SampleItem(id: $0, timestamp: 1_000 - 10 * $0) }, maxPageSize: maxPageSize)
  }

  private func ids(_ items: [SampleItem]) -> [Int] { items.map(\.id) }

  private func page(
    _ server: DriftingServer<SampleItem>, _ key: String?, _ size: Int = 3
  ) throws -> Page<String, SampleItem> {
    try server.page(LoadParams(key == nil ? .refresh : .append, key: key, loadSize: size))
  }

  private func code(_ body: () throws -> Void) -> PagingError.Code? {
    do { try body() } catch { return (error as? PagingError)?.code }
    return nil
  }

  // MARK: - The list

  @Test func rowsComeGoAndMove() {
    let server = server(5)
    server.insert(SampleItem(id: 90), at: 0)
    server.insert(SampleItem(id: 91), at: .max)
    server.insert(SampleItem(id: 92), at: .min)
    server.insert(SampleItem(id: 93), at: 2)
    #expect(ids(server.items) == [92, 90, 93, 0, 1, 2, 3, 4, 91])
    #expect(server.delete(93)?.id == 93)
    #expect(server.delete(93) == nil)
    #expect(server.delete(at: 0)?.id == 92)
    #expect(server.delete(at: 99) == nil && server.delete(at: -1) == nil)
    #expect(ids(server.items) == [90, 0, 1, 2, 3, 4, 91])
    for index in 0..<7 {
      #expect(server.move(2, to: index))
      #expect(server.items[index].id == 2 && ids(server.items.filter { $0.id != 2 }) == [90, 0, 1, 3, 4, 91])
    }
    #expect(!server.move(500, to: 0))
    server.insert(SampleItem(id: 2, title: "again"), at: 1)
    #expect(ids(server.items) == [90, 2, 0, 1, 3, 4, 91] && server.items[1].title == "again")
    #expect(server.update(SampleItem(id: 0, title: "new")) && server.items[2].title == "new")
    #expect(!server.update(SampleItem(id: 500)))
    #expect(ids(DriftingServer([SampleItem(id: 1), SampleItem(id: 2), SampleItem(id: 1)]).items) == [1, 2])
  }

  @Test func hiddenRowsKeepTheirPlacesAndAreNotServed() throws {
    let server = server(6)
    #expect(server.hide(1) && server.hide(3) && server.hide(4) && server.hide(5) && !server.hide(50))
    #expect(ids(server.items) == Array(0..<6) && ids(server.visibleItems) == [0, 2])
    #expect(try server.rows(in: 0..<3) == PageSlice([server.items[0], server.items[2]], total: 6))
    #expect(try server.page(number: 2, size: 3).items.isEmpty)
    let first = try page(server, nil)
    #expect(ids(first.items) == [0, 2] && first.nextKey != nil)
    let last = try page(server, first.nextKey)
    #expect(last.items.isEmpty && last.nextKey == nil && last.previousKey != nil)
    #expect(ids(server.rows(after: nil, limit: 2, by: \.sortKey)) == [0, 2])
    #expect(server.move(4, to: 0) && ids(server.visibleItems) == [0, 2])
    #expect(server.show(4) && ids(server.visibleItems) == [4, 0, 2] && !server.show(50))
    #expect(server.ids() == [4, 0, 2])
  }

  // MARK: - Views

  @Test func offsetsAndPagesAreCountedFromTheStart() throws {
    let server = server(10)
    #expect(try ids(server.rows(in: 4..<7).items) == [4, 5, 6])
    #expect(try ids(server.rows(in: 8..<20).items) == [8, 9] && (server.rows(in: 20..<30).items.isEmpty))
    #expect(try server.rows(in: 2..<Int.max).total == 10)
    #expect(code { _ = try server.rows(in: -1..<3) } == .invalidKey)
    #expect(try ids(server.page(number: 1, size: 4).items) == [0, 1, 2, 3])
    #expect(try ids(server.page(number: 3, size: 4).items) == [8, 9])
    #expect(try server.page(number: 4, size: 4) == PageSlice([], total: 10))
    #expect(try server.page(number: .max, size: .max).items.isEmpty)
    #expect(code { _ = try server.page(number: 0, size: 4) } == .invalidKey)
    #expect(code { _ = try server.page(number: 1, size: 0) } == .invalidKey)
    #expect(try DriftingServer([SampleItem(id: 1)], saysTotal: false).rows(in: 0..<1).total == nil)
  }

  @Test func aCapIsSilentInEveryView() throws {
    let server = server(10, maxPageSize: 2)
    #expect(try ids(server.rows(in: 4..<9).items) == [4, 5])
    #expect(try ids(server.page(number: 3, size: 5).items) == [4, 5])
    #expect(try ids(page(server, nil, 5).items) == [0, 1])
    #expect(ids(server.rows(after: nil, limit: 5, by: \.sortKey)) == [0, 1])
    #expect(ids(server.rows(before: nil, limit: 5, by: \.sortKey)) == [8, 9])
  }

  @Test func keysetsGoByValueAndIDWhetherTheRowIsThereOrNot() {
    let tied = (0..<6).map { SampleItem(id: $0, timestamp: $0 == 0 ? 9 : 5) }
    let server = DriftingServer(tied.reversed() + [])
    #expect(ids(server.rows(after: nil, limit: 3, by: \.sortKey)) == [0, 1, 2])
    let key = SampleItem(id: 2, timestamp: 5).sortKey
    #expect(ids(server.rows(after: key, limit: 3, by: \.sortKey)) == [3, 4, 5])
    #expect(ids(server.rows(before: key, limit: 1, by: \.sortKey)) == [1])
    server.delete(2)
    #expect(ids(server.rows(after: key, limit: 3, by: \.sortKey)) == [3, 4, 5])
    #expect(ids(server.rows(before: key, limit: 9, by: \.sortKey)) == [0, 1])
    #expect(server.rows(after: SampleSortKey(timestamp: 0, id: 0), limit: 3, by: \.sortKey).isEmpty)
  }

  @Test func rowsAreFoundByTheirIdentities() throws {
    let server = server(10)
    #expect(ids(server.items([7, 2, 99])) == [2, 7])
    #expect(try ids(server.page(around: 5, limit: 4).items) == [3, 4, 5, 6])
    #expect(try ids(server.page(around: 0, limit: 4).items) == [0, 1, 2, 3])
    let end = try server.page(around: 9, limit: 4)
    #expect(ids(end.items) == [6, 7, 8, 9] && end.nextKey == nil)
    #expect(try ids(server.page(LoadParams(.prepend, key: end.previousKey, loadSize: 2)).items) == [4, 5])
    #expect(code { _ = try server.page(around: 99, limit: 4) } == .itemNotFound)
  }

  // MARK: - Cursors

  @Test func cursorsReadAllRowsBothWays() throws {
    for (count, size) in [(0, 3), (1, 1), (7, 3), (9, 3)] {
      let server = server(count)
      var (down, key) = ([Int](), String?.none)
      var last = try page(server, nil, size)
      while true {
        down += ids(last.items)
        key = last.nextKey
        guard key != nil else { break }
        last = try page(server, key, size)
      }
      #expect(down == Array(0..<count))
      var up = ids(last.items)
      while let key = last.previousKey {
        last = try server.page(LoadParams(.prepend, key: key, loadSize: size))
        up = ids(last.items) + up
      }
      #expect(up == Array(0..<count))
    }
  }

  @Test func aCursorStaysAtItsBoundaryWhateverGoesOnAround() throws {
    let server = server(9)
    let middle = try page(server, try page(server, nil).nextKey)
    let (up, down) = (try #require(middle.previousKey), try #require(middle.nextKey))
    server.delete(5)
    server.delete(3)
    #expect(try ids(page(server, down).items) == [6, 7, 8] && ids(page(server, up).items) == [0, 1, 2])
    server.move(4, to: 0)
    server.delete(6)
    server.delete(2)
    #expect(ids(server.items) == [4, 0, 1, 7, 8])
    #expect(try ids(page(server, down).items) == [7, 8] && ids(page(server, up).items) == [4, 0, 1])
    server.insert(SampleItem(id: 50), at: 3)
    #expect(ids(server.items) == [4, 0, 1, 50, 7, 8])
    #expect(try ids(page(server, down).items) == [50, 7, 8] && ids(page(server, up).items) == [4, 0, 1])
    for id in [7, 8, 50] { server.delete(id) }
    let end = try page(server, down)
    #expect(end.items.isEmpty && end.nextKey == nil)
    #expect(try ids(page(server, end.previousKey).items) == [4, 0, 1], "a reader can turn round where nothing is left")
  }

  @Test func newRowsAtABoundaryAreForWhoReadsOnThere() throws {
    let server = server(6)
    let first = try page(server, nil)
    let second = try page(server, first.nextKey)
    server.insert(SampleItem(id: 50), at: 3)
    #expect(try ids(page(server, first.nextKey).items) == [50, 3, 4])
    #expect(try ids(page(server, second.previousKey).items) == [1, 2, 50])
  }

  @Test func cursorsExpireAndWrongOnesAreToldFromOldOnes() throws {
    let server = server(9)
    let old = try #require(try page(server, nil).nextKey)
    #expect(try page(server, nil).nextKey == old, "one boundary, one cursor")
    server.expireCursors()
    #expect(code { _ = try page(server, old) } == .cursorExpired)
    let new = try #require(try page(server, nil).nextKey)
    #expect(new != old)
    #expect(try ids(page(server, new).items) == [3, 4, 5])
    for wrong in ["", "3", "cursor-", "cursor-x", "cursor-0", "cursor--1", "cursor-99", "cursor-9223372036854775808"] {
      #expect(code { _ = try page(server, wrong) } == .invalidKey, "\(wrong)")
    }
  }

  // MARK: - Between requests

  @Test func changesRunBeforeTheRequestThatTheyAreFor() throws {
    let server = server(4)
    server.beforeRequest(2) { $0.insert(SampleItem(id: 50), at: 0) }
    server.beforeRequest(2) { $0.move(50, to: 1) }
    server.beforeEachRequest { server, request in
      if request.number == 3, request.view == .page { server.delete(at: 0) }
    }
    #expect(try ids(server.rows(in: 0..<3).items) == [0, 1, 2])
    #expect(try ids(server.rows(in: 0..<3).items) == [0, 50, 1])
    #expect(try ids(server.page(number: 1, size: 3).items) == [50, 1, 2])
    server.beforeEachRequest { server, _ in server.expireCursors() }
    #expect(code { _ = try page(server, try page(server, nil).nextKey) } == .cursorExpired)
    server.beforeEachRequest(nil)
    #expect(try ids(page(server, page(server, nil).nextKey).items) == [3])
  }

  @Test func everyRequestIsKept() throws {
    let server = server(10)
    _ = try server.rows(in: 2..<5)
    _ = try? server.rows(in: -2..<5)
    _ = try server.page(number: 3, size: 4)
    let key = try page(server, nil).nextKey
    _ = try page(server, key)
    _ = server.rows(after: nil, limit: 2, by: \.sortKey)
    _ = try? server.page(around: 99, limit: 2)
    _ = server.ids()
    _ = server.items([1])
    let requests = server.requests
    #expect(requests.map(\.number) == Array(1...9))
    #expect(requests.map(\.view) == [.offset, .offset, .page, .cursor, .cursor, .keyset, .around, .ids, .items])
    #expect(requests.map(\.place) == ["2", "-2", "3", nil, key, nil, nil, nil, nil])
    #expect(requests.map(\.range) == [2..<5, -2..<5] + Array(repeating: nil, count: 7))
    #expect(requests[0].description == "1. offset 2, 3 rows")
  }

  @Test func threadsMayChangeAndReadItSideBySide() async throws {
    let server = server(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask { @concurrent in
          for row in 0..<50 {
            server.insert(SampleItem(id: task * 50 + row), at: row)
            _ = try server.rows(in: 0..<10)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(server.items.map(\.id)) == Set(0..<400))
    #expect(server.requests.map(\.number) == Array(1...400))
  }

  @Test(.timeLimit(.minutes(10))) func theReadySourcesCallIt() async throws {
    let server = server(25)
    let cursors = CursorPageSource<String, SampleItem> { try server.page($0) }
    let pages = NumberedPageSource<SampleItem> { try server.page(number: $0.key ?? 1, size: $0.loadSize) }
    #expect(try await ids(cursors.items(pageSize: 4).collect(atMost: .max)) == Array(0..<25))
    #expect(try await ids(pages.items(pageSize: 4).collect(atMost: .max)) == Array(0..<25))
  }
}
