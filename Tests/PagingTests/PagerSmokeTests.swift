import Paging
import PagingTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct PagerSmokeTests {
  @Test func aListIsWalkedToItsEnd() async throws {
    let rows = (0..<105).map { Row(id: $0) }
    let clock = ManualClock()
    let source = ScriptedPageSource<Int, Row>(clock: clock) { params in
      let start = params.key ?? 0
      let end = min(rows.count, start + params.loadSize)
      return .page(Page(Array(rows[start..<end]), nextKey: end < rows.count ? end : nil))
    }
    let pager = Pager(config: PagingConfig(pageSize: 10), source: source)
    var seen: [Int] = []
    for await snapshot in pager.snapshots() {
      seen = snapshot.items.map(\.id)
      if snapshot.states.append.isAtEnd { break }
      pager.viewportChanged(to: max(0, snapshot.count - 5)..<snapshot.count, of: snapshot)
    }
    #expect(seen == Array(0..<105))
    #expect(source.calls.map(\.loadSize) == [30] + Array(repeating: 10, count: 8))
  }
}
