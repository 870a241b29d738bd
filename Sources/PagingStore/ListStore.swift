#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Lists and their items in one file on the device.
///
/// ```swift
/// let store = try ListStore(at: folder.appending(path: "lists.db"))
/// let home = store.list("home", of: Post.self)
/// ```
///
/// Every item is stored once, whatever lists it is in; a list is an order of items, in which what is missing is known.
/// Open a file once in a process and share the store; other processes may use the file at the same time. May be used
/// from any thread. The file is closed when the store, its lists and their pagers are let go of.
public final class ListStore: Sendable {
  let core: StoreCore
  let config: ListStoreConfig

  /// Opens the store at a file, which is made where there is none.
  ///
  /// - Parameters:
  ///   - url: The file, on a local disk. SQLite puts [two more](https://www.sqlite.org/wal.html) beside it, which
  ///     belong to it: copy or delete all three or none.
  ///   - config: How the store works.
  ///   - now: Tells the time of day.
  ///   - clock: What intervals are measured on.
  ///   - observer: Hears what goes wrong beside the calls; on any thread, and must not wait.
  /// - Throws: ``ListStoreError``, of code `notADatabase`, `newerSchema`, `locked`, `diskFull`, `inputOutput`,
  ///   `damaged` or `invalidConfig`; the message names the remedy. A file that isn't a store is left as it was.
  public init(
    at url: URL, config: ListStoreConfig = ListStoreConfig(), now: @escaping @Sendable () -> Date = { Date() },
    clock: any Clock<Duration> = ContinuousClock(), observer: @escaping @Sendable (ListStoreReport) -> Void = { _ in }
  ) throws(ListStoreError) {
    let path = try Self.path(of: url)
    try config.check()
    self.config = config
    core = StoreCore(
      database: try Database(at: path, busyTimeout: config.busyTimeout),
      otherProcesses: config.changeCheckInterval, now: now, clock: clock, report: observer)
  }

  private init(core: StoreCore, config: ListStoreConfig) {
    self.core = core
    self.config = config
  }

  /// A store in memory, which is gone when it is let go of: for tests and previews.
  public static func inMemory(
    config: ListStoreConfig = ListStoreConfig(), now: @escaping @Sendable () -> Date = { Date() },
    clock: any Clock<Duration> = ContinuousClock(), observer: @escaping @Sendable (ListStoreReport) -> Void = { _ in }
  ) throws(ListStoreError) -> ListStore {
    try config.check()
    let core = StoreCore(
      database: try Database.inMemory(), otherProcesses: nil, now: now, clock: clock, report: observer)
    return ListStore(core: core, config: config)
  }

  /// A list whose pages the app fetches by itself.
  ///
  /// - Parameters:
  ///   - name: What it goes by. Lists of different item types may have one name.
  ///   - type: The type of its items.
  ///   - policy: What kind of list it is.
  public func list<Item: StoredItem>(
    _ name: String, of type: Item.Type = Item.self, policy: ListPolicy = ListPolicy()
  ) -> StoredList<Item> {
    StoredList(name, policy: policy, core: core, coder: config.coder)
  }
}
