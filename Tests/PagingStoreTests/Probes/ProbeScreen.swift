import Paging
import PagingUI

@testable import PagingStore

/// A screen that shows eight rows of a list, without pixels: it puts the row at its upper edge back to where it was after each
/// update, and reports what is on it, as the screens of the library do.
@MainActor
final class ProbeScreen {
  static let height = 8

  let list: PagedList<ListRow<Notice>>
  /// The index of the row at the upper edge.
  private(set) var top = 0
  /// What was on screen after each update of the list.
  private(set) var frames: [String] = []
  /// How many rows the one that keeps its place is below the upper edge.
  private var distance = 0
  private var observation: PagedListObservation?
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ pager: StoredPager<Notice>) {
    list = PagedList(pager, keepsPlace: { $0.gap == nil })
    observation = list.observe { [weak self] _ in self?.updated() }
  }

  // MARK: - What is on it

  private var visible: Range<Int> { top..<max(top, min(list.rows.count, top + Self.height)) }
  private var rows: [ListRow<Notice>?] { visible.map { list.rows[$0].item } }

  /// In few words: `90-85 gap 50`; the posts by their numbers, with what happens below them if nothing more is there.
  var shown: String {
    let words = StoredList<Notice>.picture(of: rows.compactMap { $0 })
    guard visible.count < Self.height else { return words }
    if list.loadStates.append.isLoading { return words + " loading" }
    if list.loadStates.append.failure != nil { return words + " failed" }
    return words + (list.loadStates.append.isAtEnd ? " end" : " nothing")
  }

  /// The post at the upper edge, or the first below it.
  var firstNotice: Int? { rows.lazy.compactMap { $0?.item?.id }.first }
  /// The gap that is on screen; nil: none is.
  var gap: Gap? { rows.lazy.compactMap { $0?.gap }.first }
  /// What a post on screen says; nil: it isn't there.
  func text(of id: Int) -> String? { rows.lazy.compactMap { $0?.item }.first { $0.id == id }?.text }

  // MARK: - What the reader does

  /// Moves the rows by so many, down the list where it is more than 0; not beyond its ends.
  func scroll(by rows: Int) {
    top = min(max(0, top + rows), max(0, list.rows.count - 1))
    report()
  }

  /// Puts a post at the upper edge, if it is loaded.
  func scroll(toNotice id: Int) {
    guard let row = list.rows.firstIndex(where: { $0.item?.item?.id == id }) else { return }
    top = row
    report()
  }

  /// Reads on, row by row, until a post is at the upper edge or nothing moves; gives what was on screen at each row.
  func read(to id: Int) async -> [String] {
    var seen: [String] = []
    while firstNotice != id, list.rows.indices.contains(top) {
      let before = list.rows[top].id
      scroll(by: (firstNotice ?? 0) > id ? 1 : -1)
      await settled()
      if list.rows[top].id == before { break }
      seen.append(shown)
    }
    return seen
  }

  /// Returns when nothing loads and all of it is shown.
  func settled() async {
    report()
    await list.settled()
  }

  /// Returns after the next update of the list.
  func oneUpdate() async {
    await withCheckedContinuation { waiting.append($0) }
  }

  private func report() {
    list.visibleRows(visible)
    distance = visible.prefix { list.rows[$0].item?.gap != nil }.count
  }

  private func updated() {
    if let row = list.firstVisibleRow { top = max(0, row - distance) }
    report()
    frames.append(shown)
    defer { waiting = [] }
    for continuation in waiting { continuation.resume() }
  }
}
