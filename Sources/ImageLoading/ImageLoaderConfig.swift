public import Foundation
public import ImageCodecs

/// How a loader works; the defaults suit most apps.
public struct ImageLoaderConfig: Sendable {
  /// Which files the disk cache holds; more choices may come.
  public struct DiskContent: Hashable, Sendable {
    private let rawValue: Int

    /// What came from the network, as it came.
    public static let originals = DiskContent(rawValue: 0)
    /// Pictures as they were asked for, decoded: larger files that cost no decoding. Originals aren't kept.
    public static let processed = DiskContent(rawValue: 1)
    /// Both.
    public static let all = DiskContent(rawValue: 2)
  }

  /// Bytes of decoded pictures in memory, at most; default the smaller of 256 MiB and 15 % of the device's memory. 0
  /// keeps none.
  public var maxMemoryBytes: Int = ImageLoaderConfig.defaultMaxMemoryBytes
  /// The share of that which one picture may take; default an eighth. A larger one is shown and not kept.
  public var maxMemoryShareOfEntry: Double = 0.125
  /// How long a decoded picture is kept; default nil: as long as there is room.
  public var memoryLifetime: Duration?
  /// Shares of the memory by ``ImageRequest/surface``; a surface that exceeds its share evicts its own. Default none:
  /// all share all.
  public var surfaceShares: [String: Double] = [:]

  /// Where files are kept; default a folder in the user's caches, see ``defaultDiskFolder``. With nil nothing is.
  public var diskFolder: URL? = ImageLoaderConfig.defaultDiskFolder
  /// Bytes on disk, at most; default 150 MiB.
  public var maxDiskBytes: Int = 150 << 20
  /// Which files those are; default ``DiskContent/originals``.
  public var diskContent: DiskContent = .originals

  /// What decoders refuse.
  public var limits: ImageLimits = .init()
  /// Bytes of one answer, at most; default the smaller of 200 MiB and a tenth of the device's memory. A longer one is
  /// given up as soon as that shows.
  public var maxResponseBytes: Int = ImageLoaderConfig.defaultMaxResponseBytes

  /// Transfers at the same time; default 6.
  public var maxConcurrentFetches: Int = 6
  /// Of these to one host; default 4.
  public var maxConcurrentFetchesPerHost: Int = 4
  /// Of these only for what is at least of medium priority, so that what is fetched ahead never holds up what is on
  /// screen; default 3. One of them serves only hosts that nothing runs for, so that a dead host doesn't either.
  public var reservedFetches: Int = 3
  /// Files read at the same time; default 2.
  public var maxConcurrentDiskReads: Int = 2
  /// Pictures decoded or transformed at the same time; default one less than the processors, at least 1.
  public var maxConcurrentDecodes: Int = max(1, ProcessInfo.processInfo.activeProcessorCount - 1)
  /// Transfers that begin in a second, on average; default 80, so that a fling past a thousand rows asks for few of
  /// them. Nil: no bound.
  public var maxFetchesPerSecond: Int? = 80
  /// Transfers that may begin at once before that counts; default 100: a screen of rows, and those ahead of it, come as
  /// fast as they can.
  public var fetchBurst: Int = 100

  /// When a transfer that failed is tried again; default three attempts, for failures that pass by themselves.
  /// `Retry-After` is kept to.
  public var maxAttempts: Int = 3
  /// How long a 404 or 410, and bytes that no decoder takes, are remembered and not asked for again; default five
  /// minutes. Being offline is never remembered.
  public var failureLifetime: Duration = .seconds(300)
  /// How much time lies between two previews of one picture, at least; default half a second.
  public var previewInterval: Duration = .milliseconds(500)
  /// Makes the bytes of ``ImageSource/custom(_:)`` from their ID; default nil: such sources fail. Called off the main
  /// thread.
  public var customLoader: (@Sendable (_ id: String) async throws -> Data)?

  /// The defaults.
  public init() {}

  /// A folder `swift-paging-images` in the user's caches; nil where the system names none.
  public static var defaultDiskFolder: URL? {
    FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
      .appendingPathComponent("swift-paging-images", isDirectory: true)
  }

  private static var defaultMaxMemoryBytes: Int { min(256 << 20, memory(share: 0.15)) }
  private static var defaultMaxResponseBytes: Int { min(200 << 20, memory(share: 0.1)) }

  private static func memory(share: Double) -> Int {
    Int(Double(min(ProcessInfo.processInfo.physicalMemory, 1 << 50)) * share)
  }

  /// What is wrong with the values, naming them, or nil.
  var problem: String? {
    if maxMemoryBytes < 0 { return "maxMemoryBytes is \(maxMemoryBytes); give 0 or more" }
    if !(0...1).contains(maxMemoryShareOfEntry) {
      return "maxMemoryShareOfEntry is \(maxMemoryShareOfEntry); give a share from 0 to 1"
    }
    for (surface, share) in surfaceShares where !(0...1).contains(share) {
      return "the share of surface '\(surface)' is \(share); give a share from 0 to 1"
    }
    if maxDiskBytes < 0 { return "maxDiskBytes is \(maxDiskBytes); give 0 or more" }
    if maxResponseBytes < 1 { return "maxResponseBytes is \(maxResponseBytes); give 1 or more" }
    for (name, value) in [
      ("maxConcurrentFetches", maxConcurrentFetches), ("maxConcurrentFetchesPerHost", maxConcurrentFetchesPerHost),
      ("maxConcurrentDiskReads", maxConcurrentDiskReads), ("maxConcurrentDecodes", maxConcurrentDecodes),
      ("fetchBurst", fetchBurst), ("maxAttempts", maxAttempts), ("maxFetchesPerSecond", maxFetchesPerSecond ?? 1),
    ] where value < 1 {
      return "\(name) is \(value); give 1 or more"
    }
    if reservedFetches < 0 || reservedFetches >= maxConcurrentFetches {
      return
        "reservedFetches is \(reservedFetches) and maxConcurrentFetches \(maxConcurrentFetches); "
        + "give 0 or more, and fewer than those"
    }
    if let memoryLifetime, memoryLifetime <= .zero {
      return "memoryLifetime is \(memoryLifetime); give more than zero, or nil"
    }
    if failureLifetime < .zero { return "failureLifetime is \(failureLifetime); give zero or more" }
    if previewInterval < .zero { return "previewInterval is \(previewInterval); give zero or more" }
    return nil
  }
}
