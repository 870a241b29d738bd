/// Ends a decode that was cancelled, or that takes longer than it may; asked once a band of rows.
struct DecodeWatch {
  private let deadline: ContinuousClock.Instant
  private let maxTime: Duration

  /// Starts to count.
  init(_ limits: ImageLimits) {
    maxTime = limits.maxTime
    // Sums stay within what an instant can hold.
    deadline = .now + min(max(.zero, limits.maxTime), .seconds(1 << 32))
  }

  /// - Throws: ``ImageCodecError/Code/cancelled`` or ``ImageCodecError/Code/limit``.
  func check() throws(ImageCodecError) {
    if Task.isCancelled {
      throw ImageCodecError(.cancelled, message: "the task was cancelled while it decoded a picture")
    }
    if ContinuousClock.now >= deadline {
      throw ImageCodecError(
        .limit, message: "decoding took longer than maxTime (\(maxTime)); the file may be made to take long")
    }
  }
}
