public import Observation
public import Paging

/// A paged list as a screen shows it: observable, on the main actor, and of no UI framework.
///
/// It shows from the start what its content holds, counts as one of the content's observers while it lives, and takes one
/// update for all snapshots that came since the last one. A screen reads ``rows``, tells which of them are on screen by
/// ``rowAppeared(_:)-(Int)`` and ``rowDisappeared(_:)-(Int)`` or by ``visibleRows(_:)``, and the rows that are wanted next
/// are loaded.
///
/// Use it where the Observation framework is understood, as in SwiftUI, or by ``observe(onChange:)`` anywhere else.
@MainActor @Observable
public final class PagedList<Item: Identifiable & Sendable> where Item.ID: Sendable {
  /// What is shown.
  @ObservationIgnored let content: any PagedContent<Item>
  /// The rows before the last update, until somebody asked what has changed since.
  @ObservationIgnored private var previous: PagingSnapshot<Item>?
  @ObservationIgnored private var knownChanges = ListChanges()
  @ObservationIgnored private var reports = RowReports()
  @ObservationIgnored private var isReportScheduled = false
  @ObservationIgnored private var end: FollowsEnd?
  @ObservationIgnored private let isOwn: @MainActor (Item) -> Bool
  @ObservationIgnored private var reader: SnapshotReader<Item>?
  @ObservationIgnored private var observers = ListObservers()

  /// A list of what a content holds, now and from now on; it begins to load if nothing was loaded yet.
  ///
  /// - Parameters:
  ///   - content: A pager, or what was made of one. It is kept alive.
  ///   - followsEnd: Whether rows that are added behind the end are to be shown as they come, as in a conversation; see
  ///     ``scrollWish`` and ``unseenRowsAtEnd``. Default: false.
  ///   - isOwn: Whether an item is the reader's own, which is scrolled to wherever the reader is. Asked for rows that
  ///     are added behind the end, and only where the list follows it. Default: none is.
  public init(
    _ content: some PagedContent<Item>, followsEnd: Bool = false,
    isOwn: @escaping @MainActor (Item) -> Bool = { _ in false }
  ) {
    self.content = content
    self.isOwn = isOwn
    // Observed first, so that what begins to load is shown as loading.
    let snapshots = content.snapshots().makeAsyncIterator()
    let first = content.snapshot
    rows = first
    if followsEnd { end = FollowsEnd(isEndKnown: first.states.append.isAtEnd, isEmpty: first.isEmpty) }
    reader = SnapshotReader(snapshots) { [weak self] in self?.takeNewest() }
  }

  // MARK: - What is shown

  /// The rows as they are shown. Changes at most once a turn of the main actor.
  public private(set) var rows: PagingSnapshot<Item>

  /// What the screen shows instead of rows, or that there are some.
  public var phase: PagingPhase { rows.phase }

  /// What the loads are doing.
  public var loadStates: CombinedLoadStates { rows.states }

  /// What turned the rows before the last update into ``rows``; nothing has changed before the first.
  ///
  /// To be applied to a screen that shows the rows before the last update, so in each call of an observer. It is worked
  /// out when it is first read after an update, at the cost that `PagingSnapshot.changes(from:)` gives.
  public var changes: ListChanges {
    let rows = rows
    if let previous {
      knownChanges = rows.changes(from: previous)
      self.previous = nil
    }
    return knownChanges
  }

  /// The index in ``rows`` of the first row on screen, as reported, carried over each update: what a screen puts back to
  /// where it was.
  ///
  /// Where that row is gone it is the first one on screen that is still there, or else the one that the content names as
  /// the one to stay; after a jump to rows that weren't loaded it is the one that was jumped to; after a refresh from the
  /// start, the index stays. Nil before any report, and when nothing of what was on screen is left. Not observed.
  @ObservationIgnored public private(set) var firstVisibleRow: Int?

  /// The wish to have the end of the list scrolled to; nil until there was one.
  ///
  /// In a list that follows its end each row that is added there is one, if the end was on screen or the row is the
  /// reader's own. Each wish has another number; a screen that sees a new one scrolls.
  public private(set) var scrollWish: ScrollWish?

  /// How many rows were added at the end since the end was last on screen, and were not on screen since; 0 in a list that
  /// doesn't follow its end.
  public private(set) var unseenRowsAtEnd = 0

  // MARK: - What is on screen

  /// Says that a row came on screen. All reports of one turn of the main actor become one.
  ///
  /// - Parameter index: The row's index in ``rows``; one outside is ignored.
  public func rowAppeared(_ index: Int) {
    guard rows.indices.contains(index) else { return }
    reports.appeared(index)
    scheduleReport()
  }

  /// Says that a row has left the screen. All reports of one turn of the main actor become one.
  ///
  /// - Parameter index: The row's index in ``rows``.
  public func rowDisappeared(_ index: Int) {
    reports.disappeared(index)
    scheduleReport()
  }

  /// Says that a row came on screen, by its identity: for screens whose rows don't know where they stand by now.
  ///
  /// A row that isn't in ``rows`` is ignored. Linear in the loaded rows, at one comparison of integers for each.
  public func rowAppeared(_ id: PagingRow<Item>.ID) {
    if let index = rows.index(ofRow: id) { rowAppeared(index) }
  }

  /// Says that a row has left the screen, by its identity.
  ///
  /// A row that isn't in ``rows`` is ignored, and so is a placeholder whose place an item has taken. Linear in the loaded
  /// rows, at one comparison of integers for each.
  public func rowDisappeared(_ id: PagingRow<Item>.ID) {
    if let index = rows.index(ofRow: id), rows[index].id == id { rowDisappeared(index) }
  }

  /// Says which rows are on screen, for screens that know: it takes the place of all that was reported before.
  ///
  /// - Parameter range: Indices in ``rows``; clamped to it. An empty one says nothing of where the reader is.
  public func visibleRows(_ range: Range<Int>) {
    reports.areVisible(range.clamped(to: rows.startIndex..<rows.endIndex))
    scheduleReport()
  }

  private func scheduleReport() {
    guard !isReportScheduled else { return }
    isReportScheduled = true
    Task { [weak self] in self?.report() }
  }

  private func report() {
    isReportScheduled = false
    guard let visible = reports.takeNews() else { return }
    firstVisibleRow = visible.lowerBound
    if end != nil {
      end?.viewportMoved(rowsBelow: rows.count - visible.upperBound)
      showEnd()
    }
    content.viewportChanged(to: visible, of: rows)
  }

  // MARK: - Commands

  /// Loads the list anew, and returns when ``rows`` shows the new one or the load has failed: what a pull-down awaits.
  ///
  /// The rows that are shown stay until the new ones are there. What it failed with is in ``loadStates``. It returns at
  /// once, and the load goes on, when the task that waits is cancelled.
  ///
  /// - Parameter origin: Around the row that is on screen, or from the start of the list. Default: the first.
  public func refresh(from origin: RefreshOrigin = .anchor) async {
    // A failure is a state of the list, which is where the screen shows it.
    try? await content.refresh(from: origin).finished()
    await catchUp()
  }

  /// Repeats what failed, and nothing else.
  ///
  /// - Parameter type: Which load to repeat; nil (default): all that failed.
  @discardableResult public func retry(_ type: LoadType? = nil) -> PagingCommand { content.retry(type) }

  /// Loads one page at an edge, whatever the distance: what a load-more button calls.
  @discardableResult public func load(_ type: LoadType) -> PagingCommand { content.load(type) }

  /// Shows the list around row `index` of the whole list.
  ///
  /// A row that is loaded needs nothing but to be scrolled to. Otherwise the update that shows it has it as
  /// ``firstVisibleRow``.
  @discardableResult public func jump(toIndex index: Int) -> PagingCommand { content.jump(toIndex: index) }

  /// Shows the list around an item.
  ///
  /// An item that is loaded needs nothing but to be scrolled to. Otherwise the update that shows it has it as
  /// ``firstVisibleRow``.
  @discardableResult public func jump(toItem id: Item.ID) -> PagingCommand { content.jump(toItem: id) }

  /// Returns when ``rows`` is no older than what the content holds by now: for use after a command has finished.
  public func catchUp() async {
    await take(Self.newest(of: content))
  }

  /// Returns when no load runs, is wanted, or waits to be tried again, and ``rows`` shows what came of it.
  public func settled() async {
    report()
    await content.settled()
    await catchUp()
  }

  /// Read off the main actor, since rows may have to be transformed for it.
  @concurrent private nonisolated static func newest(of content: any PagedContent<Item>) async -> PagingSnapshot<Item> {
    content.snapshot
  }

  // MARK: - Observers

  /// Calls a closure after each update, for code that has no async context and no observation.
  ///
  /// It is not called for what is shown already. A call may read the list and give it commands.
  ///
  /// - Parameter onChange: Gets this list. It must not keep the list, or what is returned, from within.
  /// - Returns: What ends it; so does letting go of it.
  public func observe(onChange: @escaping @MainActor (PagedList<Item>) -> Void) -> PagedListObservation {
    let observation = PagedListObservation { [weak self] in
      if let self { onChange(self) }
    }
    observers.add(observation)
    return observation
  }

  // MARK: - Updates

  private func takeNewest() {
    reader?.answer()
    // What was shown since counts too, or it would be an update of its own.
    take(content.snapshots().newest)
  }

  private func take(_ snapshot: PagingSnapshot<Item>) {
    guard snapshot.version > rows.version else { return }
    let older = rows
    previous = older
    carryPlaces(by: RowCarrier(from: older, to: snapshot))
    if end != nil { followEnd(from: older, to: snapshot) }
    rows = snapshot
    let observers = observers
    observers.tell()
  }

  private func carryPlaces(by carrier: RowCarrier<Item>) {
    if let first = firstVisibleRow {
      firstVisibleRow = carrier.place(ofFirst: first, in: reports.viewport ?? first..<first + 1)
    }
    reports.carry(carrier.place(of:))
  }

  private func followEnd(from older: PagingSnapshot<Item>, to newer: PagingSnapshot<Item>) {
    // What was worked out here serves whoever asks later.
    knownChanges = newer.changes(from: older)
    previous = nil
    let change = EndChange(insertions: knownChanges.insertions, count: (older.count, newer.count))
    var hasOwn = false
    if case .added(let added) = change {
      hasOwn = newer.suffix(added).contains { $0.item.map(isOwn) ?? false }
    }
    let wantsScroll = end?.rowsChanged(change, hasOwn: hasOwn, isAtEnd: newer.states.append.isAtEnd)
    if wantsScroll == true {
      scrollWish = ScrollWish(number: (scrollWish?.number ?? 0) + 1, index: newer.count - 1)
    }
    showEnd()
  }

  private func showEnd() {
    let unseen = end?.unseen ?? 0
    if unseenRowsAtEnd != unseen { unseenRowsAtEnd = unseen }
  }
}
