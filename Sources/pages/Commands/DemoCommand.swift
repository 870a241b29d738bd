import Foundation
import ImageLoading
import Paging
import PagingHTTP
import PagingStore

/// `pages demo`: rows that come with the machine, served on loopback and browsed.
enum DemoCommand {
  static let table = CommandTable(
    name: "demo",
    summary: "Serves rows of this machine on loopback and browses them; without a terminal it\n"
      + "scrolls by itself and tells what came of it.",
    operand: nil, options: [.init("script", nil, "scroll by itself also where there is a terminal")],
    example: "pages demo",
    brief: "serves rows of this machine and browses them")

  /// How far the script scrolls.
  private static let depth = 2500

  /// Runs the command.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    let arguments = try Arguments(words, for: table)
    if arguments.wantsHelp { return Program.show(table.help) }
    let notes = Notes(isSilent: true)
    let demo = DemoRows()
    let server: ListServer
    do {
      server = try ListServer(demo.rows, ListService.Options(addsImages: true))
    } catch {
      Notes().say("\(error).")
      return .otherSideFailed
    }
    defer { server.stop() }
    let options = try ListOptions(Arguments([server.url("/link?limit=50")], for: BrowseCommand.table))
    let list = RemoteList(options, notes: notes)
    let hasTerminal = Descriptor.standardOutput.isTerminal && isatty(STDIN_FILENO) == 1
    if hasTerminal, !arguments.has("script") { return try await browse(list) }
    return await scroll(through: list, demo, server)
  }

  /// Browses the list over a store, which is gone afterwards, as its server is.
  private static func browse(_ remote: RemoteList) async throws(UsageError) -> ExitCode {
    let store: ListStore
    do {
      store = try ListStore.inMemory()
    } catch {
      Notes().say(explained(error, last: nil))
      return .otherSideFailed
    }
    var images = ImageLoaderConfig()
    images.diskFolder = nil
    let list = store.list("demo", policy: StoredBrowsing.policy, remote: StoredRemote(remote.source, name: "demo"))
    return try await BrowseCommand.browse(
      list, title: "demo", BrowseCommand.config(50), .anywhere, images: ImageLoader(config: images)
    ) { explained($0, last: remote.transport.last) }
  }

  private static func scroll(through list: RemoteList, _ demo: DemoRows, _ server: ListServer) async -> ExitCode {
    let config = (try? PagingConfig(pageSize: 50, prefetchDistance: 50, maxSize: 400)) ?? PagingConfig(pageSize: 50)
    let pager = Pager(config: config, observer: Tracing.observer, source: Tracing.source(list.source))
    defer { pager.close() }
    var scroll = ScriptedScroll(pager, serving: server.rows)
    let clock = ContinuousClock()
    let start = clock.now
    do {
      try await scroll.run(depth: depth)
    } catch {
      Notes().say(explained(error, last: list.transport.last))
      return .otherSideFailed
    }
    let took = clock.now - start
    let figures = scroll.figures
    let statistics = pager.statistics
    let loads = [statistics.refresh, statistics.append, statistics.prepend]
    let isGood = figures.duplicates == 0 && figures.holes == 0 && figures.rows > depth
    let report = """
      A list of \(grouped(demo.rows.count)) rows (\(demo.origin)), served on 127.0.0.1
      in pages of 50 and scrolled by script: down to row \(grouped(depth)), back up, with a refresh at
      each end, at most 400 rows held; every row on screen compared with the server's.

        rows        \(grouped(figures.rows)) seen, \(grouped(loads.reduce(0) { $0 + $1.items })) loaded
        pages       \(grouped(loads.reduce(0) { $0 + $1.count })) loaded, \(grouped(statistics.droppedPages)) let go
        requests    \(grouped(server.requestCount))
        duplicates  \(grouped(figures.duplicates))
        holes       \(grouped(figures.holes))
        time        \(took.formatted(.units(allowed: [.milliseconds]))), a page in \(grouped(milliseconds(statistics.append.median))) ms (median)

      """
    _ = Program.show(isGood ? report : report + "The list is not what its server serves.\n")
    return isGood ? .done : .otherSideFailed
  }

  private static func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
}
