import Paging
import Synchronization

/// A range of numbers that a test replaces.
final class RangeBox: Sendable {
  private let range = Mutex(0..<0)

  var value: Range<Int> {
    get { range.withLock { $0 } }
    set { range.withLock { $0 = newValue } }
  }
}

/// The numbers of a range by their places, as they were when the source was made.
struct RangeSource: PageSource {
  private let range: Range<Int>

  init(_ range: Range<Int>) {
    self.range = range
  }

  func load(_ params: LoadParams<Int>) async throws -> Page<Int, Number> {
    let start = min(max(0, params.key ?? 0), range.count)
    let end = min(start + params.loadSize, range.count)
    return Page(
      range.dropFirst(start).prefix(end - start).map { Number(id: $0) }, nextKey: end < range.count ? end : nil,
      itemsBefore: start, itemsAfter: range.count - end)
  }
}
