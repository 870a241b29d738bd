import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A store without types: encoded items, orders of their numbers, and who is told of a change.
///
/// Everything that writes goes through ``commit(durably:_:)``, so that the changes of all commits are handed out, and
/// in their order. What it does for each part of the store stands in an extension of its own.
final class StoreCore: Sendable {
  /// The file.
  let database: Database
  /// Who hears of changes.
  let hub = ChangeHub()
  /// Which lists are told what is new.
  let subscriptions = Subscriptions()
  /// The time of day, for what is kept for so long.
  let now: @Sendable () -> Date
  /// What intervals are measured on.
  let clock: any Clock<Duration>
  /// Hears what goes wrong beside the calls.
  let report: @Sendable (ListStoreReport) -> Void

  private struct BookName: Hashable {
    let type: ObjectIdentifier
    let list: ListName?
  }

  /// Held from the begin of a transaction until its change is in line.
  private let writing = Mutex(())
  private let books = Mutex<[BookName: any Sendable]>([:])
  private let foreign: ForeignCommits

  /// A store over an open file.
  ///
  /// - Parameter interval: How often to look whether another process has written, while anybody listens; nil: never.
  init(
    database: Database, otherProcesses interval: Duration?, now: @escaping @Sendable () -> Date,
    clock: any Clock<Duration>, report: @escaping @Sendable (ListStoreReport) -> Void
  ) {
    self.database = database
    self.now = now
    self.clock = clock
    self.report = report
    foreign = ForeignCommits(
      database: database, hub: hub, interval: interval, clock: clock,
      report: report)
  }

  /// Runs a transaction that may write, and tells who listens what it changed.
  ///
  /// - Parameters:
  ///   - durably: Wait until it would outlive a power cut: for what only this device knows.
  ///   - body: Does the work, and notes what readers will see changed. Must not call the core's members that read or
  ///     write.
  /// - Returns: What `body` returns. Listeners on other threads may hear of it later.
  @discardableResult
  func commit<R>(
    durably: Bool = false, _ body: (WriteTransaction, inout StoreChange) throws(ListStoreError) -> R
  ) throws(ListStoreError) -> R {
    var result: Result<R, ListStoreError>?
    writing.withLock { _ in
      result = Result { () throws(ListStoreError) -> R in
        var change = StoreChange(sequence: 0)
        let value = try database.write(durably: durably) { (transaction) throws(ListStoreError) -> R in
          change.sequence = transaction.sequence
          let value = try body(transaction, &change)
          for (list, noted) in change.lists where noted.shownChanged {
            try transaction.connection.lists.bumpVersion(list)
          }
          return value
        }
        hub.enqueue(change)
        return value
      }
    }
    guard let result else {
      throw ListStoreError(.internalFault, message: "A lock was released without its work done.")
    }
    hub.deliver()
    return try result.get()
  }

  /// What a part of the store keeps in memory: one for all who ask with the same type and list.
  ///
  /// - Parameters:
  ///   - list: The list that it is about; nil: the whole store.
  ///   - make: Makes it for the first who asks; must not ask for another one.
  func book<Book: Sendable>(_ type: Book.Type = Book.self, of list: ListName? = nil, make: () -> Book) -> Book {
    books.withLock { books in
      let name = BookName(type: ObjectIdentifier(type), list: list)
      if let book = books[name] as? Book { return book }
      let book = make()
      books[name] = book
      return book
    }
  }
}
