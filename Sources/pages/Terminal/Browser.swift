import Foundation
import Paging
import Synchronization

/// Shows a list in the terminal until the reader leaves: the loop between keys, pager and screen.
struct Browser<Content: PagedContent<RawRow>>: Sendable {
  /// How it ended.
  enum End: Sendable { case left, interrupted, noTerminal }

  private let content: Content
  private let title: String
  private let explain: @Sendable (any Error) -> String

  /// A browser of `content`; `explain` puts a failure into words.
  init(_ content: Content, title: String, explain: @escaping @Sendable (any Error) -> String) {
    self.content = content
    self.title = title
    self.explain = explain
  }

  /// Takes the terminal over and returns when the reader leaves, with the terminal as it was.
  func run() async -> End {
    let isInterrupted = Mutex(false)
    let interrupts = Interrupts { isInterrupted.withLock { $0 = true } }
    // Whoever reads the stream makes the first load start.
    let reading = Task { for await _ in content.snapshots() {} }
    defer { reading.cancel() }
    let end = await withCheckedContinuation { continuation in
      // The library's functions wait, and want one thread of their own.
      Thread.detachNewThread {
        continuation.resume(returning: loop { isInterrupted.withLock { $0 } })
      }
    }
    withExtendedLifetime(interrupts) {}
    return end
  }

  private func loop(isInterrupted: () -> Bool) -> End {
    guard let screen = Screen() else { return .noTerminal }
    let end = browse(on: screen, isInterrupted)
    screen.close()
    return end
  }

  private func browse(on screen: borrowing Screen, _ isInterrupted: () -> Bool) -> End {
    var model = BrowseModel(height: screen.height - 1)
    var shown: BrowsePicture?
    var version: UInt64?
    while !isInterrupted() {
      let snapshot = content.snapshot
      if snapshot.version != version {
        version = snapshot.version
        model.listChanged(to: snapshot)
        content.viewportChanged(to: model.viewport, of: snapshot)
      }
      let picture = BrowsePicture(of: snapshot, model, title: title, explain: explain)
      if picture != shown { screen.show(picture) }
      shown = picture
      guard let key = screen.key(within: 50) else { continue }
      switch key {
      case .quit: return .left
      case .resized:
        model.resized(to: screen.height - 1)
        shown = nil
      case .refresh:
        if model.top == 0 { model.willStartAgain() }
        content.refresh(from: model.top == 0 ? .start : .anchor)
      case .retry: content.retry()
      case .up: model.move(by: -1, in: snapshot)
      case .down: model.move(by: 1, in: snapshot)
      case .pageUp: model.scroll(by: -model.height, in: snapshot)
      case .pageDown: model.scroll(by: model.height, in: snapshot)
      case .first:
        model.move(to: 0, in: snapshot)
        // What is held need not begin where the list does.
        if !snapshot.states.prepend.isAtEnd {
          model.willStartAgain()
          content.refresh(from: .start)
        }
      case .last: model.move(to: Int.max, in: snapshot)
      }
      content.viewportChanged(to: model.viewport, of: snapshot)
    }
    return .interrupted
  }
}
