import Paging
import PagingTesting
import Testing

/// The sources that come with the library keep the contract that the verifier checks, over a server that drifts when it is told to.
@Suite(.timeLimit(.minutes(10))) struct ReadySourceVerifierTests {
  private let server = DriftingServer(Sample.items(count: 43))

  private func verify(_ makeSource: @escaping @Sendable () -> some PageSource) async -> VerifierReport {
    // On a clock that stands still no patience ends because other tests keep the machine busy.
    await PageSourceVerifier(clock: ManualClock(), makeSource: makeSource).verify()
  }

  @Test func cursorsAreAccepted() async {
    let server = server
    let report = await verify { CursorPageSource { try server.page($0) } }
    #expect(report.isClean, "\(report)")
    #expect(report.checked.contains(.wayForward))
  }

  @Test func pageNumbersAreAccepted() async {
    let server = server
    let report = await verify { NumberedPageSource { try server.page(number: $0.key ?? 1, size: $0.loadSize) } }
    #expect(report.isClean, "\(report)")
  }

  @Test func listsOfIDsAreAccepted() async {
    let server = server
    let report = await verify {
      IDListPageSource<SampleItem>(idsPerCall: 3) {
        server.items.map(\.id)
      } items: { ids in
        server.items.filter { ids.contains($0.id) }
      }
    }
    #expect(report.isClean, "\(report)")
    #expect(report.checked.contains(.refreshKey) && report.checked.contains(.keyForIndex))
  }

  @Test func windowsAroundAnItemAreAccepted() async {
    let rows = ArrayPageSource(server.items)
    let report = await verify {
      AnchoredPageSource<Int, SampleItem> { id, size in
        let place = id.flatMap { rows.key(around: $0) } ?? 20
        return try await rows.load(LoadParams(.append, key: max(0, place - size / 2), loadSize: size))
      } next: { params in
        try await rows.load(params)
      }
    }
    #expect(report.isClean, "\(report)")
    #expect(report.checked.contains(.keyAround) && report.checked.contains(.wayBack))
  }

  @Test func aListThatChangesUnderOffsetsIsNot() async {
    let server = server
    server.beforeRequest(4) { $0.insert(SampleItem(id: 900), at: 0) }
    let report = await verify { NumberedPageSource { try server.page(number: $0.key ?? 1, size: $0.loadSize) } }
    #expect(!report.isClean)
  }
}
