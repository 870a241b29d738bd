/// What a request may take from caches, and leave in them.
public struct ImageCachePolicy: Hashable, Sendable {
  /// Whether decoded pictures in memory are looked at; default true.
  public var readsMemory: Bool
  /// Whether the decoded picture is kept in memory; default true.
  public var writesMemory: Bool
  /// Whether files on disk are looked at; default true.
  public var readsDisk: Bool
  /// Whether what comes is kept on disk; default true. `no-store` keeps it from there in any case.
  public var writesDisk: Bool
  /// Whether the network may be asked; default true.
  public var usesNetwork: Bool
  /// Whether a stored answer that is no longer fresh is shown at once while it is asked whether it still holds; default
  /// false: only as far as the server allows by `stale-while-revalidate`.
  public var showsStaleWhileRevalidating: Bool
  /// Whether a stored answer is shown when the server can't be reached or fails; default true. A server's
  /// `must-revalidate` forbids it.
  public var showsStaleOnError: Bool

  private init(readsCaches: Bool, usesNetwork: Bool) {
    readsMemory = readsCaches
    writesMemory = true
    readsDisk = readsCaches
    writesDisk = true
    self.usesNetwork = usesNetwork
    showsStaleWhileRevalidating = false
    showsStaleOnError = true
  }

  /// Memory, then disk while it is fresh, then the network.
  public static var automatic: ImageCachePolicy { ImageCachePolicy(readsCaches: true, usesNetwork: true) }

  /// The network, whatever is stored; what comes replaces it.
  public static var reload: ImageCachePolicy { ImageCachePolicy(readsCaches: false, usesNetwork: true) }

  /// Memory, then disk however old; ``ImageError/Code/notCached`` where neither has it, and where what the disk has is
  /// out of date and its server forbids to show it then (`must-revalidate`, `no-cache`).
  public static var onlyCached: ImageCachePolicy { ImageCachePolicy(readsCaches: true, usesNetwork: false) }
}
