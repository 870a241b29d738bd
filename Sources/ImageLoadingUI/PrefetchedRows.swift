import ImageLoading
import Paging
import Synchronization

/// Hears what the screens of a content show, and says which pictures are wanted soon.
///
/// What follows from a report is worked out off the thread that reports, once for all reports that come meanwhile.
final class PrefetchedRows<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  private struct State {
    /// What a screen reported last, in the snapshot that it named.
    var viewport: (rows: Range<Int>, snapshot: PagingSnapshot<Item>)?
    var newest: PagingSnapshot<Item>?
    var ahead: RowsAhead<PagingRow<Item>.ID>
    /// Whether something has come that nothing has followed from.
    var isDue = false
    var isRunning = false
    var isOver = false
    var listening: [SnapshotListening] = []
  }

  private let state: Mutex<State>
  private let request: @Sendable (Item) -> ImageRequest?
  private let want: @Sendable ([ImageRequest]) -> Void

  /// - Parameters:
  ///   - distance: How many rows ahead; nil: as many as two screens hold.
  ///   - request: The picture of a row.
  ///   - want: Told which are wanted, the most wanted first; one call at a time.
  init(
    distance: Int?, request: @escaping @Sendable (Item) -> ImageRequest?,
    want: @escaping @Sendable ([ImageRequest]) -> Void
  ) {
    state = Mutex(State(ahead: RowsAhead(distance: distance)))
    self.request = request
    self.want = want
  }

  /// Begins to listen. Neither keeps the content alive nor is kept by it.
  func listen(to content: some PagedContent<Item>) {
    let snapshots = content.snapshots()
    let listening = [
      snapshots.listen(
        SnapshotListener(
          noted: { [weak self] in self?.note($0) },
          told: { [weak self] isOver in self?.told(isOver) })),
      snapshots.listenToViewports { [weak self] rows, snapshot in self?.report(rows, of: snapshot) },
    ]
    state.withLock { $0.listening = listening }
  }

  // MARK: - What comes

  /// Under the content's locks. What it replaces is still held by whoever notes.
  private func note(_ snapshot: PagingSnapshot<Item>) {
    _ = state.withLock { state in
      defer { state.newest = snapshot }
      return state.newest
    }
  }

  private func told(_ isOver: Bool) {
    let hasViewport = state.withLock { state in
      if isOver { state.isOver = true }
      return state.viewport != nil
    }
    if hasViewport { goOn() }
  }

  private func report(_ rows: Range<Int>, of snapshot: PagingSnapshot<Item>) {
    // Handed out, so that it goes outside the lock.
    _ = state.withLock { state in
      defer { state.viewport = (rows, snapshot) }
      return state.viewport
    }
    goOn()
  }

  // MARK: - What follows

  private func goOn() {
    let starts = state.withLock { state in
      state.isDue = true
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard starts else { return }
    Task.detached { [weak self] in
      while let wanted = self?.next() { self?.want(wanted) }
    }
  }

  /// The pictures that are wanted by now; nil when nothing has come since the last time.
  private func next() -> [ImageRequest]? {
    let (items, gone) = state.withLock { state -> ([Item]?, PagingSnapshot<Item>?) in
      guard state.isDue else {
        state.isRunning = false
        return (nil, nil)
      }
      state.isDue = false
      let before = state.viewport?.snapshot
      return (Self.itemsAhead(&state), before)
    }
    withExtendedLifetime(gone) {}
    // The closure of the user runs outside the lock.
    return items.map { $0.compactMap(request) }
  }

  private static func itemsAhead(_ state: inout State) -> [Item] {
    guard !state.isOver, let reported = state.viewport else { return nothing(&state) }
    let known = state.newest ?? reported.snapshot
    let rows = known.version > reported.snapshot.version ? known : reported.snapshot
    guard let visible = place(of: reported.rows, from: reported.snapshot, in: rows) else { return nothing(&state) }
    state.viewport = (visible, rows)
    return state.ahead.moved(
      to: visible, count: rows.count, id: { rows[$0].id }, index: { rows.index(ofRow: $0) }
    ).compactMap { rows[$0].item }
  }

  private static func nothing(_ state: inout State) -> [Item] {
    state.ahead.left()
    return []
  }

  /// Where rows of one snapshot are in a later one: by the first of them that is still there.
  private static func place(
    of rows: Range<Int>, from older: PagingSnapshot<Item>, in newer: PagingSnapshot<Item>
  ) -> Range<Int>? {
    let rows = rows.clamped(to: 0..<older.count)
    guard newer.version != older.version else { return rows }
    for row in rows {
      guard let now = newer.index(ofRow: older[row].id) else { continue }
      return max(0, now - (row - rows.lowerBound))..<now + (rows.upperBound - row)
    }
    return newer.isSameGeneration(as: older) ? nil : newer.anchor?.index.map { $0..<$0 + rows.count }
  }
}
