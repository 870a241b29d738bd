#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ListStore {
  /// Saves what can be read of a store's file to a new file; the old one stays as it is.
  ///
  /// For a file that ``init(at:config:now:clock:observer:)`` refuses as ``ListStoreError/Code/damaged``, or that a call found to be so.
  /// Items, lists, edits and places that can be read are copied. Where rows of a list are lost a gap stands afterwards, so that a list
  /// never looks whole that isn't. Put the new file in the old one's place, together with the two that SQLite has beside it, while no
  /// store has either open.
  ///
  /// ```swift
  /// let report = try await ListStore.recover(file, to: folder.appending(path: "recovered.db"))
  /// ```
  ///
  /// It takes as long as reading all of the file does, and its items are in memory meanwhile. What can't be saved at all is a file whose
  /// first page is damaged, as that says where everything else is.
  ///
  /// - Parameters:
  ///   - url: The store's file. A store may have it open.
  ///   - target: Where the new one is to lie; nothing may be there yet.
  /// - Returns: What was saved.
  /// - Throws: ``ListStoreError``: `notADatabase`, `newerSchema`, `damaged` where nothing can be read, `diskFull`, `inputOutput`, also where
  ///   there is a file at the target already.
  @concurrent @discardableResult
  public static func recover(_ url: URL, to target: URL) async throws -> RecoveryReport {
    for file in [url, target] where !file.isFileURL { throw ListStoreError.noFile(file) }
    return try Database.recover(
      from: url.path(percentEncoded: false), to: target.path(percentEncoded: false))
  }

  /// Saves what can be read of this store to a new file, as ``recover(_:to:)`` does, while the store stays open.
  ///
  /// - Parameter target: Where the new one is to lie; nothing may be there yet.
  /// - Returns: What was saved.
  /// - Throws: As ``recover(_:to:)``; `inputOutput` for a store in memory, which has no file.
  @concurrent @discardableResult
  public func recover(to target: URL) async throws -> RecoveryReport {
    guard let path = core.database.path else {
      throw ListStoreError(.inputOutput, message: "A store in memory has no file from which something could be saved.")
    }
    return try await Self.recover(URL(filePath: path, directoryHint: .notDirectory), to: target)
  }
}

extension ListStoreError {
  /// Something that isn't a file was named where a store's file is needed.
  static func noFile(_ url: URL) -> ListStoreError {
    ListStoreError(.inputOutput, message: "A store needs the URL of a file, and this is “\(url.absoluteString)”.")
  }
}
