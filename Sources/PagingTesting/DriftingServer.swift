import Paging
import Synchronization

/// A server in a test whose list changes under the client: rows come, go, move and hide between any two requests.
///
/// The closures of the ready sources call it, one method for each way of paging:
///
/// ```swift
/// let server = DriftingServer(Sample.items(count: 100))
/// server.beforeRequest(2) { $0.insert(SampleItem(id: 900), at: 0) }
///
/// CursorPageSource { try server.page($0) }
/// OffsetPageSource(overlap: 3) { try server.rows(in: $0) }
/// NumberedPageSource { try server.page(number: $0.key ?? 1, size: $0.loadSize) }
/// KeysetPageSource(key: \.sortKey) { try server.rows(after: $0.key, limit: $0.loadSize, by: \.sortKey) }
/// ```
///
/// All views show one list, in its order; only the keyset view sorts it. Nothing happens by chance: the same calls give
/// the same answers.
///
/// Every member may be used from any thread. A request costs time linear in the rows, and all requests are kept.
public final class DriftingServer<Item: Identifiable & Sendable>: Sendable where Item.ID: Sendable {
  /// What is done to the server before a request is answered.
  public typealias Change = @Sendable (_ server: DriftingServer<Item>) -> Void

  struct State {
    var list: DriftingList<Item>
    var requests: [DriftingRequest] = []
    var beforeEach: (@Sendable (DriftingServer<Item>, DriftingRequest) -> Void)?
    var script: [Int: [Change]] = [:]
  }

  let state: Mutex<State>
  /// How many rows one reply holds at most, whatever is asked for.
  public let maxPageSize: Int
  /// Whether replies of the offset and page views say how many rows there are.
  public let saysTotal: Bool

  /// A server of these rows.
  ///
  /// - Parameters:
  ///   - items: The rows in list order; of rows with one ID the first one stays.
  ///   - maxPageSize: How many rows one reply holds at most, as servers silently lower what they are asked for; default
  ///     no limit; below 1 counts as 1.
  ///   - saysTotal: Whether the offset and page views say how many rows there are; default true.
  public init(_ items: [Item], maxPageSize: Int = .max, saysTotal: Bool = true) {
    state = Mutex(State(list: DriftingList(items)))
    self.maxPageSize = max(1, maxPageSize)
    self.saysTotal = saysTotal
  }

  // MARK: - The list

  /// Every row that exists, in list order, hidden ones too.
  public var items: [Item] { state.withLock { $0.list.rows.map(\.item) } }

  /// The rows that are served, in list order.
  public var visibleItems: [Item] { state.withLock { $0.list.rows.filter { !$0.isHidden }.map(\.item) } }

  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - item: The row. If its ID is in the list already, that row is taken out first.
  ///   - index: The row's index afterwards, hidden rows counted; outside the list it is the nearest end.
  public func insert(_ item: Item, at index: Int) {
    state.withLock { $0.list.insert(item, at: index) }
  }

  /// Deletes a row.
  ///
  /// - Parameter id: Which one.
  /// - Returns: The row; nil when there was none.
  @discardableResult
  public func delete(_ id: Item.ID) -> Item? {
    state.withLock { $0.list.remove(id)?.item }
  }

  /// Deletes the row at an index, hidden rows counted.
  ///
  /// - Parameter index: Which one.
  /// - Returns: The row; nil when there was none.
  @discardableResult
  public func delete(at index: Int) -> Item? {
    state.withLock { state in
      let rows = state.list.rows
      return rows.indices.contains(index) ? state.list.remove(rows[index].item.id)?.item : nil
    }
  }

  /// Moves a row. Cursors that named its old boundary stay there.
  ///
  /// - Parameters:
  ///   - id: Which one.
  ///   - index: The row's index afterwards, hidden rows counted; outside the list it is the nearest end.
  /// - Returns: Whether there is such a row.
  @discardableResult
  public func move(_ id: Item.ID, to index: Int) -> Bool {
    state.withLock { state in
      guard let row = state.list.remove(id) else { return false }
      state.list.insert(row.item, at: index, isHidden: row.isHidden)
      return true
    }
  }

  /// Replaces a row where it stands, by its ID. In the keyset view it moves if its sort key differs.
  ///
  /// - Parameter item: The new contents.
  /// - Returns: Whether there is such a row.
  @discardableResult
  public func update(_ item: Item) -> Bool {
    state.withLock { $0.list.update(item.id, item: item) }
  }

  /// Hides a row: it keeps its place and is counted, and no reply holds it, so pages come short or empty.
  ///
  /// That is what a server shows which filters after it has cut the page. The keyset view filters before, since its
  /// clients go by the last row that they have.
  ///
  /// - Parameter id: Which one.
  /// - Returns: Whether there is such a row.
  @discardableResult
  public func hide(_ id: Item.ID) -> Bool {
    state.withLock { $0.list.update(id, isHidden: true) }
  }

  /// Ends what ``hide(_:)`` began.
  ///
  /// - Parameter id: Which row.
  /// - Returns: Whether there is such a row.
  @discardableResult
  public func show(_ id: Item.ID) -> Bool {
    state.withLock { $0.list.update(id, isHidden: false) }
  }

  /// Makes every cursor that was given out so far fail with `PagingError.cursorExpired`.
  public func expireCursors() {
    state.withLock { $0.list.removeMarks() }
  }

  // MARK: - Between requests

  /// Runs a change before every request, after those of ``beforeRequest(_:_:)``; replaces what was set before.
  ///
  /// - Parameter change: Gets the server and the request that will be answered next. It runs on the thread that asks,
  ///   outside any lock; where requests run side by side, so do changes. Nil: none any more.
  public func beforeEachRequest(
    _ change: (@Sendable (_ server: DriftingServer<Item>, _ request: DriftingRequest) -> Void)?
  ) {
    state.withLock { $0.beforeEach = change }
  }

  /// Runs a change once, before a request is answered; several for one request run in the order given.
  ///
  /// - Parameters:
  ///   - number: Which request, counted from 1 over all views. One that has been answered already never comes.
  ///   - change: What to do. It runs on the thread that asks, outside any lock.
  public func beforeRequest(_ number: Int, _ change: @escaping Change) {
    state.withLock { $0.script[number, default: []].append(change) }
  }

  /// What was asked for so far, in order; requests that were answered with an error too.
  public var requests: [DriftingRequest] { state.withLock { $0.requests } }
}
