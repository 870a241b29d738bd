import Loading
import Synchronization

/// One try to get what a request wants: from its source, and where that fails from its alternatives in their order.
///
/// Every member may be used from any thread.
final class PipelineRun: Sendable {
  private let order: LoadOrder
  private let tell: @Sendable (StageNews) -> Void
  private let isOver = Atomic(false)
  private let waiter = Mutex<UInt64?>(nil)

  /// A run that has not begun. `tell` is called outside locks; `ended` once, unless it is cancelled before.
  init(_ order: LoadOrder, tell: @escaping @Sendable (StageNews) -> Void) {
    self.order = order
    self.tell = tell
  }

  func begin() { attempt(0, earlier: []) }

  func cancel() {
    // First this, then the look for the waiter: an attempt that begins meanwhile sees one or the other.
    isOver.store(true, ordering: .sequentiallyConsistent)
    if let waiter = waiter.withLock({ $0 }) { order.pipeline.leave(waiter) }
  }

  private func attempt(_ index: Int, earlier: [ImageError]) {
    var request = order.request
    if index > 0 {
      request.source = request.alternatives[index - 1]
      // It named the first source.
      request.identity = nil
      request = request.stamped
    }
    let id = order.pipeline.newID()
    waiter.withLock { $0 = id }
    order.pipeline.join(
      id, PipelineJob(request, purpose: order.purpose, writesMemory: order.writesMemory), ticket: order.ticket,
      isOver: { [self] in isOver.load(ordering: .sequentiallyConsistent) },
      tell: { [self] news in
        if case .ended(.failure(let error)) = news {
          failed(index, error, earlier)
        } else if !isOver.load(ordering: .sequentiallyConsistent) {
          tell(news)
        }
      })
  }

  private func failed(_ index: Int, _ error: any Error, _ earlier: [ImageError]) {
    guard !isOver.load(ordering: .sequentiallyConsistent) else { return }
    guard var failure = error as? ImageError, failure.code != .closed else { return tell(.ended(.failure(error))) }
    if index < order.request.alternatives.count {
      attempt(index + 1, earlier: earlier + [failure])
    } else {
      failure.earlier = earlier
      tell(.ended(.failure(failure)))
    }
  }
}
