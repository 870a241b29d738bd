public import Loading

/// How a paginator works: how much at once, what it keeps, what it does when pages are old or loads fail.
///
/// What the disk keeps is the store's own word; see `BlobStoreConfig`.
public struct PaginatorConfig: Sendable {
  /// Loads that run at the same time, at most; values below 1 count as 1.
  public var maxConcurrent: Int = 4
  /// What memory keeps. A page costs as many as it has rows, at least 1.
  public var memory: EvictionPolicy<PaginatorRequest> = .lru + .maxCount(500)
  /// When a failed load is tried again by itself; by default never.
  public var retry: RetryPolicy = .none
  /// A load starts only when its page has been wanted that long: what is cancelled sooner, as in a fling, never reaches
  /// the source. Nil: at once.
  public var debounce: Duration?
  /// Two loads of one page start at least that far apart, whether they fail, expire or are asked for; nil: no distance.
  public var throttle: Duration?
  /// Whether a page that is past its time stands in, marked, when the source fails.
  public var servesStaleOnFailure: Bool = false
  /// Whether a page that is past its time is delivered at once, marked, while the fresh one is loaded.
  public var revalidatesWhileStale: Bool = false
  /// The longest key that is not refused, in UTF-8 bytes.
  public var maxKeyLength: Int = 16_384
  /// What tells pages of one key and size apart, such as the signed-in user; by default nothing does.
  ///
  /// Must say the same of the same request as long as that page is to be found.
  public var cacheIdentity: @Sendable (PaginatorRequest) -> String = { _ in "" }

  /// The defaults.
  public init() {}
}
