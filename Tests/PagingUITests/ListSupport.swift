import Paging
import PagingTesting
import Synchronization

@testable import PagingUI

typealias ListSource = ScriptedPageSource<Int, SampleItem>

/// Rows on a server, paged by the ID that a page begins with, both ways. Sorted by ID.
final class ListRows: Sendable {
  private let ids: Mutex<[Int]>

  init(_ ids: some Sequence<Int>) {
    self.ids = Mutex(Array(ids))
  }

  func change(_ body: (inout [Int]) -> Void) { ids.withLock { body(&$0) } }

  /// A source that starts at the row of an ID, or at the first.
  func source(from start: Int? = nil, gate: Gate? = nil) -> ListSource {
    ListSource(clock: ManualClock()) { params in
      let page = ListSource.Step.page(self.page(params, start: start))
      guard let gate, params.type != .refresh else { return page }
      return .held(by: gate, page)
    }
  }

  private func page(_ params: LoadParams<Int>, start: Int?) -> Page<Int, SampleItem> {
    let all = ids.withLock { $0 }
    let from = params.key ?? start ?? all.first ?? 0
    let index = all.firstIndex { $0 >= from } ?? all.count
    let range =
      params.type == .prepend
      ? max(0, index - params.loadSize)..<index : index..<min(all.count, index + params.loadSize)
    return Page(
      all[range].map { SampleItem(id: $0) }, previousKey: range.lowerBound > 0 ? all[range.lowerBound] : nil,
      nextKey: range.upperBound < all.count ? all[range.upperBound] : nil)
  }
}

/// A pager behind a counter of what a screen reports.
final class CountingContent<Base: PagedContent>: PagedContent {
  typealias Item = Base.Item

  let base: Base
  private let reported = Mutex<[Range<Int>]>([])

  init(_ base: Base) { self.base = base }

  var reports: [Range<Int>] { reported.withLock { $0 } }

  var snapshot: PagingSnapshot<Item> { base.snapshot }
  func snapshots() -> PagingSnapshots<Item> { base.snapshots() }
  func viewportChanged(to rows: Range<Int>, of snapshot: PagingSnapshot<Item>) {
    reported.withLock { $0.append(rows) }
    base.viewportChanged(to: rows, of: snapshot)
  }
  func refresh(from origin: RefreshOrigin) -> PagingCommand { base.refresh(from: origin) }
  func retry(_ type: LoadType?) -> PagingCommand { base.retry(type) }
  func load(_ type: LoadType) -> PagingCommand { base.load(type) }
  func jump(toIndex index: Int) -> PagingCommand { base.jump(toIndex: index) }
  func jump(toItem id: Item.ID) -> PagingCommand { base.jump(toItem: id) }
  func settled() async { await base.settled() }
}

@MainActor
extension PagedList where Item == SampleItem {
  var ids: [Int] { rows.items.map(\.id) }
  /// The identity of the row that a screen puts back to where it was.
  var firstVisibleID: Int? { firstVisibleRow.flatMap { rows[$0].item?.id } }

  /// Shows rows as a screen does, and lets what follows from it happen.
  func show(_ range: Range<Int>) async {
    visibleRows(range)
    await settled()
  }
}
