import Foundation
import ImageLoading
import Paging
import Synchronization

/// Shows a list in the terminal until the reader leaves: the loop between keys, list and screen.
struct Browser<Item: BrowseItem>: Sendable {
  /// How it ended.
  enum End: Sendable { case left, interrupted, noTerminal }

  private let list: BrowsedList<Item>
  private let events: TerminalEvents
  private let desk: BrowseDesk<Item>
  private let pictures: RowPictures?

  /// A browser of `list`; nil where the system has no room for it.
  ///
  /// - Parameter images: Loads the pictures of rows; nil: none are shown.
  @MainActor init?(_ list: BrowsedList<Item>, images: (any ImageProviding)?) {
    guard let events = TerminalEvents() else { return nil }
    self.list = list
    self.events = events
    desk = BrowseDesk(list) { events.wake() }
    pictures = images.map { RowPictures($0) { events.wake() } }
  }

  /// Takes the terminal over and returns when the reader leaves, with the terminal as it was.
  func run() async -> End {
    let watching = desk.watch()
    let end = await withCheckedContinuation { continuation in
      // The library's functions want one thread of their own.
      Thread.detachNewThread { continuation.resume(returning: loop()) }
    }
    for task in watching { task.cancel() }
    pictures?.stop()
    await list.store?.flush()
    return end
  }

  private func loop() -> End {
    if isToEndBeforeRows() { return .interrupted }
    guard var screen = Screen() else { return .noTerminal }
    let end = browse(on: &screen)
    screen.close()
    return end
  }

  /// The first picture shows rows if there are any at once: a list that comes back is never empty first.
  private func isToEndBeforeRows() -> Bool {
    let end = ContinuousClock.now + .milliseconds(60)
    while content.snapshot.phase != .content {
      let rest = Int32((end - .now) / .milliseconds(1))
      if rest <= 0 { break }
      if events.wait(milliseconds: rest, forKeys: false).isToEnd { return true }
    }
    return false
  }

  private var content: any PagedContent<Item> { list.content }

  private func browse(on screen: inout Screen) -> End {
    let start = ContinuousClock.now
    var view = BrowseView(list, lines: screen.lines, columns: screen.columns)
    while true {
      let snapshot = content.snapshot
      view.listChanged(to: snapshot, desk.news)
      if let found = desk.takeFound() { view.go(to: found, in: snapshot) }
      if let rows = view.takeViewport(of: snapshot) { content.viewportChanged(to: rows, of: snapshot) }
      wantPictures(view, snapshot, colors: screen.colors)
      keepPlace(view, snapshot)
      let picture = view.picture(of: snapshot, desk.news) { [pictures, colors = screen.colors] url, size in
        pictures?.image(url, size, colors: colors) ?? .failed
      }
      if view.isNew(picture) { screen.show(picture) }

      let came = events.wait()
      if came.isToEnd { return .interrupted }
      if came.isResized {
        screen.fit()
        view.resized(lines: screen.lines, columns: screen.columns)
      }
      while let key = screen.key() {
        desk.clearMessage()
        let snapshot = content.snapshot
        view.listChanged(to: snapshot, desk.news)
        let wish = view.press(key, in: snapshot, desk.news, at: ContinuousClock.now - start)
        if wish == .leave { return .left }
        if let wish { follow(wish, snapshot, &view) }
      }
    }
  }

  private func follow(
    _ wish: BrowseState<Item.ID>.Wish, _ snapshot: PagingSnapshot<Item>, _ view: inout BrowseView<Item>
  ) {
    switch wish {
    case .leave: break
    case .refresh(let fromStart): desk.refresh(fromStart: fromStart)
    case .retry: content.retry()
    case .showNew:
      view.goToStart()
      desk.showNew(goesThere: !snapshot.states.prepend.isAtEnd)
    case .fill(let row, let side):
      if case .gap(let gap)? = snapshot[row].item?.content { desk.fill(gap, from: side) }
    case .go(let target):
      if !view.go(to: target, in: snapshot) { desk.find(target, in: snapshot) }
    case .showKeys: desk.say(BrowseWords<Item>.keys)
    }
  }

  private func wantPictures(_ view: BrowseView<Item>, _ snapshot: PagingSnapshot<Item>, colors: Int) {
    guard let pictures, let size = view.layout.picture else { return }
    let (visible, ahead) = view.pictures(in: snapshot)
    pictures.want(visible: visible, ahead: ahead, size, colors: colors)
  }

  private func keepPlace(_ view: BrowseView<Item>, _ snapshot: PagingSnapshot<Item>) {
    guard let store = list.store, let row = view.placeToKeep(in: snapshot) else { return }
    store.keep(row, isFirst: view.isAtStart)
  }
}
