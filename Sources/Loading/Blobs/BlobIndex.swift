/// What a store knows of its folder: which blobs there are, how large, and who leaves next. Pure: no disk, no clock.
///
/// Times are durations since 1970, as the disk's are, so that times to live go on over restarts. What the index says
/// has to leave is for the shell to delete; that it may be gone already, by another process, is nothing the index
/// minds.
struct BlobIndex {
  /// A blob's file as a listing tells of it.
  struct Listed {
    /// The most that a file counts for: a damaged one may claim any length, and lengths are added up.
    static let mostBytes = 1 << 40

    let name: BlobName
    let bytes: Int
    /// When it was written, since 1970.
    let written: Duration
    /// When it was used last, since 1970.
    let used: Duration

    init(name: BlobName, bytes: Int, written: Duration, used: Duration) {
      self.name = name
      self.bytes = min(bytes, Self.mostBytes)
      self.written = written
      self.used = used
    }
  }

  /// What a look at one name says.
  enum Use: Equatable {
    /// A blob of that many bytes.
    case known(bytes: Int)
    /// None that is known of; another process may have written one.
    case unknown
    /// One whose time is over; its file has to go.
    case expired
  }

  private let policy: EvictionPolicy<BlobName>
  private var blobs: CacheState<BlobName, Int>
  private(set) var statistics = CacheStatistics()
  /// Blobs that were found to be damaged.
  private(set) var damaged = 0

  init(policy: EvictionPolicy<BlobName>) {
    self.policy = policy
    blobs = CacheState(policy: policy)
  }

  /// What all known blobs measure, in bytes.
  var byteCount: Int { blobs.cost }
  var count: Int { blobs.count }

  // MARK: - Opening

  /// Starts anew with what a listing told of.
  ///
  /// - Returns: What has to leave: what is above the cap or the policy's limits.
  mutating func restore(_ listed: [Listed], cap: Int, now: Duration) -> [BlobName] {
    blobs = CacheState(policy: policy)
    let order: any KeyPath<Listed, Duration> & Sendable = ordersByArrival ? \.written : \.used
    var removed = Departed<BlobName, Int>()
    var leaving: [BlobName] = []
    for blob in listed.sorted(by: { $0[keyPath: order] < $1[keyPath: order] }) {
      let isIn = blobs.insert(
        blob.bytes, forKey: blob.name, cost: blob.bytes, lifetime: lifetime(written: blob.written, now: now),
        now: { now },
        removed: &removed)
      if !isIn { leaving.append(blob.name) }
    }
    blobs.trim(toCost: cap, now: { now }, removed: &removed)
    leaving += removed.names
    statistics.evictions += leaving.count
    return leaving
  }

  private var ordersByArrival: Bool {
    switch policy.order {
    case .fifo, .lifo: true
    case .lru, .custom, nil: false
    }
  }

  /// What is left of a time to live; nil where there is none.
  private func lifetime(written: Duration, now: Duration) -> Duration? {
    policy.lifetime.map { $0 - max(.zero, now - written) }
  }

  // MARK: - Reading

  /// A read begins: the name counts as used, and as found where it is known.
  mutating func use(_ name: BlobName, now: Duration) -> Use {
    var expired = Departed<BlobName, Int>()
    if let bytes = blobs.value(forKey: name, now: { now }, removed: &expired) {
      statistics.hits += 1
      return .known(bytes: bytes)
    }
    statistics.misses += 1
    guard expired.first != nil else { return .unknown }
    statistics.evictions += 1
    return .expired
  }

  /// What a name was thought to be, and turned out not to be.
  mutating func correct(toHit isHit: Bool) {
    statistics.hits += isHit ? 1 : -1
    statistics.misses += isHit ? -1 : 1
  }

  mutating func noteDamage() { damaged += 1 }

  // MARK: - Changing

  /// Why a blob of that size can't be taken in; nil where it can.
  mutating func refusal(bytes: Int?, cap: Int) -> String? {
    let most = min(cap, policy.maxCost ?? .max)
    let reason: String? =
      if bytes ?? .max > most {
        "a value with its key and tail of \(bytes.map(String.init) ?? "too many") bytes is above the cap of \(most)"
      } else if policy.maxCount == 0 || policy.lifetime ?? .seconds(1) <= .zero {
        "the eviction policy lets nothing stay"
      } else {
        nil
      }
    if reason != nil { statistics.refusals += 1 }
    return reason
  }

  /// A blob is about to be put in place, in place of an earlier one of its name.
  ///
  /// - Returns: What has to leave before, for the cap to hold when it is there; the name itself where it is refused.
  mutating func place(_ name: BlobName, bytes: Int, cap: Int, written: Duration, now: Duration) -> [BlobName] {
    remove(name)
    guard bytes <= cap else { return [name] }
    var removed = Departed<BlobName, Int>()
    blobs.trim(toCost: cap - bytes, now: { now }, removed: &removed)
    let isIn = blobs.insert(
      bytes, forKey: name, cost: bytes, lifetime: lifetime(written: written, now: now),
      now: { now }, removed: &removed)
    statistics.insertions += isIn ? 1 : 0
    statistics.evictions += removed.names.count
    return removed.names + (isIn ? [] : [name])
  }

  mutating func remove(_ name: BlobName) {
    var removed = Departed<BlobName, Int>()
    blobs.removeValue(forKey: name, removed: &removed)
  }

  mutating func removeAll() { _ = blobs.removeAll() }
}

extension Departed where Key == BlobName {
  fileprivate var names: [BlobName] { (first.map { [$0.key] } ?? []) + others.map(\.key) }
}
