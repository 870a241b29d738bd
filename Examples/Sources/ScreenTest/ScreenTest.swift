import Paging
import PagingTesting

struct Offline: Error {}

/// Stands in for `#expect` and `XCTAssert`, which a program of its own has not.
func check(_ holds: Bool, _ what: String) {
  print(holds ? "ok: \(what)" : "FAILED: \(what)")
}

func theFooterOffersToTryAgain() async {
  let clock = ManualClock()
  let source = ScriptedPageSource<Int, SampleItem>(
    clock: clock,
    steps: [
      .page(Page(Sample.items(count: 20), nextKey: 20)),
      .failure(Offline(), after: .seconds(1)),
      .page(Page([SampleItem(id: 20), SampleItem(id: 21)])),
    ])
  let pager = Pager(config: PagingConfig(pageSize: 20, initialLoadSize: 20), clock: clock, source: source)
  let screen = Screen(pager: pager)
  await pager.settled()
  check(screen.rowCount == 20 && screen.footer == "", "the first page is shown")

  screen.scrollToEnd()
  check(screen.footer == "Loading", "the end asks for more")
  await clock.sleepers(atLeast: 1)
  await clock.advance(by: .seconds(1))
  await pager.settled()
  check(screen.rowCount == 20 && screen.footer == "Tap to try again", "a failure leaves the rows")

  screen.tapFooter()
  await pager.settled()
  check(screen.rowCount == 22 && screen.footer == "That is all", "the rest is there")
  check(source.calls.map(\.key) == [nil, 20, 20], "only what failed was loaded again")
}

func aReaderScrollsToRow50() async throws {
  let pager = Pager(config: PagingConfig(pageSize: 10), source: ArrayPageSource(Sample.items(count: 200)))
  let recorder = PagerRecorder(pager)
  let rows = try await pager.collectRows { scroll in
    try await scroll.append { $0.id < 50 }
  }
  check(rows.count == 70, "ten rows are loaded ahead")
  let difference = recorder.difference(
    from: """
      idle | 0 rows
      refresh loading | 0 rows
      prepend at end | 30 rows (170 after)
      …
      prepend at end | 70 rows (130 after)
      """)
  check(difference == nil, difference ?? "the loads came in this order")
}

func theSourceKeepsItsContract() async {
  let report = await PageSourceVerifier { ArrayPageSource(Sample.items(count: 40)) }.verify()
  check(report.isClean, report.isClean ? "the source keeps its contract" : report.description)
}

@main
struct ScreenTest {
  static func main() async throws {
    await theFooterOffersToTryAgain()
    try await aReaderScrollsToRow50()
    await theSourceKeepsItsContract()
  }
}
