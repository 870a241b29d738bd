import Foundation
import PagingStore

/// Scrolls a feed, and checks after each step what the widgets show.
@MainActor
final class Script {
  let server: Server
  let folder: URL
  let file = FileManager.default.temporaryDirectory.appending(path: "desktop-feed-\(UUID().uuidString).db")
  /// The posts that were on screen.
  var seen: Set<Int> = []
  private(set) var problems = 0

  private init(_ server: Server, _ folder: URL) {
    self.server = server
    self.folder = folder
  }

  /// Starts it and ends the program when it is through, with status 1 where something wasn't right.
  static func start(_ server: Server, screenshots folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let script = Script(server, folder)
    Task {
      do { try await script.run() } catch { script.fail("\(error)") }
      for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: script.file.path() + end) }
      say(script.problems == 0 ? "All is right." : "\(script.problems) things are not right.")
      exit(script.problems == 0 ? 0 : 1)
    }
  }

  func open() throws -> FeedWindow {
    FeedWindow(
      DesktopFeed.list(in: try ListStore(at: file), of: server), images: DesktopFeed.images(of: server), height: 1_007)
  }

  // MARK: - What is right

  func expect(_ isRight: Bool, _ what: @autoclosure () -> String) {
    if !isRight { fail(what()) }
  }

  func fail(_ what: String) {
    problems += 1
    say("  NOT RIGHT: \(what)")
  }

  /// Waits until nothing loads, then checks the text and the picture of every row on screen.
  func check(_ step: String, _ feed: FeedWindow) async {
    await settle(feed)
    let rows = feed.seenRows()
    say("\(step): \(rows.count) rows, from \(rows.first?.text ?? "none")")
    expect((rows.first?.top ?? 1) <= 0, "\(step): nothing at the upper edge")
    let lower = (rows.last?.top ?? 0) + Double(RowView.height)
    expect(lower >= feed.pageHeight || feed.offset >= feed.end, "\(step): nothing at the lower edge")
    for (row, next) in zip(rows, rows.dropFirst()) {
      expect(next.top - row.top == Double(RowView.height), "\(step): \(next.text) is not right below \(row.text)")
      if let above = row.post, let below = next.post {
        expect(above == below + 1, "\(step): \(below) comes after \(above)")
      }
    }
    for row in rows {
      guard let post = row.post else {
        expect(row.color == nil && !row.text.hasPrefix("…"), "\(step): “\(row.text)” isn't loaded")
        continue
      }
      expect(row.text == Post(post).text, "\(step): the text of \(post)")
      expect(row.color == PostPicture.color(of: post), "\(step): the picture of \(post)")
    }
  }

  /// Returns when nothing loads and the pictures on screen are there; gives up on pictures after some seconds.
  func settle(_ feed: FeedWindow) async {
    await feed.list.settled()
    for _ in 0..<300 {
      await Frames.next(of: feed.window)
      await Frames.next(of: feed.window)
      if feed.seenRows().allSatisfy({ $0.post == nil || $0.color != nil }) { break }
    }
    await feed.list.settled()
  }

  /// Checks that the row in the middle of the screen stays where it is, in every frame until `work` is done and all is settled.
  func holdsStill(_ step: String, _ feed: FeedWindow, while work: () async throws -> Void) async rethrows {
    await settle(feed)
    let rows = feed.seenRows().filter { $0.post != nil }
    guard !rows.isEmpty else { return fail("\(step): no row to look at") }
    let eye = rows[rows.count / 2]
    var moved = 0.0
    let watch = Task {
      while !Task.isCancelled {
        moved = max(moved, abs((feed.top(of: eye.place) ?? .infinity) - eye.top))
        await Frames.next(of: feed.window)
      }
    }
    try await work()
    await settle(feed)
    watch.cancel()
    await watch.value
    say("\(step): \(eye.text) moved by \(moved) px at most")
    expect(moved < 0.5, "\(step): the row under the eye moved by \(moved) px")
  }

  func screenshot(_ name: String, _ feed: FeedWindow) {
    feed.takeScreenshot(to: folder.appending(path: "\(name).png"))
  }
}

/// Prints at once, so that nothing is lost where the program is ended.
func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
