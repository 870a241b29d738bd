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
  @ObservationIgnored private var start: NewRows
  @ObservationIgnored private var end: FollowsEnd?
  @ObservationIgnored private let isOwn: @MainActor (Item) -> Bool
  @ObservationIgnored private let keepsPlace: @MainActor (Item) -> Bool
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
  ///   - keepsPlace: Whether an item's row may be the one that stays where it is on screen; see ``firstVisibleRow``. The row
  ///     of a gap had better not: when the gap is filled from below, what is below it is to stay. Default: any may.
  public init(
    _ content: some PagedContent<Item>, followsEnd: Bool = false,
    isOwn: @escaping @MainActor (Item) -> Bool = { _ in false },
    keepsPlace: @escaping @MainActor (Item) -> Bool = { _ in true }
  ) {
    self.content = content
    self.isOwn = isOwn
    self.keepsPlace = keepsPlace
    // Observed first, so that what begins to load is shown as loading.
    let snapshots = content.snapshots().makeAsyncIterator()
    let first = content.snapshot
    rows = first
    start = NewRows(isStartKnown: first.states.prepend.isAtEnd)
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

  /// The index in ``rows`` of the first row on screen that may keep its place, as reported, carried over each update: what a
  /// screen puts back to where it was. Where none on screen may, it is the first one.
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

  /// How many rows came in at the start since they could last be seen there: what a bar with "12 new" shows while the
  /// reader is further down.
  ///
  /// They are the first so many of ``rows``, which stay where they are until the reader scrolls up to them. Rows count once
  /// the start of the list was loaded; what is loaded on the way there is not new. A list that holds new rows back until
  /// they are asked for has a count of its own.
  public private(set) var unseenRowsAtStart = 0

  /// A page size for this screen, by the most rows that were on it at once; nil before any report. For the next pager: the
  /// size of one that exists doesn't change, and nothing uses this by itself. Not observed.
  ///
  /// See `PagingConfig.suggestedPageSize(rowsThatFit:)`.
  public var suggestedPageSize: Int? {
    mostVisible > 0 ? PagingConfig.suggestedPageSize(rowsThatFit: mostVisible) : nil
  }
  @ObservationIgnored private var mostVisible = 0

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

  /// Whether a row may be the one that is put back to where it was; a placeholder may.
  func mayKeepPlace(_ row: PagingRow<Item>) -> Bool { row.item.map(keepsPlace) ?? true }

  /// The row of those on screen that is put back to where it was.
  private func placeKeeper(of visible: Range<Int>) -> Int {
    visible.first { mayKeepPlace(rows[$0]) } ?? visible.lowerBound
  }

  private func scheduleReport() {
    guard !isReportScheduled else { return }
    isReportScheduled = true
    Task { [weak self] in self?.report() }
  }

  private func report() {
    isReportScheduled = false
    guard let visible = reports.takeNews() else { return }
    firstVisibleRow = placeKeeper(of: visible)
    mostVisible = max(mostVisible, visible.count)
    start.viewportMoved(rowsAbove: visible.lowerBound)
    showStart()
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
    let carrier = RowCarrier(from: older, to: snapshot)
    carryPlaces(by: carrier)
    rows = snapshot
    countNewRows(since: older, by: carrier)
    if end != nil { followEnd(since: older, by: carrier) }
    let observers = observers
    observers.tell()
  }

  private func carryPlaces(by carrier: RowCarrier<Item>) {
    // Who has scrolled in this turn is not to be put back, though nobody was told of it yet.
    if reports.hasNews, let visible = reports.viewport { firstVisibleRow = placeKeeper(of: visible) }
    if let first = firstVisibleRow {
      let visible = reports.viewport ?? first..<first + 1
      firstVisibleRow = carrier.place(ofFirst: first, in: visible.filter { mayKeepPlace(rows[$0]) } + visible)
    }
    reports.carry(carrier.place(of:))
  }

  private func countNewRows(since older: PagingSnapshot<Item>, by carrier: RowCarrier<Item>) {
    var change = EdgeChange.added(0)
    // The changes are worked out only where there is something to count.
    if let first = older.first, first.id != rows.first?.id {
      let inserted = changes.insertions.prefix { rows[$0].item != nil }
      change = .atStart(insertions: Array(inserted), count: (older.count, rows.count))
    }
    let firstStayed = !older.isEmpty && carrier.place(of: 0) != nil
    start.rowsChanged(change, firstStayed: firstStayed, isAtStart: rows.states.prepend.isAtEnd)
    showStart()
  }

  private func followEnd(since older: PagingSnapshot<Item>, by carrier: RowCarrier<Item>) {
    let change = EdgeChange.atEnd(insertions: changes.insertions, count: (older.count, rows.count))
    var hasOwn = false
    if case .added(let added) = change {
      hasOwn = rows.suffix(added).contains { $0.item.map(isOwn) ?? false }
    }
    let wantsScroll = end?.rowsChanged(
      change, lastStayed: older.isEmpty || carrier.place(of: older.count - 1) != nil, hasOwn: hasOwn,
      isAtEnd: rows.states.append.isAtEnd)
    if wantsScroll == true {
      scrollWish = ScrollWish(number: (scrollWish?.number ?? 0) + 1, index: rows.count - 1)
    }
    showEnd()
  }

  private func showStart() {
    if unseenRowsAtStart != start.unseen { unseenRowsAtStart = start.unseen }
  }

  private func showEnd() {
    let unseen = end?.unseen ?? 0
    if unseenRowsAtEnd != unseen { unseenRowsAtEnd = unseen }
  }
}
