import Paging
import PagingTesting
import Testing

/// P13 and P16, with indices that make no sense.
@Suite(.timeLimit(.minutes(10))) struct BadIndexContracts {
  private let server = ListServer(count: 100)

  /// A list in which a source takes every index for row 50, and of which an edit has hidden a row.
  private func pager() async -> Pager<Int, Row> {
    let source = TraitedSource<Int>(server.source(counts: true)) { $0.keyForIndex = { _ in 50 } }
    let pager = Pager(config: PagingConfig(pageSize: 10), source: source)
    await pager.settled()
    pager.remove(3)
    return pager
  }

  @Test(arguments: [Int.max, .max - 1, -1, .min]) func P13_aJumpToNoIndexAtAllGoesWhereTheSourceSays(
    index: Int
  ) async throws {
    let pager = await pager()
    try await pager.jump(toIndex: index).finished()
    #expect(pager.snapshot.ids.contains(50))
    #expect(!pager.snapshot.ids.contains(0))
    #expect(pager.snapshot.source.failures.isEmpty)
  }

  @Test(arguments: [Int.max, .min]) func P16_aPlaceholderFarOutsideTheListIsNowhere(index: Int) async throws {
    let source = server.source()
    let pager = Pager(config: PagingConfig(pageSize: 10), initialKey: 50, source: source)
    await pager.settled()
    let outside = pager.snapshot[index].id
    // The first row has another coordinate from here on.
    try await pager.load(.prepend).finished()
    #expect(pager.snapshot.index(ofRow: outside) == nil)
    #expect(pager.snapshot.index(ofRow: pager.snapshot[3].id) == 3)
  }
}
