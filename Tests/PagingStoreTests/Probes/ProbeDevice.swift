import Foundation
import Paging
import PagingTesting
import PagingUI
import Testing

@testable import PagingStore

/// A device of a probe: a store in a file of its own, a connection to the server that all devices share, and a screen on which
/// somebody reads. Its time moves when it is told to.
@MainActor
final class ProbeDevice {
  let line = Line()
  private(set) var store: ListStore
  private(set) var feed: StoredList<Notice>
  private(set) var screen: ProbeScreen

  private let folder: CoreFolder
  private let time = Locked(Date(timeIntervalSince1970: 1_000_000))
  private let list: (ListStore, Line) -> StoredList<Notice>
  private let config: PagingConfig
  private var pager: StoredPager<Notice>
  private var starts = 0

  /// A device on which the feed is opened for the first time, with all loaded that its first screen wants.
  ///
  /// - Parameter list: Makes the feed of a store, which asks the server over the line.
  init(
    config: PagingConfig = twentyAhead, at entry: ListEntry<Int> = .savedPosition,
    _ list: @escaping (ListStore, Line) -> StoredList<Notice>
  ) async throws {
    folder = try CoreFolder(isVolatile: true)
    let now: @Sendable () -> Date = { [time] in time.value }
    store = try ListStore(at: folder.file, now: now, clock: ManualClock())
    feed = list(store, line)
    pager = feed.pager(config: config, at: entry, clock: ManualClock())
    screen = ProbeScreen(pager)
    self.list = list
    self.config = config
    try await arrive(at: entry)
  }

  /// The usual feed: windows around a row, and cursors each way.
  convenience init(
    _ server: NoticeServer, _ policy: ListPolicy = ListPolicy(), at entry: ListEntry<Int> = .savedPosition
  )
    async throws
  {
    try await self.init(at: entry) { $0.list("home", policy: policy, remote: server.anchored(over: $1)) }
  }

  // MARK: - Leaving and coming back

  func timePasses(hours: Double) { time.change { $0 += hours * 3_600 } }

  /// Keeps the place, as a screen does when it is left, a third of a row below the edge.
  func savePlace() throws {
    let item = try #require(screen.firstNotice)
    try feed.savePosition(ListPosition(item: item, offset: 16.5))
    try feed.flushPosition()
  }

  /// The screen goes; the app lives on.
  func leaveScreen() throws {
    try savePlace()
    pager.close()
  }

  /// Opens the screen anew over the same store.
  func openScreen(at entry: ListEntry<Int> = .savedPosition) async throws {
    pager = feed.pager(config: config, at: entry, clock: ManualClock())
    screen = ProbeScreen(pager)
    try await arrive(at: entry)
  }

  /// The process dies at this instant, with nothing closed, and the app is started again from the files that it left.
  func killAndStart(at entry: ListEntry<Int> = .savedPosition) async throws {
    starts += 1
    let now: @Sendable () -> Date = { [time] in time.value }
    store = try ListStore(at: folder.copy(as: "start-\(starts).db"), now: now, clock: ManualClock())
    feed = list(store, line)
    try await openScreen(at: entry)
  }

  /// Pulls down, and waits until that is over.
  func refresh() async {
    await screen.list.refresh()
    await screen.settled()
  }

  /// Goes to where the list is opened, without waiting for the network where the rows are stored.
  private func arrive(at entry: ListEntry<Int>) async throws {
    if let saved = try feed.savedPosition(), entry == .savedPosition {
      if saved.isStale {
        // What a screen does that is told so.
        try feed.jumpToNewest()
        await screen.settled()
        screen.scroll(by: -1_000)
      } else {
        while screen.list.rows.isEmpty { await screen.oneUpdate() }
        screen.scroll(toNotice: saved.position.item)
      }
    }
    await screen.settled()
    if case .item(let item) = entry.place { screen.scroll(toNotice: item) }
    await screen.settled()
  }
}

/// Pages of twenty rows, the next one asked for while ten are left.
let twentyAhead = PagingConfig(pageSize: 20, prefetchDistance: 10, initialLoadSize: 20)
