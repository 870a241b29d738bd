import ImageCodecs

/// What a load tells whoever started it.
enum ImageLoadStep: Sendable {
  case progress(ImageProgress)
  /// A thumbnail, or the scans so far.
  case preview(DecodedImage)
  /// The load is over; nothing follows. Nil where it was to go onto the disk only.
  case finished(Result<ImageResponse?, any Error>)
}
