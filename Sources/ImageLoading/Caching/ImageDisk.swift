import Foundation
import Loading
import Synchronization

/// The disk cache: blobs by hashed key, read in a lane of their own and written behind the loads.
///
/// What was handed over counts from that moment on, written or not; what was removed is gone from that moment on. A
/// disk that fails costs the cache and no load: it is told of once, and again when it has worked in between. Every
/// member may be used from any thread; none blocks but for another call's few instructions.
final class ImageDisk: Sendable {
  /// What is still to be done for a key.
  private struct Staged {
    let number: UInt64
    /// Nil: its blob is to be removed.
    let blob: Data?
  }

  private struct State {
    var staged: [String: Staged] = [:]
    var stagedBytes = 0
    var nextNumber: UInt64 = 1
    /// How many removals of everything are still to be done; what lies on the disk doesn't count until then.
    var clearings = 0
    var hasFailed = false
    var store: BlobStore?
    var hits = 0
    var misses = 0
    var refusals = 0
  }

  /// Bytes that may wait to be written; what comes beyond is not kept, rather than held in memory.
  private static let maxStagedBytes = 64 << 20

  private let folder: ImageFolder
  private let maxBytes: Int
  private let lane: LoadScheduler
  private let threads = DiskThreads("swift-paging.images.read")
  private let writer = DiskThreads("swift-paging.images.write", isSerial: true)
  private let opening = Mutex(())
  private let state = Mutex(State())
  private let failed: @Sendable (any Error) -> Void

  /// - Parameters:
  ///   - folder: Made when it is first needed.
  ///   - maxBytes: What all blobs may measure.
  ///   - lane: Whose turn it is to read.
  ///   - failed: Told once when the disk fails, outside locks.
  init(folder: ImageFolder, maxBytes: Int, lane: LoadScheduler, failed: @escaping @Sendable (any Error) -> Void) {
    self.folder = folder
    self.maxBytes = maxBytes
    self.lane = lane
    self.failed = failed
  }

  /// The name of a key's blob; what a key says can't be read from it.
  static func name(_ key: ImageKey, kind: String) -> String { SHA256.hex(key.appending(kind).text) }

  // MARK: - Reading

  /// The blob of a name; nil where there is none, or the disk fails.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before its turn.
  func blob(_ name: String, ticket: LoadTicket) async throws -> Data? {
    let blob = try await note(name, ticket: ticket)
    state.withLock { if blob == nil { $0.misses += 1 } else { $0.hits += 1 } }
    return blob
  }

  /// The same for a blob that is no picture: the look is in no figure.
  func note(_ name: String, ticket: LoadTicket) async throws -> Data? {
    if let staged = stagedBlob(name) { return staged }
    let blob = try await lane.run(ticket) { [self] in await threads.run { _ in self.read(name) } }
    // What came meanwhile is newer.
    return stagedBlob(name) ?? blob
  }

  /// Nil where nothing is staged; a nil inside where it is staged that there is none.
  private func stagedBlob(_ name: String) -> Data?? {
    state.withLock { state in
      if let staged = state.staged[name] { return .some(staged.blob) }
      return state.clearings > 0 ? .some(nil) : nil
    }
  }

  /// A blob turned out to be none of ours after it was counted as found.
  func wasNoHit() {
    state.withLock { state in
      state.hits -= 1
      state.misses += 1
    }
  }

  private func read(_ name: String) -> Data? {
    attempt { store throws(LoadingError) in try store.data(for: name) } ?? nil
  }

  // MARK: - Writing

  /// Keeps a blob, in place of an earlier one of its name.
  func write(_ blob: Data, for name: String) {
    state.withLock { state in
      state.stagedBytes -= state.staged[name]?.blob?.count ?? 0
      let isRefused = blob.count > maxBytes || blob.count > Self.maxStagedBytes - state.stagedBytes
      if isRefused { state.refusals += 1 }
      // The earlier one must not stay in any case.
      stage(name, isRefused ? nil : blob, in: &state)
    }
  }

  /// Removes a blob.
  func remove(_ name: String) {
    state.withLock { state in
      state.stagedBytes -= state.staged[name]?.blob?.count ?? 0
      stage(name, nil, in: &state)
    }
  }

  /// Removes all blobs.
  func removeAll() {
    state.withLock { state in
      state.staged = [:]
      state.stagedBytes = 0
      state.clearings += 1
      // Asked for under the lock, which the queue doesn't take, so that the order is that of the calls.
      writer.start { [self] in clear() }
    }
  }

  /// Returns when what was handed over before lies on the disk, or could not be put there.
  func flush() async { await writer.run { _ in } }

  private func stage(_ name: String, _ blob: Data?, in state: inout State) {
    let number = state.nextNumber
    state.nextNumber += 1
    state.staged[name] = Staged(number: number, blob: blob)
    state.stagedBytes += blob?.count ?? 0
    writer.start { [self] in settle(name, number) }
  }

  private func settle(_ name: String, _ number: UInt64) {
    guard let staged = state.withLock({ $0.staged[name] }), staged.number == number else { return }
    if let blob = staged.blob {
      attempt { store throws(LoadingError) in try store.write(blob, for: name) }
    } else {
      attempt { store throws(LoadingError) in try store.remove(name) }
    }
    state.withLock { state in
      guard state.staged[name]?.number == number else { return }
      state.staged[name] = nil
      state.stagedBytes -= staged.blob?.count ?? 0
    }
  }

  private func clear() {
    attempt { store throws(LoadingError) in try store.removeAll() }
    state.withLock { $0.clearings -= 1 }
  }

  // MARK: - The store

  /// Does something with the store, which is opened for it where it isn't yet; nil where that fails. Blocks on the
  /// disk.
  @discardableResult
  private func attempt<Value>(_ work: (BlobStore) throws(LoadingError) -> Value) -> Value? {
    do throws(LoadingError) {
      let value = try work(try openStore())
      state.withLock { $0.hasFailed = false }
      return value
    } catch {
      // Too large is the blob's fault and not the disk's.
      let isNews = state.withLock { state in
        if error.code == .valueTooLarge { return false }
        defer { state.hasFailed = true }
        return !state.hasFailed
      }
      if isNews { failed(error) }
      return nil
    }
  }

  private func openStore() throws(LoadingError) -> BlobStore {
    try opening.withLock { (_) throws(LoadingError) in
      if let store = state.withLock({ $0.store }) { return store }
      let store = try BlobStore(at: folder.url, config: BlobStoreConfig(maxBytes: maxBytes))
      folder.removeEarlierVersions()
      state.withLock { $0.store = store }
      return store
    }
  }

  /// What this cache has done; a look at what is staged counts too.
  var statistics: CacheStatistics {
    let (state, store) = state.withLock { ($0, $0.store) }
    var figures = store?.statistics ?? CacheStatistics()
    figures.hits = state.hits
    figures.misses = state.misses
    figures.refusals += state.refusals
    return figures
  }
}
