import Foundation
import Loading
import Paging
import PagingTesting
import Synchronization

@testable import PagingStore

/// A connection that a test can cut, and hold answers on.
final class Line: Sendable {
  struct Down: Error, Hashable {}

  private let state = Mutex<(isDown: Bool, gate: Gate?)>((false, nil))

  func cut() { state.withLock { $0.isDown = true } }
  func mend() { state.withLock { $0.isDown = false } }

  /// Has requests wait from now on, until the gate is opened.
  func hold() -> Gate {
    let gate = Gate()
    state.withLock { $0.gate = gate }
    return gate
  }

  func pass() async throws {
    try await state.withLock { $0.gate }?.pass()
    if state.withLock({ $0.isDown }) { throw Down() }
  }
}

extension DriftingServer where Item == Notice {
  /// Cursors down only, over a line.
  func downward(over line: Line) -> CursorPageSource<String, Notice> {
    CursorPageSource { params in
      try await line.pass()
      var page = try self.page(params)
      page.previousKey = nil
      return page
    }
  }

  /// Windows around a row, and cursors each way, over a line.
  func anchored(over line: Line) -> AnchoredPageSource<String, Notice> {
    AnchoredPageSource { id, size in
      try await line.pass()
      if let id { return try self.page(around: id, limit: size) }
      return try self.page(LoadParams(.refresh, loadSize: size))
    } next: { params in
      try await line.pass()
      return try self.page(params)
    }
  }

  /// The rows behind a key and in front of one.
  var keyed: KeysetPageSource<Int, Notice> {
    KeysetPageSource(key: { (note: Notice) in -note.id }) { params in
      self.rows(after: params.key, limit: params.loadSize, by: { -$0.id })
    } loadBefore: { params in
      self.rows(before: params.key, limit: params.loadSize, by: { -$0.id })
    }
  }

  /// How many requests came so far.
  var asked: Int { requests.count }
}

/// A cursor source that does what a script says at every cursor.
struct ScriptedCursors: PageSource {
  let load: @Sendable (String?) async throws -> Page<String, Notice>
  @concurrent func load(_ params: LoadParams<String>) async throws -> Page<String, Notice> {
    try await load(params.key)
  }
  var keyKind: KeyKind { .cursor }
}

extension StoredList where Item == Notice {
  /// All rows in few words: `90-71 gap 50-31`.
  func picture() async throws -> String {
    try await Self.picture(of: rows())
  }

  /// All rows that are stored and shown.
  func rows() async throws -> [ListRow<Notice>] {
    try await pageSource().load(LoadParams(.refresh, loadSize: 100_000)).items
  }

  /// The gaps, the newest first.
  func gaps() async throws -> [Gap] { try await rows().compactMap(\.gap) }

  static func picture(of rows: some Sequence<ListRow<Notice>>) -> String {
    var words: [String] = []
    var stretch: (first: Int, last: Int)?
    func close() {
      if let stretch {
        words.append(stretch.first == stretch.last ? "\(stretch.first)" : "\(stretch.first)-\(stretch.last)")
      }
      stretch = nil
    }
    for row in rows {
      if let note = row.item {
        if let open = stretch, open.last - 1 == note.id {
          stretch = (open.first, note.id)
        } else {
          close()
          stretch = (note.id, note.id)
        }
      } else {
        close()
        words.append(row.gap == nil ? "?" : "gap")
      }
    }
    close()
    return words.joined(separator: " ")
  }

  /// Asks for the newest rows and merges them, as a refresh does.
  @discardableResult
  func head(_ size: Int) async throws -> MergeOutcome {
    guard let asker else { throw ListStoreError.noRemoteToFill }
    return try await asker.askHead(size: size).outcome
  }

  /// Asks for rows below the oldest one, as scrolling does.
  @discardableResult
  func tail(_ size: Int) async throws -> MergeOutcome {
    guard let asker, let tail = try facts().tail else { throw ListStoreError.noRemoteToFill }
    return try await asker.ask(beyond: EdgeName(run: tail.number, side: .older), size: size).outcome
  }

  /// Fills with pages of a size.
  @discardableResult
  func fill(_ gap: Gap, from side: GapSide, size: Int) async throws -> MergeOutcome {
    pagers.pageSize = size
    return try await fill(gap, from: side)
  }
}

extension PagingSnapshot<ListRow<Notice>> {
  /// All rows in few words.
  var picture: String { StoredList<Notice>.picture(of: items) }
  var notes: [Int] { items.compactMap { $0.item?.id } }
  var mediator: LoadStates { states.mediator ?? .idle }
}

/// How often something happened.
final class Count: Sendable {
  private let number = Mutex(0)
  var value: Int { number.withLock { $0 } }
  func up() { number.withLock { $0 += 1 } }
}

/// Pages of twenty rows, all sizes alike; nothing loads that wasn't asked for.
let twenty = PagingConfig(pageSize: 20, prefetchDistance: 0, initialLoadSize: 20)

extension Pager where Key == ListKey, Item == ListRow<Notice> {
  /// Returns when it shows what somebody else has stored: that is still on its way to the pager when it was written, so
  /// ``settled()`` may not know of it yet.
  func shows(_ condition: (PagingSnapshot<ListRow<Notice>>) -> Bool) async {
    for await snapshot in snapshots() where condition(snapshot) { break }
    await settled()
  }

  /// Shows so many rows from that of a notice on, as a screen does.
  func see(_ id: Int, rows: Int = 5) async {
    guard let index = snapshot.firstIndex(where: { $0.item?.item?.id == id }) else { return }
    viewportChanged(to: index..<min(snapshot.count, index + rows), of: snapshot)
    await settled()
  }

  /// Scrolls to the last row and loads on, until a notice is there or a load brings nothing.
  func read(downTo id: Int) async throws { try await read(to: id, .append) { $0.last } }

  /// Scrolls to the first row and loads on, until a notice is there or a load brings nothing.
  func read(upTo id: Int) async throws { try await read(to: id, .prepend) { $0.first } }

  private func read(to id: Int, _ type: LoadType, _ edge: ([Int]) -> Int?) async throws {
    var unchanged = 0
    while !snapshot.notes.contains(id), unchanged < 3 {
      let before = edge(snapshot.notes)
      if let before { await see(before, rows: 1) }
      try await load(type).finished()
      await settled()
      unchanged = edge(snapshot.notes) == before ? unchanged + 1 : 0
    }
  }
}
