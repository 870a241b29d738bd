import Foundation

/// `pages serve`: the rows of a file on loopback, paged in every way.
enum ServeCommand {
  static let table = CommandTable(
    name: "serve",
    summary: "Serves the rows of a file on 127.0.0.1, paged in every way; GET / lists them.\n"
      + "FILE: NDJSON, JSON, CSV, TSV or SQLite. Ctrl-C stops it: exit code 0.",
    operand: "FILE",
    options: [
      .init("port", "N", "listen there (0: any that is free)"),
      .init("format", "NAME", "ndjson, json, csv, tsv or sqlite (told by FILE)"),
      .init("table", "NAME", "the table of an SQLite file"),
      .init("items", "PATH", "where in a JSON object the rows are"),
      .init("id", "PATH", "what tells a row from others"),
      .init("page-size", "N", "rows in a page where none is asked for (30)"),
      .init("cap", "N", "the most rows in a page (100)"),
      .init("strict", nil, "refuse a size above the cap, and don't lower it"),
      .init("images", nil, "give each row the URL of a small picture"),
      .init("latency", "TIME", "answer so much later: 200ms, or 100ms-2s"),
      .init("fault", "SPEC", "what goes wrong: 3:500, every 5:cut, 2-4:429:1 …", repeats: true),
      .init("cursor-ttl", "TIME", "how long cursors of /expiring are good (60s)"),
      .init("session-ttl", "TIME", "how long sessions of /ranked are kept (300s)"),
      .init("ready-file", "FILE", "write the URL there once it answers"),
      .init("verbose", nil, "say each request"),
    ],
    example: "pages serve rows.csv --port 8080 --latency 200ms --fault 'every 5:503'",
    brief: "serves a file's rows on 127.0.0.1, paged in every way")

  /// Runs the command.
  ///
  /// - Parameter words: What follows the command's name.
  static func run(_ words: [String]) async throws(UsageError) -> ExitCode {
    let arguments = try Arguments(words, for: table)
    if arguments.wantsHelp { return Program.show(table.help) }
    let options = try serviceOptions(arguments)
    let hints = try hints(arguments)
    let port = try arguments.number("port", in: 0...65535) ?? 0
    let path = arguments.operand ?? ""
    let notes = Notes(verbose: arguments.has("verbose"))

    let file: RowFile
    do throws(RowFileFault) {
      file = try RowFile(path, hints)
    } catch {
      notes.say("\(printable(path)): \(error)")
      return .otherSideFailed
    }
    var watch: ListServer.Watcher?
    if arguments.has("verbose") { watch = { notes.say(said($0, $1)) } }
    let server: ListServer
    do throws(LoopbackServer.StartFailure) {
      server = try ListServer(ServedRows(file), options, port: UInt16(clamping: port), watch: watch)
    } catch {
      notes.say("\(error).")
      return .otherSideFailed
    }
    defer { server.stop() }
    if file.isNumbered {
      notes.say("nothing in its rows tells them apart, so each has its number as \(printable("\(file.identity)")).")
    }
    let (stops, continuation) = AsyncStream.makeStream(of: Void.self)
    let interrupts = Interrupts([SIGINT, SIGTERM]) { continuation.finish() }
    if let ready = arguments.text("ready-file") {
      do {
        // Whole or not at all, so that whoever waits for it never reads a part.
        try Data((server.url("/") + "\n").utf8).write(to: URL(fileURLWithPath: ready), options: .atomic)
      } catch {
        notes.say("\(printable(ready)) can't be written: \(printable(error.localizedDescription)).")
        return .otherSideFailed
      }
    }
    notes.say(
      "READY \(server.url("/")) serves \(grouped(file.rows.count)) rows of \(printable(path)); Ctrl-C stops it.")
    if !file.isNumbered, !arguments.has("id"), !file.identity.names.isEmpty {
      notes.say("a row's ID is its \(printable("\(file.identity)")) (--id names another).")
    }
    for await _ in stops {}
    withExtendedLifetime(interrupts) {}
    notes.detail("stopped after \(grouped(server.requestCount)) requests.")
    return .done
  }

  private static func serviceOptions(_ arguments: Arguments) throws(UsageError) -> ListService.Options {
    var options = ListService.Options(cap: 100)
    options.cap = try arguments.number("cap", in: 1...10_000) ?? 100
    options.defaultSize = try arguments.number("page-size", in: 1...10_000) ?? min(30, options.cap)
    if options.defaultSize > options.cap {
      throw UsageError(
        "--page-size is \(options.defaultSize), more than --cap, \(options.cap).",
        line: "\(table.call) --page-size \(options.defaultSize) --cap \(options.defaultSize)")
    }
    options.refusesAboveCap = arguments.has("strict")
    options.addsImages = arguments.has("images")
    options.cursorLife = try arguments.timeSpan("cursor-ttl") ?? options.cursorLife
    options.sessionLife = try arguments.timeSpan("session-ttl") ?? options.sessionLife
    if let text = arguments.text("latency") {
      guard let latency = TimeSpan.readRange(text) else {
        let meant = TimeSpan.withUnits(text).flatMap { TimeSpan.readRange($0) == nil ? nil : $0 }
        throw UsageError(
          "--latency is '\(printable(text))' and must be a time with its unit, as 200ms, or two with a dash between.",
          line: "\(table.call) --latency \(meant ?? "100ms-2s")")
      }
      options.latency = latency
    }
    for text in arguments.texts("fault") {
      guard let fault = ServedFault(text) else {
        throw UsageError(
          "--fault is '\(printable(text))'; \(ListService.faultWords). \(ServedFault.words)",
          line: "\(table.call) --fault 'every 5:503'")
      }
      options.faults.append(fault)
    }
    return options
  }

  private static func hints(_ arguments: Arguments) throws(UsageError) -> RowFile.Hints {
    let format = try arguments.choice("format", of: RowFile.Format.allCases.map(\.rawValue))
    return RowFile.Hints(
      format: format.flatMap { RowFile.Format(rawValue: $0) }, items: arguments.text("items").map { JSONPath($0) },
      id: arguments.text("id").map { JSONPath($0) }, table: arguments.text("table"))
  }

  @Sendable private static func said(_ request: ServedRequest, _ reply: ServedReply) -> String {
    let answer =
      switch reply.body {
      case .bytes: "\(reply.status)"
      case .broken, .filler: "\(reply.status), cut"
      case .nothing: "closed"
      }
    let wait = reply.delay > .zero ? " after \(Int(reply.delay / .milliseconds(1))) ms" : ""
    return "\(request.method) \(printable(request.target(setting: [:]), limit: 200)): \(answer)\(wait)"
  }
}
