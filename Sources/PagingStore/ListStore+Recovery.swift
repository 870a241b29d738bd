#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ListStore {
  /// Copies what can be read of this store to a new file, which is a sound store then. To be called where calls throw
  /// ``ListStoreError/Code/damaged``; this store and its file stay as they are.
  ///
  /// Where rows of a list are lost a gap stands, so no list looks whole that isn't; items whose rows are lost are still
  /// found by their IDs. Local edits, created items, places and what was shown come along. To go on, let go of this
  /// store, put the new file in the old one's place (and delete the two beside it that end in `-wal` and `-shm`), and
  /// open it. It takes as long as reading the whole file, and half as much memory.
  ///
  /// - Parameter url: Where nothing is yet. Nothing is left there if this throws.
  /// - Returns: What was saved.
  /// - Throws: ``ListStoreError``: `damaged` where nothing can be read, `diskFull`, `inputOutput` for a file that is
  ///   there already, or for a store in memory.
  @discardableResult
  @concurrent public func recover(to url: URL) async throws -> ListStoreRecovery {
    guard let path = core.database.path else {
      throw ListStoreError(
        .inputOutput, message: "A store in memory has no file to recover. Fetch its lists again, or open a file.")
    }
    return try Database.recover(from: path, to: try Self.path(of: url))
  }

  /// Copies what can be read of a store's file that can't be opened any more, as ``recover(to:)`` does.
  ///
  /// ```swift
  /// do {
  ///   store = try ListStore(at: file)
  /// } catch let error where error.code == .damaged {
  ///   try await ListStore.recover(from: file, to: saved)
  ///   for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
  ///   try FileManager.default.moveItem(at: saved, to: file)
  ///   store = try ListStore(at: file)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - file: The store's file, which stays as it is. Its log, the file that ends in `-wal`, has to lie beside it.
  ///   - url: Where nothing is yet. Nothing is left there if this throws.
  /// - Returns: What was saved.
  /// - Throws: ``ListStoreError``, as ``recover(to:)``; also `notADatabase` and `newerSchema` for a file that isn't a
  ///   store, or not of this version. The first page of the file says where all others are: without it nothing can be
  ///   read.
  @discardableResult
  @concurrent public static func recover(from file: URL, to url: URL) async throws -> ListStoreRecovery {
    try Database.recover(from: try path(of: file), to: try path(of: url))
  }

  /// The path of a file's URL.
  static func path(of url: URL) throws(ListStoreError) -> String {
    if url.isFileURL { return url.path(percentEncoded: false) }
    throw ListStoreError(.inputOutput, message: "A store needs the URL of a file, and this is “\(url.absoluteString)”.")
  }
}
