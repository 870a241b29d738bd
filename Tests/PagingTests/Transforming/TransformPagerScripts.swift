import Loading
import PagingTesting
import Testing

@testable import Paging

/// Random scrolling, refreshes, edits of the list and memory limits on pagers with transformed contents.
@Suite(.timeLimit(.minutes(10))) struct TransformPagerScripts {
  private func tens(_ before: Note?, _ after: Note?) -> Int? {
    guard let after else { return 99 }
    return before.map { $0.id / 4 } == after.id / 4 ? nil : after.id / 4 % 3
  }

  @Test(arguments: UInt64(1)...12) func P31_rowsAreRightWhateverAPagerDoes(seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    let list = Box((0..<200).map { Note(id: $0) })
    let counts = Bool.random(using: &chance)
    let source = OffsetList(list: list, counts: counts)
    let isCapped = Bool.random(using: &chance)
    let config =
      isCapped
      ? try PagingConfig(pageSize: 6, prefetchDistance: 4, initialLoadSize: 12, maxSize: 24)
      : PagingConfig(pageSize: 6, prefetchDistance: 4, initialLoadSize: 12)
    let pager = Pager(config: config, initialKey: Int.random(in: 0..<200, using: &chance), source: source)
    let kept = pager.filter { $0.id % 3 != 1 }
    let rows = kept.insertingSeparators(tens)
    let all = pager.insertingSeparators(tens)
    await pager.settled()
    var last = rows.snapshot
    for _ in 0..<40 {
      switch Int.random(in: 0..<10, using: &chance) {
      case 0: rows.refresh(from: Bool.random(using: &chance) ? .anchor : .start)
      case 1:
        list.change { list in
          list.removeAll { _ in Int.random(in: 0..<20, using: &chance) == 0 }
          let id = Int.random(in: 1_000..<1_000_000, using: &chance)
          list.insert(Note(id: id), at: Int.random(in: 0...list.count, using: &chance))
        }
        pager.invalidate()
      case 2: rows.load(.append)
      case 3...5:
        let lower = Int.random(in: 0...rows.snapshot.count, using: &chance)
        rows.viewportChanged(to: lower..<lower + 5, of: Bool.random(using: &chance) ? last : rows.snapshot)
      default:
        let lower = Int.random(in: 0...all.snapshot.count, using: &chance)
        all.viewportChanged(to: lower..<lower + 5, of: all.snapshot)
      }
      await rows.settled()
      await all.settled()
      let plain = pager.snapshot
      let (starts, ends) = (plain.states.prepend.isAtEnd, plain.states.append.isAtEnd)
      #expect(
        rows.snapshot.plain
          == naiveSeparators(plain.items.filter { $0.id % 3 != 1 }, startsHere: starts, endsHere: ends, tens))
      #expect(
        all.snapshot.plain
          == naiveSeparators(
            plain.map(\.item), startsHere: starts && plain.placeholdersBefore == 0,
            endsHere: ends && plain.placeholdersAfter == 0, tens))
      let next = rows.snapshot
      #expect(apply(next.changes(from: last), to: last.shown, new: next.shown) == next.shown)
      #expect(Set(next.map(\.id)).count == next.count)
      if Bool.random(using: &chance) { last = next }
    }
    if isCapped { #expect(pager.snapshot.items.count < 200) }
  }
}

/// A list by offset that changes under its pager.
private final class OffsetList: PageSource {
  private let list: Box<[Note]>
  private let counts: Bool

  init(list: Box<[Note]>, counts: Bool) {
    self.list = list
    self.counts = counts
  }

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Note> {
    let all = list.value
    let key = params.key ?? 0
    let start = min(max(0, key), all.count)
    let end = min(all.count, max(0, key) + params.loadSize)
    return Page(
      Array(all[start..<max(start, end)]), previousKey: start > 0 ? max(0, start - 6) : nil,
      nextKey: end < all.count ? end : nil, itemsBefore: counts ? start : nil,
      itemsAfter: counts ? all.count - end : nil)
  }
}
