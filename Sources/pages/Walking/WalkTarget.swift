import Foundation
import PagingHTTP

/// Where the rows of a walk are to go, as its command line says.
struct WalkTarget: Sendable {
  private enum Place: Sendable {
    case standardOutput
    /// A file whose walk has a state beside it.
    case file(String)
    /// A device or a pipe.
    case special(String)
    /// A list of a store.
    case store(String, list: String)
  }

  private let place: Place
  private let resumes: Bool
  private let key: HTTPPageKey?
  private let words: [String]

  /// Reads what the arguments say of it.
  init(_ arguments: Arguments) throws(UsageError) {
    resumes = arguments.has("resume")
    key = arguments.text("from").map { HTTPPageKey($0) }
    words = Self.listWords(arguments)
    let call = arguments.call
    if resumes, key != nil {
      throw UsageError("--from and --resume both say where to go on.", line: "\(call) --output FILE --resume")
    }
    if arguments.has("list"), !arguments.has("into") {
      throw UsageError("--list names a list of a store, so it needs --into.", line: "\(call) --into lists.db")
    }
    if let store = arguments.text("into") {
      if arguments.has("output") {
        throw UsageError("rows go either --into a store or to an --output file.", line: "\(call) --into lists.db")
      }
      if key != nil {
        throw UsageError(
          "--from doesn't go with --into: the store knows where its list goes on.",
          line: "\(call) --into lists.db --resume")
      }
      let name = arguments.text("list") ?? Self.name(of: arguments.operand ?? "")
      if name.isEmpty || name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
        throw UsageError(
          "--list needs a name without control characters.", line: "\(call) --into lists.db --list posts")
      }
      place = .store(store, list: name)
    } else if let path = arguments.text("output") {
      place = Descriptor.isSpecial(path) ? .special(path) : .file(path)
    } else {
      place = .standardOutput
    }
    if resumes, !keepsState {
      throw UsageError(
        "--resume needs a file to go on in, or a store.", line: "\(call) --output rows.ndjson --resume")
    }
  }

  /// Whether what is written remembers how far it is, so that `--resume` is all that is needed to go on.
  var keepsState: Bool {
    switch place {
    case .file, .store: true
    case .standardOutput, .special: false
    }
  }

  /// What it is called.
  var name: String {
    switch place {
    case .standardOutput: "standard output"
    case .file(let path), .special(let path): path
    case .store(let path, let list): "\(list) in \(path)"
    }
  }

  /// A place that is open.
  struct Opened {
    /// Takes the rows.
    let sink: any WalkSink
    /// The page to begin with; nil: the list's first.
    let key: HTTPPageKey?
    /// Whether all is there already.
    var isDone = false
  }

  /// Opens it.
  ///
  /// - Throws: What says in words why it can't be.
  func open(for options: ListOptions, reader: RowReader) throws -> Opened {
    let url = options.url.absoluteString
    switch place {
    case .standardOutput: return Opened(sink: StreamSink(.standardOutput), key: key)
    case .special(let path):
      return Opened(sink: StreamSink(try Descriptor(file: path, appending: key != nil)), key: key)
    case .file(let path):
      let start = key.map { FileSink.Start.appended($0) } ?? (resumes ? .resumed : .anew)
      let sink = try FileSink(path, start, url: url, reader: reader)
      return Opened(sink: sink, key: sink.key, isDone: sink.isDone)
    case .store(let path, let list):
      let note = StoredListNote(id: list, url: url, options: words)
      let sink = try StoreSink(path, note: note, goesOn: resumes)
      guard resumes else { return Opened(sink: sink, key: nil) }
      switch try sink.place() {
      case .start: return Opened(sink: sink, key: nil)
      case .page(let key): return Opened(sink: sink, key: key)
      case .end: return Opened(sink: sink, key: nil, isDone: true)
      }
    }
  }

  /// A list's name where none is given: its host and path.
  static func name(of url: String) -> String {
    let rest = url.split(separator: "://", maxSplits: 1).last ?? ""
    let end = rest.firstIndex { $0 == "?" || $0 == "#" } ?? rest.endIndex
    var name = rest[..<end]
    while name.hasSuffix("/") { name = name.dropLast() }
    return String(name.prefix(200))
  }

  /// The options that say what list it is, without headers.
  static func listWords(_ arguments: Arguments) -> [String] {
    ListOptions.table.filter { $0.name != "header" }.flatMap { option in
      arguments.texts(option.name).flatMap { ["--" + option.name, $0] }
    }
  }
}
