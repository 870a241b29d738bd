import Paging
import Synchronization

/// A row that is its number.
struct Number: Identifiable, Hashable, Sendable {
  var id: Int
}

struct Offline: Error, Hashable {}

/// Numbers from 0, by inclusive keys: a page before key k ends with row k. Counts are given, and the keys that were asked for
/// are kept.
final class HundredSource: PageSource {
  private struct State {
    var calls: [LoadParams<Int>] = []
    var failing: Set<Int> = []
    var isInvalid = false
  }

  let count: Int
  private let counts: Bool
  private let goesBack: Bool
  private let kind: KeyKind
  private let state = Mutex(State())

  init(count: Int = 100, counts: Bool = true, goesBack: Bool = true, keyKind: KeyKind = .other) {
    self.count = count
    self.counts = counts
    self.goesBack = goesBack
    kind = keyKind
  }

  var calls: [LoadParams<Int>] { state.withLock { $0.calls } }
  var keyKind: KeyKind { kind }

  /// The loads of that number fail, counted from 1.
  func fail(calls numbers: Int...) { state.withLock { $0.failing.formUnion(numbers) } }

  func invalidate() { state.withLock { $0.isInvalid = true } }

  @concurrent func load(_ params: LoadParams<Int>) async throws -> Page<Int, Number> {
    try state.withLock { state in
      state.calls.append(params)
      if state.isInvalid { throw PagingError.invalidated }
      if state.failing.contains(state.calls.count) { throw Offline() }
    }
    let size = params.loadSize
    let key = params.key ?? 0
    let range = params.type == .prepend ? max(0, key - size + 1)..<key + 1 : key..<min(count, key + size)
    return Page(
      range.map { Number(id: $0) },
      previousKey: goesBack && range.lowerBound > 0 ? range.lowerBound - 1 : nil,
      nextKey: range.upperBound < count ? range.upperBound : nil,
      itemsBefore: counts ? range.lowerBound : nil, itemsAfter: counts ? count - range.upperBound : nil)
  }

  func refreshKey(for state: PagingState<Int, Number>) -> Int? {
    state.anchorIndex.map { max(0, (state.pages.first?.items.first?.id ?? 0) + $0 - state.config.initialLoadSize / 2) }
  }

  func key(forIndex index: Int) -> Int? { index }
}
