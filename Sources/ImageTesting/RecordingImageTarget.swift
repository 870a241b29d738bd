public import ImageLoading

/// A target that keeps what it was told to show, for tests of what binds targets.
///
/// ```swift
/// let target = RecordingImageTarget()
/// loader.load(request, into: target)
/// await target.contents(atLeast: 2)
/// ```
@MainActor public final class RecordingImageTarget: ImageTarget {
  private struct Waiter {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  /// The loader's.
  public var imageBinding = ImageBinding()
  /// What was shown so far, in order. Memory grows with it.
  public private(set) var contents: [ImageContent] = []
  private var waiters: [Waiter] = []

  /// A target that was shown nothing.
  public init() {}

  /// Notes it.
  public func show(_ content: ImageContent) {
    contents.append(content)
    let reached = waiters.filter { $0.count <= contents.count }
    waiters.removeAll { $0.count <= contents.count }
    for waiter in reached { waiter.continuation.resume() }
  }

  /// What it shows now: the last content.
  public var content: ImageContent? { contents.last }

  /// The stages of all contents, in order.
  public var stages: [ImageContent.Stage] { contents.map(\.stage) }

  /// Returns when at least `count` contents were shown in all; waits for ever where that never happens.
  public func contents(atLeast count: Int) async {
    if contents.count >= count { return }
    await withCheckedContinuation { waiters.append(Waiter(count: count, continuation: $0)) }
  }
}
