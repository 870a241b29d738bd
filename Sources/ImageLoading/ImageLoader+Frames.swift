public import ImageCodecs
import Loading

extension ImageLoader {
  /// The frames of an animation, composed one at a time; nil for a still picture.
  ///
  /// The bytes come as for any other load, and are shared with loads of the same source; transforms, previews and
  /// memory have no part in it. Each call gives frames of its own.
  ///
  /// - Throws: ``ImageError``, `CancellationError`; therefore untyped.
  public func frames(for request: ImageRequest) async throws -> (any ImageFrames)? {
    try Task.checkCancellation()
    let request = prepared(request)
    let cell = OneResult<LoadOutcome>()
    let ticket = LoadTicket(priority: request.priority)
    let order = LoadOrder(
      pipeline: pipeline, request: request, purpose: .bytes, writesMemory: false, ticket: ticket)
    let load = PipelineLoad(order) { news in
      if case .ended(let result) = news { cell.finish(result) }
    }
    load.begin()
    let outcome = try await withTaskCancellationHandler {
      try await cell.value()
    } onCancel: {
      load.cancel()
      cell.finish(.failure(CancellationError()))
    }
    guard case .bytes(let bytes?) = outcome else { return nil }
    return try await pipeline.frames(of: bytes.bytes, request, ticket)
  }
}

extension ImagePipeline {
  fileprivate func frames(
    of bytes: [UInt8], _ request: ImageRequest, _ ticket: LoadTicket
  ) async throws -> (any ImageFrames)? {
    try await lane.run(ticket) { [self] in
      do throws(ImageCodecError) {
        return try decoders.frames(of: bytes, options(for: request))
      } catch {
        try Task.checkCancellation()
        throw Self.imageError(error)
      }
    }
  }
}
