import Paging
import PagingTesting
import Testing

@testable import PagingUI

/// What keeps a view of UIKit or AppKit at the state of its list, with a view that is none.
@MainActor @Suite(.timeLimit(.minutes(10))) struct RowUpdaterTests {
  private let config = PagingConfig(pageSize: 10, prefetchDistance: 5, initialLoadSize: 10)

  private func shown(
    _ source: ListSource, at offset: Double, keepsPlace: @escaping @MainActor (SampleItem) -> Bool = { _ in true }
  ) async -> (list: PagedList<SampleItem>, host: PlainRowHost, updater: RowUpdater<SampleItem>) {
    let list = PagedList(Pager(config: config, source: source), keepsPlace: keepsPlace)
    await list.settled()
    let host = PlainRowHost()
    let updater = RowUpdater(list, host, host)
    host.dataSource = { updater.shown.count }
    host.reload()
    host.log = []
    host.scroll(to: ScrollPoint(x: 0, y: offset))
    await list.settled()
    return (list, host, updater)
  }

  @Test func U4_pagesAreBatchesAndTheFirstRowOnScreenKeepsItsPlace() async {
    let (list, host, updater) = await shown(ListRows(0..<60).source(from: 30), at: 15)
    #expect(list.ids == Array(20..<50))
    #expect(host.offset == ScrollPoint(x: 0, y: 115))
    #expect(host.log.contains { $0 != "batch +0 -0" } && host.log.allSatisfy { $0.hasPrefix("batch") })
    #expect(updater.shown.count == 30)
  }

  @Test func U4_theRowThatMayNotKeepItsPlaceIsPushedAway() async {
    let rows = ListRows((0..<60).map { $0 * 10 })
    let (list, host, updater) = await shown(rows.source(), at: 40) { $0.id != 40 }
    rows.change { $0.insert(contentsOf: [41, 42, 43], at: 5) }
    await list.refresh()
    #expect(host.offset == ScrollPoint(x: 0, y: 70))
    // The view has scrolled in the turn of the update, which the list takes note of at the turn's end.
    await list.settled()
    #expect(list.firstVisibleID == 43)
    #expect(updater.shown.version == list.rows.version)
  }

  @Test func U4_aViewThatIsInNoWindowIsReloadedAndSaysNothing() async {
    let rows = ListRows(0..<60)
    let (list, host, updater) = await shown(rows.source(), at: 40)
    host.isOnScreen = false
    host.log = []
    rows.change { $0.removeFirst(2) }
    await list.refresh()
    #expect(host.log.allSatisfy { $0 == "reload" } && !host.log.isEmpty)
    #expect(host.offset == ScrollPoint(x: 0, y: 20), "it comes back to the same row")
    let version = updater.shown.version
    host.scroll(to: ScrollPoint(x: 0, y: 180))
    await list.settled()
    #expect(updater.shown.version == version)
  }

  @Test func U8_aWishIsFollowedOnce() async {
    let pager = Pager(config: config, source: ListRows(0..<8).source())
    let list = PagedList(pager, followsEnd: true)
    await list.settled()
    let host = PlainRowHost()
    let updater = RowUpdater(list, host, host)
    host.dataSource = { updater.shown.count }
    host.reload()
    host.scroll(to: ScrollPoint(x: 0, y: 0))
    await list.settled()
    host.log = []
    pager.insert(SampleItem(id: 100), at: .end)
    await list.settled()
    pager.edit(100) { $0.title = "changed" }
    await list.settled()
    #expect(host.log == ["batch +1 -0", "to 8", "batch +0 -0"])
  }

  @Test func U4_aViewThatIsGoneIsNotAsked() async {
    let rows = ListRows(0..<60)
    let list = PagedList(Pager(config: config, source: rows.source()))
    await list.settled()
    let host = PlainRowHost()
    var view: AnyObject? = PlainRowHost()
    let updater = view.map { RowUpdater(list, $0, host) }
    view = nil
    rows.change { $0.removeFirst(2) }
    await list.refresh()
    updater?.cellWasMade()
    await list.settled()
    #expect(host.log.isEmpty)
    #expect(updater?.shown.version == list.rows.version)
  }
}

/// A view of eight rows, each ten points high. As the real ones do, it wants a batch to agree with its data source.
@MainActor private final class PlainRowHost: RowHost {
  var isOnScreen = true
  var dataSource: @MainActor () -> Int = { 0 }
  var log: [String] = []
  private(set) var offset: ScrollPoint? = ScrollPoint(x: 0, y: 0)
  private var count = 0
  private var moved: (@MainActor () -> Void)?

  var visibleRows: Range<Int>? {
    guard let y = offset?.y else { return nil }
    let rows = (Int(y / 10)..<Int(((y + 80) / 10).rounded(.up))).clamped(to: 0..<count)
    return rows.isEmpty ? nil : rows
  }

  func scroll(to offset: ScrollPoint) {
    self.offset = offset
    moved?()
  }

  func origin(ofRow row: Int) -> ScrollPoint? { row < count ? ScrollPoint(x: 0, y: Double(row) * 10) : nil }

  func scroll(toRow row: Int) { log.append("to \(row)") }

  func apply(_ batch: RowBatch, commit: @escaping @MainActor () -> Void) {
    commit()
    count += batch.insertions.count - batch.removals.count
    #expect(count == dataSource())
    log.append("batch +\(batch.insertions.count) -\(batch.removals.count)")
  }

  func reload() {
    count = dataSource()
    log.append("reload")
  }

  func layOut() {}
  func withoutAnimation(_ body: () -> Void) { body() }

  func observeScrolling(_ moved: @escaping @MainActor () -> Void) -> AnyObject? {
    self.moved = moved
    return self
  }
}
