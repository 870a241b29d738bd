public import Loading

/// What a loader, or one surface of it, has done so far.
public struct ImageStatistics: Hashable, Sendable {
  /// Looks into memory.
  public var memory = CacheStatistics()
  /// Looks onto the disk.
  public var disk = CacheStatistics()
  /// Requests that were sent, those answered by 304 included.
  public var fetches = 0
  /// Answers of 304, which kept the bytes that were there.
  public var revalidations = 0
  /// Bytes that came over the network.
  public var bytesDownloaded = 0
  /// Pictures that were decoded, previews included.
  public var decodes = 0
  /// The time that took, summed.
  public var decodeTime: Duration = .zero
  /// Loads that were asked for.
  public var loads = 0
  /// Those that were cancelled before they had a picture.
  public var cancelled = 0
  /// Those that failed.
  public var failed = 0
  /// Bytes of decoded pictures in memory now.
  public var bytesHeld = 0
  /// The most that were there at once.
  public var peakBytesHeld = 0
  /// From asking to the first picture that was not a placeholder, summed over the loads that had one and were not in
  /// memory.
  public var timeToFirstPixel: Duration = .zero

  /// Nothing done yet.
  public init() {}
}
