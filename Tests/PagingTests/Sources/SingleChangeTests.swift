import Paging
import PagingTesting
import Testing

/// P32: every single change, at every place, between every two requests of a small list.
@Suite(.timeLimit(.minutes(10))) struct SingleChangeTests {
  private static let count = 12
  private static let size = 3
  /// More than any walk of such a list takes.
  private static let requests = 2...8

  /// Tries every change before every request.
  private func tryAll(
    moves: Bool = true, mayRepeat: Bool = false, saysTotal: Bool = true, maxPageSize: Int = .max,
    _ read: (DriftingRows) async throws -> [SampleItem]
  ) async {
    for request in Self.requests {
      for change in DriftChange.all(of: Self.count, moves: moves) {
        let rows = DriftingRows(Self.count, maxPageSize: maxPageSize, saysTotal: saysTotal)
        rows.server.beforeRequest(request) { _ in rows.apply(change) }
        do {
          let read = try await read(rows).map(\.id)
          if let problem = rows.problem(read, mayRepeat: mayRepeat) {
            Issue.record("\(change) before request \(request): \(problem)")
            return
          }
        } catch {
          Issue.record("\(change) before request \(request): \(error)")
          return
        }
      }
    }
  }

  private func offset(_ rows: DriftingRows, overlap: Int) -> OffsetPageSource<SampleItem> {
    OffsetPageSource(overlap: overlap) { try rows.server.rows(in: $0) }
  }

  private func walk<Key>(_ source: some PageSource<Key, SampleItem>) async throws -> [SampleItem] {
    try await source.items(pageSize: Self.size).collect(atMost: .max)
  }

  // MARK: - Cursors and sort keys

  @Test func P32_aCursorNeitherRepeatsNorSkips() async {
    await tryAll { rows in try await walk(CursorPageSource<String, SampleItem> { try rows.server.page($0) }) }
    await tryAll { rows in
      let source = CursorPageSource<String, SampleItem> { params in
        try params.key == nil ? rows.server.page(around: 11, limit: Self.size) : rows.server.page(params)
      }
      return try await DriftWalk.up(source, from: nil, pageSize: Self.size)
    }
  }

  @Test func P32_aSortKeyNeitherRepeatsNorSkips() async {
    func source(_ rows: DriftingRows) -> KeysetPageSource<SampleSortKey, SampleItem> {
      KeysetPageSource(key: \.sortKey) { params in
        rows.server.rows(after: params.key, limit: params.loadSize, by: \.sortKey)
      } loadBefore: { params in
        rows.server.rows(before: params.key, limit: params.loadSize, by: \.sortKey)
      }
    }
    await tryAll { try await walk(source($0)) }
    await tryAll { rows in
      try await DriftWalk.up(source(rows), from: rows.server.items[8].sortKey, pageSize: Self.size)
    }
  }

  // MARK: - Offsets with an overlap

  @Test(arguments: [3, 4, 5, 7], [true, false])
  func P32_anOverlapNeitherRepeatsNorSkips(overlap: Int, saysTotal: Bool) async {
    await tryAll(saysTotal: saysTotal) { try await walk(offset($0, overlap: overlap)) }
    await tryAll(saysTotal: saysTotal) {
      try await DriftWalk.up(offset($0, overlap: overlap), from: 9, pageSize: Self.size)
    }
  }

  @Test(arguments: [true, false]) func P32_aServerThatLowersTheSizeMakesNoDifference(saysTotal: Bool) async {
    await tryAll(saysTotal: saysTotal, maxPageSize: 5) { try await walk(offset($0, overlap: 3)) }
    await tryAll(saysTotal: saysTotal, maxPageSize: 5) {
      try await DriftWalk.up(offset($0, overlap: 3), from: 9, pageSize: Self.size)
    }
  }

  @Test func P32_withTwoOverlapRowsAMoveMayRepeatButNotSkip() async {
    await tryAll(moves: false) { try await walk(offset($0, overlap: 2)) }
    await tryAll(mayRepeat: true) { try await walk(offset($0, overlap: 2)) }
    await tryAll(moves: false) { try await DriftWalk.up(offset($0, overlap: 2), from: 9, pageSize: Self.size) }
    await tryAll(mayRepeat: true) { try await DriftWalk.up(offset($0, overlap: 2), from: 9, pageSize: Self.size) }
  }

  @Test func P32_withOneOverlapRowOnlyItsOwnDeletionLosesThePlace() async throws {
    for request in Self.requests {
      for change in DriftChange.all(of: Self.count, moves: false) {
        let rows = DriftingRows(Self.count)
        rows.server.beforeRequest(request) { _ in rows.apply(change) }
        var (read, overlap) = ([Int](), [Int]())
        do {
          for try await page in offset(rows, overlap: 1).pages(pageSize: Self.size) {
            read += page.items.map(\.id)
            overlap = page.nextKey?.overlap ?? []
          }
          #expect(rows.problem(read) == nil, "\(change) before request \(request)")
        } catch {
          #expect((error.cause as? PagingError)?.code == .drifted)
          #expect(Set(overlap).isDisjoint(with: rows.stayed), "\(change) before request \(request)")
        }
      }
    }
  }

  // MARK: - Offsets without

  @Test func P32_plainOffsetsRepeatAfterAnInsertionAboveAndSkipAfterADeletionAbove() async throws {
    for request in 2...4 {
      let read = (request - 1) * Self.size
      for place in 0...Self.count {
        let rows = DriftingRows(Self.count)
        rows.server.beforeRequest(request) { _ in rows.apply(.insert(at: place)) }
        let walked = try await walk(offset(rows, overlap: 0)).map(\.id)
        let repeated = walked.count - Set(walked).count
        #expect(repeated == (place < read ? 1 : 0), "an insertion at \(place) after \(read) rows")
        #expect(Set(walked).isSuperset(of: rows.stayed))
        if place < read { #expect(walked[read] == walked[read - 1], "the last row comes again") }
      }
      for place in 0..<Self.count {
        let rows = DriftingRows(Self.count)
        rows.server.beforeRequest(request) { _ in rows.apply(.delete(at: place)) }
        let walked = try await walk(offset(rows, overlap: 0)).map(\.id)
        let skipped = Set(rows.stayed).subtracting(walked)
        #expect(skipped == (place < read ? [read] : []), "a deletion at \(place) after \(read) rows")
        #expect(walked.count == Set(walked).count)
      }
    }
  }
}
