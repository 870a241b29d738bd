/// Changes requests on their way, and what is done for them: other URLs for other sizes, headers, tokens that are
/// fetched anew.
///
/// Interceptors of a loader are asked in their order. Callable from any thread, any number of times at once.
public protocol ImageInterceptor: Sendable {
  /// The request as it is to be; by default as it is.
  ///
  /// Called before anything else, looks into memory included, with each request; so it must be quick. What alters which
  /// picture it is belongs here: keys are made of what comes out.
  func prepare(_ request: ImageRequest) -> ImageRequest

  /// The picture of a request that isn't in memory; by default what `next` gives.
  ///
  /// Call `next` with the request, changed where needed, as often as needed, or not at all and answer in its place.
  /// Looks into memory that can't wait know only the request as ``prepare(_:)`` left it: where this one adds an
  /// `Authorization`, give the request an ``ImageRequest/authorizationScope`` there, or such looks miss. Where nothing
  /// but bytes is wanted, by a prefetch onto the disk or for the frames of an animation, the image that `next` gives is
  /// one transparent pixel.
  ///
  /// - Parameters:
  ///   - request: As the interceptors before left it.
  ///   - next: The rest of the way: other interceptors, running work, disk, network, decoder. Throws ``ImageError``, or
  ///     `CancellationError` when the load was cancelled.
  /// - Throws: What it throws fails the load; errors that aren't ``ImageError`` are wrapped in one of the code
  ///   ``ImageError/Code/source``.
  func intercept(
    _ request: ImageRequest, next: @escaping @Sendable (ImageRequest) async throws -> ImageResponse
  ) async throws -> ImageResponse
}

extension ImageInterceptor {
  /// The request as it is.
  public func prepare(_ request: ImageRequest) -> ImageRequest { request }

  /// What comes after it.
  public func intercept(
    _ request: ImageRequest, next: @escaping @Sendable (ImageRequest) async throws -> ImageResponse
  ) async throws -> ImageResponse {
    try await next(request)
  }
}
