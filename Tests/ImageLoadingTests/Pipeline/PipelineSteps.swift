import ImageCodecs
import Loading
import PagingTesting
import Synchronization

@testable import ImageLoading

/// What a load told, in order.
final class PipelineSteps: Sendable {
  private let steps = Mutex<[ImageLoadStep]>([])
  let previews = Tally()
  let ends = Tally()

  func hear(_ step: ImageLoadStep) {
    steps.withLock { $0.append(step) }
    switch step {
    case .preview: previews.add(1)
    case .finished: ends.add(1)
    case .progress: break
    }
  }

  /// The values of previews and of the picture; `failed` for a failure. Without progress.
  var told: [String] {
    steps.withLock { $0 }.compactMap { step in
      switch step {
      case .progress: nil
      case .preview(let image): "preview \(image.pipelineValue)"
      case .finished(.success(let response)): "image \(response.map { "\($0.image.pipelineValue)" } ?? "none")"
      case .finished(.failure): "failed"
      }
    }
  }

  var progress: [Int] {
    steps.withLock { $0 }.compactMap { if case .progress(let progress) = $0 { progress.receivedBytes } else { nil } }
  }
}
