/// What a decoder refuses before it allocates anything, so that no file can use up a device's memory or time.
public struct ImageLimits: Hashable, Sendable {
  /// Pixels of the picture in the file, width times height; default 100 million.
  public var maxSourcePixels: Int
  /// The longer side of the picture in the file, in pixels; default 65,535.
  public var maxSide: Int
  /// Pixels of what comes out; default 25 million. Holds for ``DecodeTarget/original`` too: a picture that is larger is
  /// refused and never silently made smaller.
  public var maxOutputPixels: Int
  /// Scans of a progressive JPEG, each of which costs a pass over the picture; default 100.
  public var maxScans: Int
  /// Bytes that composing an animation may hold at once: its canvas, four bytes a pixel of the file, and the rectangle
  /// that a frame gives back when its time is over; default 16 MiB, a canvas of 2,048 by 2,048.
  ///
  /// An animation that needs more is refused with ``ImageCodecError/Code/limit`` when its frames are asked for, however
  /// small the target: frames can be made smaller only after they are composed. Its still picture is decoded all the
  /// same.
  public var maxFrameBytes: Int
  /// How long one picture may take, or one frame of an animation; default 10 seconds. Looked at each band of rows.
  public var maxTime: Duration

  /// Limits of those values; none that is zero or less lets anything through.
  public init(
    maxSourcePixels: Int = 100_000_000, maxSide: Int = 65_535, maxOutputPixels: Int = 25_000_000, maxScans: Int = 100,
    maxFrameBytes: Int = 16 << 20, maxTime: Duration = .seconds(10)
  ) {
    self.maxSourcePixels = maxSourcePixels
    self.maxSide = maxSide
    self.maxOutputPixels = maxOutputPixels
    self.maxScans = maxScans
    self.maxFrameBytes = maxFrameBytes
    self.maxTime = maxTime
  }
}
