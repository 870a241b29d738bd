import Foundation
import ImageLoading
import Paging
import PagingHTTP
import PagingStore

/// `pages browse`: a list in the terminal that pages as one scrolls.
enum BrowseCommand {
  static let table = CommandTable(
    name: "browse",
    summary: "Shows a paged API, a list that walk keeps in a store, or a file with a JSON\n"
      + "value a line, and pages as one scrolls. Press ? there for the keys, q to leave.",
    operand: "URL|STORE|FILE",
    options: [
      .init("into", "STORE", "keep the rows of the URL in a list of that file"),
      .init("list", "NAME", "the list's name in the store"),
      .init("image", "PATH", "where a row's picture is, as author.avatar"),
      .init("no-images", nil, "show no pictures"),
    ] + ListOptions.table,
    example: "pages browse 'http://127.0.0.1:8001/db/table.json?_shape=objects'",
    brief: "shows a list in the terminal, and pages as one scrolls")

  /// Runs the command.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    let arguments = try Arguments(words, for: table)
    if arguments.wantsHelp { return Program.show(table.help) }
    let pictures = try pictures(arguments)
    let operand = arguments.operand ?? ""
    switch BrowsedFile(operand) {
    case .store?:
      try refuse("into", arguments, because: "shows a store that is there")
      return try await browseStore(operand, arguments, pictures)
    case .rows?:
      for option in ["into", "list"] { try refuse(option, arguments, because: "shows a file of rows") }
      return try await browseFile(operand, pictures)
    case nil:
      if BrowsedFile.isLikely(operand) {
        throw UsageError(
          "there is no file '\(printable(operand))'.", line: "pages walk URL --output \(shellQuoted(operand))")
      }
      return try await browseServer(try ListOptions(arguments), arguments, pictures)
    }
  }

  private static func pictures(_ arguments: Arguments) throws(UsageError) -> PicturePlace {
    guard let path = arguments.text("image") else { return arguments.has("no-images") ? .nowhere : .anywhere }
    if arguments.has("no-images") {
      throw UsageError(
        "--image and --no-images exclude each other.", line: "\(table.call) --image \(shellQuoted(path))")
    }
    return .at(JSONPath(path))
  }

  private static func refuse(_ option: String, _ arguments: Arguments, because why: String) throws(UsageError) {
    guard arguments.has(option) else { return }
    throw UsageError(
      "--\(option) goes with a URL, and this \(why).", line: "pages browse \(shellQuoted(arguments.operand ?? ""))")
  }

  // MARK: - What is browsed

  private static func browseFile(_ path: String, _ pictures: PicturePlace) async throws(UsageError) -> ExitCode {
    let source = FilePageSource(path)
    let pager = Pager(config: config(100), observer: Tracing.observer, makeSource: { source })
    defer { pager.close() }
    var list = BrowsedList(content: pager, title: title(path), pictures: pictures) {
      explained($0, last: nil)
    }
    list.find = { target in
      if case .text(let text) = target { try await source.firstRow(with: text).map { .index($0) } } else { nil }
    }
    return try await browse(list)
  }

  private static func title(_ path: String) -> String {
    printable(path.split(separator: "/").last.map(String.init) ?? path, limit: 40)
  }

  private static func browseStore(
    _ path: String, _ arguments: Arguments, _ pictures: PicturePlace
  ) async throws(UsageError) -> ExitCode {
    let notes: [StoredListNote]
    let store: ListStore
    do {
      store = try ListStore(at: URL(fileURLWithPath: path))
      notes = try await StoredListNote.all(in: store)
    } catch {
      Notes().say("\(printable(path)): \(explained(error, last: nil))")
      return .otherSideFailed
    }
    let name = try name(of: arguments.text("list"), among: notes.map(\.id), path)
    let list = store.list(name, of: StoredRow.self, policy: StoredBrowsing.policy)
    return try await browse(list, title: printable(name, limit: 40), config(100), pictures) {
      explained($0, last: nil)
    }
  }

  private static func name(of wanted: String?, among names: [String], _ path: String) throws(UsageError) -> String {
    let call = "pages browse \(shellQuoted(path))"
    guard let first = names.first else {
      throw UsageError("\(printable(path)) holds no list.", line: "pages walk URL --into \(shellQuoted(path))")
    }
    if let wanted, names.contains(wanted) { return wanted }
    if wanted == nil, names.count == 1 { return first }
    let all = names.prefix(10).map { printable($0, limit: 60) }.joined(separator: ", ")
    throw UsageError(
      wanted.map { "there is no list '\(printable($0))' in \(printable(path)), only: \(all)." }
        ?? "\(printable(path)) holds \(grouped(names.count)) lists: \(all).",
      line: "\(call) --list \(shellQuoted(first))")
  }

  private static func browseServer(
    _ options: ListOptions, _ arguments: Arguments, _ pictures: PicturePlace
  ) async throws(UsageError) -> ExitCode {
    let remote: RemoteList
    do {
      // Nothing may write to the terminal while it is taken over.
      remote = try await RemoteList.opened(
        options, notes: Notes(isSilent: true), transport: WatchedTransport(RemoteList.network()))
    } catch {
      Notes().say(explained(error, last: nil))
      return .otherSideFailed
    }
    let title = printable(options.url.host() ?? "", limit: 40)
    let explain: @Sendable (any Error) -> String = { explained($0, last: remote.transport.last) }
    guard let path = arguments.text("into") else {
      let pager = Pager(
        config: config(options.pageSize), observer: Tracing.observer, source: Tracing.source(remote.source))
      defer { pager.close() }
      return try await browse(BrowsedList(content: pager, title: title, pictures: pictures, explain: explain))
    }
    // The name that walk gives it, so that each goes on with what the other has stored.
    let name = arguments.text("list") ?? WalkTarget.name(of: arguments.operand ?? "")
    let list: StoredList<StoredRow>
    do {
      let store = try ListStore(at: URL(fileURLWithPath: path))
      list = store.list(
        name, policy: StoredBrowsing.policy, remote: StoredRemote(remote.source, name: name))
      if try await !StoredListNote.all(in: store).contains(where: { $0.id == name }) {
        let words = WalkTarget.listWords(arguments)
        try await StoredListNote(id: name, url: options.url.absoluteString, options: words).put(in: store)
      }
    } catch {
      Notes().say("\(printable(path)): \(explained(error, last: nil))")
      return .otherSideFailed
    }
    return try await browse(list, title: title, config(options.pageSize), pictures, explain: explain)
  }

  // MARK: - Browsing

  /// How lists are paged in a terminal: what is far from the screen is let go.
  static func config(_ pageSize: Int) -> PagingConfig {
    var config =
      (try? PagingConfig(pageSize: pageSize, prefetchDistance: 60, maxSize: max(2000, pageSize * 4)))
      ?? PagingConfig(pageSize: pageSize)
    config.jumpThreshold = 200
    return config
  }

  /// Browses a stored list where it was left.
  static func browse(
    _ list: StoredList<StoredRow>, title: String, _ config: PagingConfig, _ pictures: PicturePlace,
    images: ImageLoader? = nil, explain: @escaping @Sendable (any Error) -> String
  ) async throws(UsageError) -> ExitCode {
    let (browsed, pager) = StoredBrowsing.browsed(
      list, config: config, title: title, pictures: pictures, explain: explain)
    defer { pager.close() }
    return try await browse(browsed, images: images)
  }

  /// Browses `list` in the terminal until the reader leaves.
  ///
  /// - Parameter images: Loads the rows' pictures; nil: one that is made for it.
  static func browse<Item>(_ list: BrowsedList<Item>, images: ImageLoader? = nil) async throws(UsageError) -> ExitCode {
    let noTerminal = UsageError(
      "browse needs a terminal; walk writes rows without one.", line: WalkCommand.table.example)
    guard Descriptor.standardOutput.isTerminal, isatty(STDIN_FILENO) == 1 else { throw noTerminal }
    let images = list.pictures == .nowhere ? nil : images ?? ImageLoader()
    defer { images?.close() }
    guard let browser = await Browser(list, images: images) else { throw noTerminal }
    switch await browser.run() {
    case .left: return .done
    case .interrupted: return .interrupted
    case .noTerminal: throw noTerminal
    }
  }
}
