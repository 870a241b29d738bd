package import ImageCodecs

/// Binds targets for whoever loads: the loader that ships and its double.
@MainActor package enum ImageBinder {
  /// Starts a load; what it delivers may come from any thread, the last one is a picture or a failure.
  ///
  /// - Returns: What ends it; called at most once, from any thread.
  package typealias Start = (
    _ request: ImageRequest, _ task: ImageTask, _ deliver: @escaping @Sendable (Result<ImageUpdate, any Error>) -> Void
  ) -> @Sendable () -> Void

  /// Shows a picture in a target and ends what the target waited for before, in the same turn.
  ///
  /// What is in memory is shown in this turn, without a placeholder. A bind of what is bound already, be it at another
  /// priority, keeps the load and its picture; where the load failed or was cancelled, it begins anew. Nothing is
  /// called under a lock.
  ///
  /// - Parameters:
  ///   - request: What to show; nil clears the target.
  ///   - target: Held weakly; when it goes, its load ends.
  ///   - cached: Looks into memory.
  ///   - start: Starts the load.
  package static func bind(
    _ request: ImageRequest?, to target: any ImageTarget, cached: (ImageRequest) -> DecodedImage?, start: Start
  ) -> ImageTask {
    // One that was copied from another target's binding is that target's.
    let earlier = target.imageBinding.token.flatMap { $0.isFor(target) ? $0 : nil }
    guard let request else {
      target.imageBinding.token = nil
      earlier?.task.cancel()
      target.show(ImageContent(stage: .empty))
      return over()
    }
    if let earlier, earlier.request.isSame(as: request), resume(earlier, request, target) {
      return earlier.task
    }
    // Nothing more is shown from here on; the earlier load ends when the new one has begun, so that what both need goes
    // on.
    let endEarlier = earlier?.task.finish()
    defer { endEarlier?() }
    return begin(request, target, cached, start)
  }

  /// - Returns: Whether what is bound already will do.
  private static func resume(
    _ earlier: ImageBindingToken, _ request: ImageRequest, _ target: any ImageTarget
  ) -> Bool {
    if !earlier.task.isOver {
      earlier.task.priority = request.priority
      return true
    }
    guard request.cachePolicy.readsMemory, let image = earlier.finishedImage else { return false }
    // Shown again, for targets that are cleared by hand before they are used again.
    target.show(ImageContent(stage: .image, image: image, origin: .memory))
    return true
  }

  private static func begin(
    _ request: ImageRequest, _ target: any ImageTarget, _ cached: (ImageRequest) -> DecodedImage?, _ start: Start
  ) -> ImageTask {
    let mailbox = BindingMailbox()
    let task = ImageTask(priority: request.priority) { mailbox.close() }
    let image = cached(request)
    let token = ImageBindingToken(
      target: target, request: request, task: task,
      placeholder: image == nil ? request.placeholder?.drawn(for: request.target) : nil)
    mailbox.address(to: token)
    target.imageBinding.token = token
    if let image {
      token.end(with: ImageResponse(image: image, origin: .memory))
      return task
    }
    token.showPlaceholder()
    // What is shown may bind the target anew, and others may have cancelled.
    guard token.isCurrent, !task.isOver else { return task }
    mailbox.attach(
      start(request, task) { delivery in
        // Progress is read from the task, so it needs no hop.
        if case .success(.progress(let progress)) = delivery { return task.advance(to: progress) }
        mailbox.deliver(delivery)
      })
    return task
  }

  private static func over() -> ImageTask {
    let task = ImageTask()
    task.finish()
    return task
  }
}

extension ImageRequest {
  /// Whether both show the same, however soon.
  func isSame(as other: ImageRequest) -> Bool {
    var other = other
    other.priority = priority
    return self == other
  }
}
