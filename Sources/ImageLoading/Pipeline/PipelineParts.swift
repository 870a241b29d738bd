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
  var bytesHeld: Int { get }
  var peakBytesHeld: Int { get }
  func statistics(surface: String?) -> CacheStatistics
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
  func removeAll()
  var diskStatistics: CacheStatistics { get }
  /// A decoded picture that is on disk.
  func storedPixels(for key: ImageKey) async -> DecodedImage?
  func store(_ image: DecodedImage, for key: ImageKey) async
}
