public import ImageCodecs

/// What a load tells on its way.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ImageUpdate: Sendable {
  /// Bytes have come.
  case progress(ImageProgress)
  /// A picture to show meanwhile: a thumbnail, or the scans so far.
  case preview(DecodedImage)
  /// The picture; the last update.
  case image(ImageResponse)
}

/// How far a download has come.
public struct ImageProgress: Hashable, Sendable {
  /// Bytes that are there, those of an earlier attempt that is continued included.
  public var receivedBytes: Int
  /// Bytes of the whole; nil where the server doesn't say. Never less than ``receivedBytes``.
  public var totalBytes: Int?

  /// Progress of those figures.
  public init(receivedBytes: Int = 0, totalBytes: Int? = nil) {
    self.receivedBytes = receivedBytes
    self.totalBytes = totalBytes.map { max($0, receivedBytes) }
  }
}
