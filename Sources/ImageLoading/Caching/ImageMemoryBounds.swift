/// How much the memory of a loader holds, and how long.
struct ImageMemoryBounds {
  /// Bytes of all pictures.
  let bytes: Int
  /// Bytes of one picture.
  let entryBytes: Int
  let lifetime: Duration?
  private let shares: [String: Double]
  private let shareOfEntry: Double

  init(_ config: ImageLoaderConfig) {
    self.init(
      bytes: config.maxMemoryBytes, shareOfEntry: config.maxMemoryShareOfEntry, lifetime: config.memoryLifetime,
      shares: config.surfaceShares)
  }

  private init(bytes: Int, shareOfEntry: Double, lifetime: Duration?, shares: [String: Double]) {
    self.bytes = max(0, bytes)
    self.lifetime = lifetime
    self.shareOfEntry = shareOfEntry
    self.shares = shares
    entryBytes = Self.part(shareOfEntry, of: self.bytes)
  }

  /// The same with another number of bytes.
  func resized(to bytes: Int) -> ImageMemoryBounds {
    ImageMemoryBounds(bytes: bytes, shareOfEntry: shareOfEntry, lifetime: lifetime, shares: shares)
  }

  /// The surfaces that have a share, in order.
  var sharedSurfaces: [String] { shares.keys.sorted() }

  /// Bytes of all pictures of a surface; nil where it shares with all.
  func share(of surface: String) -> Int? {
    shares.isEmpty ? nil : shares[surface].map { Self.part($0, of: bytes) }
  }

  /// A share of some bytes; one that is no number between 0 and 1 counts as the nearer of both.
  static func part(_ share: Double, of bytes: Int) -> Int {
    share >= 1 ? bytes : share > 0 ? min(bytes, Int(Double(bytes) * share)) : 0
  }
}
