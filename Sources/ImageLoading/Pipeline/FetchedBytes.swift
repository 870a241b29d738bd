/// The bytes of a picture.
struct FetchedBytes: Sendable {
  let bytes: [UInt8]
  let origin: ImageResponse.Origin
  /// Whether the disk may keep what is made of them.
  var isStorable = true
}

/// Bytes that have come so far.
struct ArrivedBytes: Sendable {
  let progress: ImageProgress
  /// A copy of them all.
  let copy: @Sendable () -> [UInt8]
}
