import Loading
import Paging
import PagingTesting
import Testing

/// P32: long random scripts of insertions, deletions and moves between any two requests, those included that one load makes.
@Suite(.timeLimit(.minutes(10))) struct DriftScriptTests {
  /// What happens before requests: few enough things that the rows stay within reach, and fewer moves of overlap rows than
  /// leave them in the majority.
  private struct Script: Sendable {
    var chance: SeededGenerator
    var moves: Bool
    /// The overlap of the key that is loaded now, and which of it has moved since.
    var overlap: [Int] = []
    var moved: Set<Int> = []
    var changesLeft = 0
    /// Requests of the load, and the one before which something changed last.
    var requests = 0
    var lastChange = 0
    var trace: [String] = []

    mutating func began(_ overlap: [Int], changes: Int) {
      self.overlap = overlap
      moved = []
      changesLeft = changes
      (requests, lastChange) = (0, 0)
      trace.append("load beside \(overlap)")
    }

    mutating func next(in ids: [Int]) -> DriftChange? {
      changesLeft -= 1
      guard changesLeft >= 0 else { return nil }
      let change = DriftChange.random(of: ids.count, moves: moves, using: &chance)
      var (left, moved) = (ids, moved)
      switch change {
      case .insert: break
      case .delete(let index): left.remove(at: index)
      case .move(let from, _): if overlap.contains(ids[from]) { moved.insert(ids[from]) }
      }
      let found = overlap.filter { left.contains($0) }
      let stayed = found.count { !moved.contains($0) }
      guard overlap.isEmpty || stayed > found.count - stayed, moved.count <= (overlap.count - 1) / 2 else { return nil }
      self.moved = moved
      lastChange = requests
      trace.append("\(requests): \(change)")
      return change
    }
  }

  private func change(_ rows: DriftingRows, by script: Box<Script>) {
    for _ in 0..<script.change({ Int.random(in: 0...3, using: &$0.chance) }) {
      let ids = rows.server.items.map(\.id)
      if let change = script.change({ $0.next(in: ids) }) { rows.apply(change) }
    }
  }

  /// Reads the whole list with a source while it changes; what was wrong, if anything.
  private func play<Key>(
    _ source: some PageSource<Key, SampleItem>, _ rows: DriftingRows, _ script: Box<Script>, from start: Key?,
    readsUp: Bool, pageSize: Int, overlap: (Key) -> [Int]
  ) async -> String? {
    rows.server.beforeEachRequest { _, _ in
      script.change { $0.requests += 1 }
      change(rows, by: script)
    }
    var (params, read) = (LoadParams(.refresh, key: start, loadSize: pageSize), [Int]())
    for _ in 0..<500 {
      do {
        let page = try await source.load(params)
        read = readsUp ? page.items.map(\.id) + read : read + page.items.map(\.id)
        guard let key = readsUp ? page.previousKey : page.nextKey else {
          return rows.problem(read).map { "\($0) after \(script.value.trace.joined(separator: ", "))" }
        }
        // A list that grows faster than it is read has no end.
        let changes = script.change { Int.random(in: 0...2 * pageSize - 1, using: &$0.chance) }
        script.change { $0.began(overlap(key), changes: read.count > 200 ? 0 : changes) }
        params = LoadParams(readsUp ? .prepend : .append, key: key, loadSize: pageSize)
      } catch let error as PagingError where error.code == .drifted && script.value.lastChange > 1 {
        // The rows went from where it had not looked yet to where it had: it finds them if they hold still.
        script.change { $0.began($0.overlap, changes: 0) }
      } catch {
        return "\(error) after \(script.value.trace.joined(separator: ", "))"
      }
    }
    return "no end"
  }

  @Test(arguments: [false, true]) func P32_anOverlapNeitherRepeatsNorSkips(readsUp: Bool) async {
    for seed in UInt64(1)...3_000 {
      var chance = SeededGenerator(seed: seed)
      let (overlap, pageSize) = (Int.random(in: 1...5, using: &chance), Int.random(in: 2...6, using: &chance))
      let saysTotal = Bool.random(using: &chance)
      let isCapped = saysTotal && Int.random(in: 0..<4, using: &chance) == 0
      let rows = DriftingRows(
        Int.random(in: 0...40, using: &chance), maxPageSize: isCapped ? 2 * overlap + pageSize - 1 : .max,
        saysTotal: saysTotal)
      let script = Box(Script(chance: chance, moves: overlap > 2 && seed % 2 == 0))
      let source = OffsetPageSource<SampleItem>(overlap: overlap) { try rows.server.rows(in: $0) }
      let start = readsUp ? OffsetKey<Int>(max(0, rows.count - pageSize)) : nil
      if let problem = await play(
        source, rows, script, from: start, readsUp: readsUp, pageSize: pageSize,
        overlap: { Array(readsUp ? $0.overlap.prefix(overlap) : $0.overlap.suffix(overlap)) })
      {
        Issue.record("seed \(seed), overlap \(overlap), pages of \(pageSize), total \(saysTotal): \(problem)")
        return
      }
    }
  }

  @Test(arguments: [false, true]) func P32_cursorsAndSortKeysNeitherRepeatNorSkip(readsUp: Bool) async {
    for seed in UInt64(1)...1_000 {
      var chance = SeededGenerator(seed: seed)
      let pageSize = Int.random(in: 1...6, using: &chance)
      let count = Int.random(in: 1...40, using: &chance)
      let byCursor = DriftingRows(count)
      let cursors = CursorPageSource<String, SampleItem> { params in
        params.key == nil && readsUp
          ? try byCursor.server.page(around: count - 1, limit: params.loadSize) : try byCursor.server.page(params)
      }
      let byKey = DriftingRows(count)
      let keys = KeysetPageSource<SampleSortKey, SampleItem>(key: \.sortKey) { params in
        byKey.server.rows(after: params.key, limit: params.loadSize, by: \.sortKey)
      } loadBefore: { params in
        byKey.server.rows(before: params.key, limit: params.loadSize, by: \.sortKey)
      }
      let start = readsUp ? byKey.server.items[max(0, count - pageSize) / 2].sortKey : nil
      let script = Script(chance: chance, moves: true)
      let problem =
        await play(
          cursors, byCursor, Box(script), from: nil, readsUp: readsUp, pageSize: pageSize, overlap: { _ in [] })
      if let problem {
        Issue.record("cursors, seed \(seed), pages of \(pageSize): \(problem)")
        return
      }
      // Upwards from the middle: what lies below was not read.
      let read = await play(
        keys, byKey, Box(script), from: start, readsUp: readsUp, pageSize: pageSize, overlap: { _ in [] })
      if let read, !readsUp {
        Issue.record("sort keys, seed \(seed), pages of \(pageSize): \(read)")
        return
      }
    }
  }
}
