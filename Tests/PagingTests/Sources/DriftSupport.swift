import Loading
import Paging
import PagingTesting

/// One thing that happens to a list, by index.
enum DriftChange: Hashable, Sendable, CustomStringConvertible {
  case insert(at: Int)
  case delete(at: Int)
  case move(from: Int, to: Int)

  var description: String {
    switch self {
    case .insert(let index): "insert at \(index)"
    case .delete(let index): "delete at \(index)"
    case .move(let from, let to): "move \(from) to \(to)"
    }
  }

  /// Everything that can happen once to a list of so many rows.
  static func all(of count: Int, moves: Bool = true) -> [DriftChange] {
    (0...count).map { .insert(at: $0) } + (0..<count).map { .delete(at: $0) }
      + (moves
        ? (0..<count).flatMap { from in (0..<count).filter { $0 != from }.map { .move(from: from, to: $0) } } : [])
  }

  static func random(of count: Int, moves: Bool, using chance: inout SeededGenerator) -> DriftChange {
    switch Int.random(in: 0..<(moves ? 6 : 5), using: &chance) {
    case 0...2: .insert(at: Int.random(in: 0...count, using: &chance))
    case 3...4 where count > 0: .delete(at: Int.random(in: 0..<count, using: &chance))
    case 5 where count > 0:
      .move(from: Int.random(in: 0..<count, using: &chance), to: Int.random(in: 0..<count, using: &chance))
    default: .insert(at: 0)
    }
  }
}

/// A list on a server that a test changes, in which rows `0..<count` stand first; it knows which of them were never touched.
struct DriftingRows: Sendable {
  let server: DriftingServer<SampleItem>
  let count: Int
  private let changed = Box((touched: Set<Int>(), nextID: 1_000))

  init(_ count: Int, maxPageSize: Int = .max, saysTotal: Bool = true) {
    self.count = count
    server = DriftingServer(
      (0..<count).map { SampleItem(id: $0, timestamp: 1_000_000_000 - 1_000_000 * $0) }, maxPageSize: maxPageSize,
      saysTotal: saysTotal)
  }

  /// The rows that were there all the time and never moved, in list order.
  var stayed: [Int] {
    let touched = changed.value.touched
    return (0..<count).filter { !touched.contains($0) }
  }

  /// Does it, in the list and in the order of the sort keys alike.
  func apply(_ change: DriftChange) {
    let items = server.items
    switch change {
    case .insert(let index):
      let id = changed.change { changed in
        changed.nextID += 1
        return changed.nextID
      }
      server.insert(SampleItem(id: id, timestamp: timestamp(at: index, in: items)), at: index)
    case .delete(let index):
      guard items.indices.contains(index) else { return }
      changed.change { _ = $0.touched.insert(items[index].id) }
      server.delete(items[index].id)
    case .move(let from, let to):
      guard items.indices.contains(from) else { return }
      var item = items[from]
      changed.change { _ = $0.touched.insert(item.id) }
      item.timestamp = timestamp(at: to, in: items.filter { $0.id != item.id })
      server.move(item.id, to: to)
      server.update(item)
    }
  }

  private func timestamp(at index: Int, in items: [SampleItem]) -> Int {
    let above = index > 0 ? items[min(index, items.count) - 1].timestamp : nil
    let below = index < items.count ? items[index].timestamp : nil
    return ((above ?? (below ?? 0) + 1_000_000) + (below ?? (above ?? 0) - 1_000_000)) / 2
  }

  /// What a reader got wrong who read all rows; nil: nothing.
  func problem(_ read: [Int], mayRepeat: Bool = false) -> String? {
    let stayed = stayed
    let known = Set(stayed)
    var seen: Set<Int> = []
    let rows = read.filter { known.contains($0) && (!mayRepeat || seen.insert($0).inserted) }
    if rows == stayed { return nil }
    let repeated = Dictionary(grouping: rows, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
    return "skipped \(stayed.filter { !rows.contains($0) }), repeated \(repeated), read \(read)"
  }

  /// What is wrong with rows that are a window into the list: those that stayed must be a stretch of it without a gap.
  func problem(inWindow rows: [Int]) -> String? {
    let stayed = stayed
    let known = Set(stayed)
    let shown = rows.filter { known.contains($0) }
    guard let first = shown.first, let start = stayed.firstIndex(of: first) else { return nil }
    return shown.elementsEqual(stayed[start...].prefix(shown.count)) ? nil : "\(shown) of \(stayed) in \(rows)"
  }
}

/// A walk by hand, which reads up as well as down.
enum DriftWalk {
  struct TooLong: Error {}

  static func down<S: PageSource>(_ source: S, from key: S.Key? = nil, pageSize: Int) async throws -> [S.Item] {
    var page = try await source.load(LoadParams(.refresh, key: key, loadSize: pageSize))
    var read = page.items
    for _ in 0..<1_000 {
      guard let next = page.nextKey else { return read }
      page = try await source.load(LoadParams(.append, key: next, loadSize: pageSize))
      read += page.items
    }
    throw TooLong()
  }

  static func up<S: PageSource>(_ source: S, from key: S.Key?, pageSize: Int) async throws -> [S.Item] {
    var page = try await source.load(LoadParams(.refresh, key: key, loadSize: pageSize))
    var read = page.items
    for _ in 0..<1_000 {
      guard let previous = page.previousKey else { return read }
      page = try await source.load(LoadParams(.prepend, key: previous, loadSize: pageSize))
      read = page.items + read
    }
    throw TooLong()
  }
}

/// Notes what was loaded, for whoever has to find out why.
struct TracedSource<Base: PageSource>: PageSource where Base.Item == SampleItem {
  private let base: Base
  private let loads = Box<[String]>([])

  init(_ base: Base) {
    self.base = base
  }

  var trace: String { loads.value.joined(separator: "\n") }

  @concurrent func load(_ params: LoadParams<Base.Key>) async throws -> Page<Base.Key, SampleItem> {
    let asked = "\(params.type) \(params.key.map { "\($0)" } ?? "nil")"
    do {
      let page = try await base.load(params)
      loads.change { $0.append("\(asked): \(page.items.map(\.id))") }
      return page
    } catch {
      loads.change { $0.append("\(asked): \(error)") }
      throw error
    }
  }

  func refreshKey(for state: PagingState<Base.Key, SampleItem>) -> Base.Key? { base.refreshKey(for: state) }
  var keyKind: KeyKind { base.keyKind }
}
