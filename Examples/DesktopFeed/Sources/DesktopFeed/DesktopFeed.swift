import CGTK
import Foundation
import ImageLoading
import PagingStore

/// A feed in a window. `--script <folder>` scrolls it by itself, checks what the widgets show, and puts screenshots into the folder.
@main
struct DesktopFeed {
  /// Not async: GTK's loop is the one that runs the main actor, see `MainLoop`.
  @MainActor
  static func main() throws {
    guard gtk_init_check() != 0 else {
      print("There is no display; run it on a desktop or by xvfb-run.")
      exit(69)
    }
    let server = Server()
    if let script = CommandLine.arguments.firstIndex(of: "--script") {
      let folder = CommandLine.arguments.dropFirst(script + 1).first ?? FileManager.default.currentDirectoryPath
      try Script.start(server, screenshots: URL(filePath: folder))
      return MainLoop.run()
    }
    let folder = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first ?? URL(filePath: "/tmp")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "desktop-feed.db")
    let feed = FeedWindow(try list(in: ListStore(at: file), of: server), images: images(of: server))
    connect(feed.window, "close-request") {
      feed.close()
      MainLoop.quit()
    }
    MainLoop.run()
  }

  /// New posts wait until the reader asks for them; what is missing is a row of its own.
  @MainActor
  static func list(in store: ListStore, of server: Server) -> StoredList<Post> {
    store.list("home", policy: ListPolicy(freshness: .newItemsControl), remote: server.feed)
  }

  static func images(of server: Server) -> ImageLoader {
    var config = ImageLoaderConfig()
    config.diskFolder = nil
    config.customLoader = { try await server.picture($0) }
    config.maxFetchesPerSecond = nil
    return ImageLoader(config: config)
  }
}
