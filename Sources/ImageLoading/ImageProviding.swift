public import ImageCodecs

/// What screens depend on: `ImageLoader` is the one that ships, `FakeImageLoader` of `ImageTesting` is for tests.
public protocol ImageProviding: Sendable {
  /// The picture of a request.
  ///
  /// - Throws: ``ImageError``; `CancellationError` when the task was cancelled.
  func image(for request: ImageRequest) async throws -> ImageResponse

  /// The picture if it is in memory: one look, no work.
  func cachedImage(for request: ImageRequest) -> DecodedImage?

  /// Shows a picture in a target and ends what the target waited for before, in the same turn.
  ///
  /// - Parameters:
  ///   - request: What to show; nil clears the target.
  ///   - target: Held weakly; when it goes, its load ends.
  @MainActor @discardableResult func load(_ request: ImageRequest?, into target: any ImageTarget) -> ImageTask

  /// Loads what will be wanted soon, at low priority.
  ///
  /// - Returns: What ends it; so does letting go of it.
  func prefetch(_ requests: [ImageRequest], to destination: PrefetchDestination) -> PrefetchHandle
}

extension ImageProviding {
  /// Loads into memory what will be wanted soon, at low priority.
  ///
  /// - Returns: What ends it; so does letting go of it.
  public func prefetch(_ requests: [ImageRequest]) -> PrefetchHandle { prefetch(requests, to: .memory) }
}

/// How far ahead of its use a picture is brought.
public struct PrefetchDestination: Hashable, Sendable {
  private let rawValue: Int

  /// Decoded, into memory: for what is wanted next.
  public static let memory = PrefetchDestination(rawValue: 0)
  /// Its bytes, onto the disk: for what is wanted later; nothing is decoded.
  public static let disk = PrefetchDestination(rawValue: 1)
}

/// Ends a prefetch; so does letting go of it. Loads that others have joined meanwhile go on.
public final class PrefetchHandle: Sendable {
  private let onCancel: @Sendable () -> Void

  /// A handle that calls `onCancel` when it is cancelled and when it goes, so perhaps twice, from any thread.
  public init(onCancel: @escaping @Sendable () -> Void = {}) { self.onCancel = onCancel }

  deinit { onCancel() }

  /// Ends what is not done yet.
  public func cancel() { onCancel() }
}
