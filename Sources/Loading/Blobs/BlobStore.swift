import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Bytes by key in a folder, up to a cap. Every call blocks on the disk; call it off the main thread.
///
/// A process that is killed at any instant leaves a key's old value or its new one, never half of one. A blob that was
/// damaged reads as absent, is removed and counted. Which blob leaves first is the word of an ``EvictionPolicy``, by
/// default the one that was used longest ago; use times survive a restart, to the minute for reads. Files can be read
/// by their owner only; what they hold is not encrypted.
///
/// Any number of processes, and of stores in one process, may open one folder: what another one writes is found when it
/// is asked for. Each holds the cap for the blobs that it knows of: those that were there when it opened the folder,
/// those it wrote and those it read. Files of other names in the folder are left alone.
///
/// The time of a blob's last use is its file's access time, that of its write the modification time.
///
/// Every member may be used from any thread. Memory: some 150 bytes for each blob.
public final class BlobStore: Sendable {
  /// How often a write is begun anew when its folder or its unfinished file was removed by others.
  private static let attempts = 3

  private let folder: BlobFolder
  private let config: BlobStoreConfig
  private let index: Mutex<BlobIndex>

  /// Opens a folder; makes it where it is missing, for its owner only.
  ///
  /// Costs a listing of the folder and a look at each file's status, O(n log n) for n blobs, and reads none. What is
  /// above the cap leaves, and so does what writers that died left unfinished.
  ///
  /// - Throws: `invalidConfig` for a configuration out of its range or a URL that names no file; `inputOutput`,
  ///   `diskFull` where the folder can't be made or listed.
  public init(at folder: URL, config: BlobStoreConfig = .init()) throws(LoadingError) {
    try config.validate()
    guard folder.isFileURL, !folder.path.isEmpty, !folder.path.utf8.contains(0) else {
      throw LoadingError(.invalidConfig, message: "the store's folder must be a file URL")
    }
    self.folder = BlobFolder(path: folder.path)
    self.config = config
    index = Mutex(BlobIndex(policy: config.policy))
    do throws(SystemFailure) {
      try open()
    } catch {
      throw error.loadingError
    }
  }

  private func open() throws(SystemFailure) {
    try folder.make()
    try index.withLock { (index) throws(SystemFailure) in
      let listed = try folder.list()
      let held = listed.reduce(into: 0) { $0 += $1.bytes }
      remove(index.restore(listed, cap: cap(held: held), now: WallClock.now()))
    }
  }

  // MARK: - Reading

  /// The value of a key, which counts as used by that; nil where there is none, or one that was damaged.
  ///
  /// - Throws: `inputOutput` where the disk fails.
  public func data(for key: String) throws(LoadingError) -> Data? {
    let name = BlobName(of: key)
    let now = WallClock.now()
    let known = index.withLock { index -> Int? in
      switch index.use(name, now: now) {
      case .known(let bytes): return bytes
      case .unknown, .expired:
        let found = reconcile(name, in: &index)
        if found != nil { index.correct(toHit: true) }
        return found
      }
    }
    guard let known else { return nil }
    let path = folder.path(of: name)
    switch BlobReading(at: path, name: name, key: key, now: now, resolution: config.useTimeResolution) {
    case .value(let data, let bytes):
      if bytes != known { index.withLock { _ = reconcile(name, in: &$0) } }
      return data
    case .absent, .otherKey:
      index.withLock { index in
        index.correct(toHit: false)
        _ = reconcile(name, in: &index)
      }
      return nil
    case .damaged(let identity):
      index.withLock { index in
        index.correct(toHit: false)
        index.noteDamage()
        folder.remove(name, if: identity)
        _ = reconcile(name, in: &index)
      }
      return nil
    case .failed(let failure):
      index.withLock { $0.correct(toHit: false) }
      throw failure.loadingError
    }
  }

  // MARK: - Writing

  /// Puts a value in place of the key's earlier one, after what has to leave for it has left.
  ///
  /// When it returns, the value is on the disk. A write that throws leaves the earlier value.
  ///
  /// - Throws: `valueTooLarge` where the value with its key and 32 bytes is above the cap; `diskFull`; `inputOutput`.
  public func write(_ data: Data, for key: String) throws(LoadingError) {
    let name = BlobName(of: key)
    let bytes = BlobFormat.fileLength(keyLength: key.utf8.count, valueLength: data.count)
    let refusal = index.withLock { $0.refusal(bytes: bytes, cap: cap(held: $0.byteCount)) }
    guard refusal == nil, let bytes else {
      throw LoadingError(.valueTooLarge, message: refusal ?? "the value is too large")
    }
    let end = data.withUnsafeBytes { BlobFormat.end(key: key, value: $0) }
    for attempt in 1...Self.attempts {
      do throws(SystemFailure) {
        var blob = try TemporaryBlob.written(in: folder, value: data, end: end)
        try place(&blob, name, bytes)
        return
      } catch {
        guard error.isAbsence, attempt < Self.attempts else { throw error.loadingError }
      }
      // The folder was removed under the store, as a system does that clears caches; or only the unfinished file.
      do throws(SystemFailure) { try open() } catch { throw error.loadingError }
    }
  }

  private func place(_ blob: inout TemporaryBlob, _ name: BlobName, _ bytes: Int) throws(SystemFailure) {
    try index.withLock { (index) throws(SystemFailure) in
      let now = WallClock.now()
      let leaving = index.place(name, bytes: bytes, cap: cap(held: index.byteCount), written: now, now: now)
      // First they leave, then it comes: so the cap holds at every instant.
      remove(leaving.filter { $0 != name })
      do throws(SystemFailure) {
        // The cap may have fallen with the disk's free space since the value was found to fit.
        if leaving.contains(name) { throw .outOfRoom }
        try blob.place(at: folder.path(of: name))
      } catch {
        _ = reconcile(name, in: &index)
        throw error
      }
    }
  }

  /// Removes a key's value, for good when it returns; that there is none is no error.
  ///
  /// - Throws: `inputOutput` where the disk fails.
  public func remove(_ key: String) throws(LoadingError) {
    let name = BlobName(of: key)
    do throws(SystemFailure) {
      try index.withLock { (index) throws(SystemFailure) in
        defer { _ = reconcile(name, in: &index) }
        try folder.remove(name)
      }
      try folder.sync()
    } catch {
      throw error.loadingError
    }
  }

  /// Removes all values, those of other processes too, for good when it returns.
  ///
  /// - Throws: `inputOutput` where the disk fails; what could be removed is.
  public func removeAll() throws(LoadingError) {
    do throws(SystemFailure) {
      try index.withLock { (index) throws(SystemFailure) in
        var failure: SystemFailure?
        index.removeAll()
        for blob in try folder.list() {
          do throws(SystemFailure) { try folder.remove(blob.name) } catch { failure = error }
        }
        if let failure {
          _ = index.restore(try folder.list(), cap: .max, now: WallClock.now())
          throw failure
        }
      }
      try folder.sync()
    } catch {
      throw error.loadingError
    }
  }

  // MARK: - Figures

  /// What all blobs measure that this store knows of, in bytes: values, keys and 32 bytes for each.
  public var byteCount: Int { index.withLock { $0.byteCount } }

  /// How many blobs this store found to be damaged.
  public var damagedCount: Int { index.withLock { $0.damaged } }

  /// What this store has done so far; a blob that it finds written by another process counts as an insertion.
  public var statistics: CacheStatistics { index.withLock { $0.statistics } }

  // MARK: - Index and folder

  /// Has the index say of a name what the folder says.
  ///
  /// - Returns: What the file measures; nil where there is none, or none that may stay.
  private func reconcile(_ name: BlobName, in index: inout BlobIndex) -> Int? {
    guard let found = folder.status(of: name) else {
      index.remove(name)
      return nil
    }
    let leaving = index.place(
      name, bytes: found.bytes, cap: cap(held: index.byteCount), written: found.written, now: WallClock.now())
    remove(leaving)
    return leaving.contains(name) ? nil : found.bytes
  }

  private func cap(held: Int) -> Int {
    config.cap(free: config.freeSpaceShare == nil ? nil : folder.freeBytes, held: held)
  }

  /// Removes what has to leave. One that can't be removed stays on the disk, unknown, until the folder is opened again.
  private func remove(_ leaving: [BlobName]) {
    for name in leaving { try? folder.remove(name) }
  }
}
