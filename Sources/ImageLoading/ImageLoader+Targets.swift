extension ImageLoader: ImageProviding {
  /// Shows a picture in a target and ends what the target waited for before, in the same turn.
  ///
  /// What memory has is shown in this turn, without a placeholder. Else the target is shown the placeholder, previews
  /// where the request asks for them, and at last the picture or why it didn't come. A bind of what is bound already,
  /// at whatever priority, keeps the load and its picture, which is shown once more; where the load failed or was
  /// cancelled, or is to be taken from the source each time, it begins anew.
  ///
  /// - Parameters:
  ///   - request: What to show; nil clears the target.
  ///   - target: Held weakly; when it goes, its load ends.
  /// - Returns: The load. Letting go of it ends nothing.
  @MainActor @discardableResult
  public func load(_ request: ImageRequest?, into target: any ImageTarget) -> ImageTask {
    // Once for both looks; whether a bind is the same as the one before is told by what was given.
    let prepared = request.map { self.prepared($0) }
    return ImageBinder.bind(request, to: target, cached: { remembered(prepared ?? $0) }) { request, task, deliver in
      pipeline.start(prepared ?? request, ticket: task.ticket) { step in
        switch step {
        case .progress(let progress): deliver(.success(.progress(progress)))
        case .preview(let image): deliver(.success(.preview(image)))
        case .finished(.success(let response?)): deliver(.success(.image(response)))
        case .finished(.success(nil)): deliver(.failure(CancellationError()))
        case .finished(.failure(let error)): deliver(.failure(error))
        }
      }
    }
  }
}
