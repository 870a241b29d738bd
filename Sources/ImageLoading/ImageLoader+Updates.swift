import ImageCodecs
import Loading
import Synchronization

extension ImageLoader {
  /// A load as it goes: how far it has come, previews, the picture at last.
  ///
  /// The load begins with this call and ends, unless others wait for it, when the stream is let go of or its reader's
  /// task is cancelled. Of what a slow reader hasn't read yet only the newest progress and the newest preview wait.
  /// From memory there is the picture alone. One reader reads it; it fails with ``ImageError``.
  public func updates(for request: ImageRequest) -> AsyncThrowingStream<ImageUpdate, any Error> {
    let request = prepared(request)
    let mailbox = UpdateMailbox()
    if let image = remembered(request) {
      mailbox.put(.finished(.success(ImageResponse(image: image, origin: .memory))))
    } else {
      // Held weakly: when the stream goes, so does its mailbox.
      let cancel = pipeline.start(request, ticket: LoadTicket(priority: request.priority)) { [weak mailbox] step in
        mailbox?.put(step)
      }
      mailbox.onEnd(cancel)
    }
    return AsyncThrowingStream { try await mailbox.next() }
  }
}

/// What waits for the reader of a load's updates; when it goes, the load does.
final class UpdateMailbox: Sendable {
  private struct State {
    var progress: ImageProgress?
    var preview: DecodedImage?
    var end: Result<ImageResponse?, any Error>?
    /// Whether the load has ended, its end read or not.
    var hasEnded = false
    var isOver = false
    var reader: CheckedContinuation<Void, Never>?
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  init() {}

  deinit { state.withLock { $0.cancel }?() }

  /// What ends the load. Held until the load has ended, since it holds the load.
  func onEnd(_ cancel: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver, !state.hasEnded { state.cancel = cancel }
      return state.isOver
    }
    if isOver { cancel() }
  }

  func put(_ step: ImageLoadStep) {
    var replaced: DecodedImage?
    var ended: (@Sendable () -> Void)?
    let reader = state.withLock { state in
      switch step {
      case .progress(let progress): state.progress = progress
      case .preview(let image):
        replaced = state.preview
        state.preview = image
      case .finished(let result):
        replaced = state.preview
        state.preview = nil
        state.progress = nil
        state.end = result
        state.hasEnded = true
        swap(&ended, &state.cancel)
      }
      defer { state.reader = nil }
      return state.reader
    }
    withExtendedLifetime((replaced, ended)) { reader?.resume() }
  }

  /// The next update, in the order progress, preview, picture; nil when all was read, and when the task was cancelled.
  func next() async throws -> ImageUpdate? {
    while true {
      if Task.isCancelled { end() }
      if let update = try take() { return update }
      if state.withLock({ $0.isOver }) { return nil }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isThere = state.withLock { state in
            let isThere = state.progress != nil || state.preview != nil || state.end != nil || state.isOver
            if !isThere { state.reader = continuation }
            return isThere
          }
          if isThere { continuation.resume() }
        }
      } onCancel: {
        end()
      }
    }
  }

  private func take() throws -> ImageUpdate? {
    let end = state.withLock { state -> Result<ImageUpdate?, any Error>? in
      guard !state.isOver else { return .success(nil) }
      if let progress = state.progress {
        state.progress = nil
        return .success(.progress(progress))
      }
      if let preview = state.preview {
        state.preview = nil
        return .success(.preview(preview))
      }
      guard let end = state.end else { return nil }
      state.end = nil
      state.isOver = true
      return end.map { $0.map { .image($0) } }
    }
    return try end?.get()
  }

  private func end() {
    let (reader, cancel) = state.withLock { state in
      state.isOver = true
      defer {
        state.reader = nil
        state.cancel = nil
      }
      return (state.reader, state.cancel)
    }
    cancel?()
    reader?.resume()
  }
}
