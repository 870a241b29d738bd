import ImageCodecs
import Loading

/// What the pipeline needs of memory.
protocol PictureKeeping: Sendable {
  /// A stage's result, without counting the look.
  func peek(_ key: ImageKey) -> DecodedImage?
  /// Keeps the picture that a request asked for.
  func insert(_ image: DecodedImage, for request: ImageRequest, keys: ImageKeys)
  /// Drops whatever was made of those bytes.
  func remove(bytes: ImageKey)

  /// The picture of a request; counts as a hit or a miss.
  func image(for request: ImageRequest, keys: ImageKeys) -> DecodedImage?
  func trim(to pressure: MemoryPressure) -> Int
  func removeAll()
  /// What was done for a surface, or with nil for all, and the bytes that it holds and held at most.
  func figures(surface: String?) -> (statistics: CacheStatistics, bytesHeld: Int, peakBytesHeld: Int)
}

/// What the pipeline needs of disk and network.
protocol ByteFetching: Sendable {
  /// The bytes of a request; see `ImageFetcher`.
  ///
  /// - Parameter arrived: Called as bytes come, on any thread, one call after the other.
  /// - Throws: ``ImageError``, `CancellationError`.
  func bytes(
    for request: ImageRequest, key: ImageKey, ticket: LoadTicket, arrived: @escaping @Sendable (ArrivedBytes) -> Void
  ) async throws -> FetchedBytes
  /// Nothing that is on disk for those bytes is used again.
  func forget(_ key: ImageKey)
  /// Nor what was made of them.
  func forget(_ keys: ImageKeys)
  func removeAll()
  var diskStatistics: CacheStatistics { get }
  /// A picture as it was asked for, where the disk has it.
  func storedPixels(for request: ImageRequest, keys: ImageKeys, ticket: LoadTicket) async throws -> DecodedImage?
  /// Keeps a picture as it was asked for, made of bytes of which only the head counts.
  func store(_ image: DecodedImage, for request: ImageRequest, keys: ImageKeys, from bytes: FetchedBytes)
  /// Whether nothing starts for now.
  func suspend(_ isSuspended: Bool)
  /// Ends what goes on behind loads that have ended.
  func close()
}
