/// How much a ``BlobStore`` may hold, and what leaves first.
public struct BlobStoreConfig: Sendable {
  /// The most that all blobs may measure together, in bytes: values, keys and 32 bytes for each.
  public var maxBytes: Int
  /// Where the cap follows the disk: this part of the volume's free space, from 0 to 1, the store's own bytes counted
  /// as free; nil: the cap is ``maxBytes``. The cap is looked up at each write and lies between ``minBytes`` and
  /// ``maxBytes``.
  public var freeSpaceShare: Double?
  /// The least that the cap falls to when it follows the disk, in bytes.
  public var minBytes: Int
  /// What leaves first, and what may not stay; its own limits hold beside the cap. Times to live are counted from the
  /// write, and go on while no store is open.
  public var policy: EvictionPolicy<BlobName>
  /// How old the use time on a blob's file may be before a read brings it up to date.
  package var useTimeResolution: Duration = .seconds(60)

  /// A configuration; by default 150 MiB, of which the blob that was used longest ago leaves first.
  public init(
    maxBytes: Int = 150 << 20, freeSpaceShare: Double? = nil, minBytes: Int = 0,
    policy: EvictionPolicy<BlobName> = .lru
  ) {
    self.maxBytes = maxBytes
    self.freeSpaceShare = freeSpaceShare
    self.minBytes = minBytes
    self.policy = policy
  }

  /// The cap in bytes.
  ///
  /// - Parameters:
  ///   - free: The volume's free bytes; nil where they are not known: then the cap is the smaller bound.
  ///   - held: What the store holds.
  func cap(free: Int?, held: Int) -> Int {
    guard let freeSpaceShare else { return maxBytes }
    guard let free else { return minBytes }
    let part = freeSpaceShare * (Double(max(0, free)) + Double(max(0, held)))
    guard part < Double(maxBytes) else { return maxBytes }
    return max(minBytes, Int(part))
  }

  func validate() throws(LoadingError) {
    func refuse(_ message: String) -> LoadingError { LoadingError(.invalidConfig, message: message) }
    guard maxBytes > 0 else { throw refuse("maxBytes is \(maxBytes); it must be above zero") }
    guard (0...maxBytes).contains(minBytes) else {
      throw refuse("minBytes is \(minBytes); it must lie between zero and maxBytes, which is \(maxBytes)")
    }
    if let freeSpaceShare, !(0...1).contains(freeSpaceShare) {
      throw refuse("freeSpaceShare is \(freeSpaceShare); it must lie between 0 and 1")
    }
  }
}
