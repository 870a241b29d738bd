import Loading

/// What a load is to bring and how: the same for all that works on it, but for the request, which interceptors change.
struct LoadOrder: Sendable {
  let pipeline: ImagePipeline
  var request: ImageRequest
  let purpose: PipelineJob.Purpose
  /// Whether the picture may be put into memory.
  let writesMemory: Bool
  let ticket: LoadTicket

  /// The same for another request.
  func asking(_ request: ImageRequest) -> LoadOrder {
    var order = self
    order.request = request
    return order
  }
}
