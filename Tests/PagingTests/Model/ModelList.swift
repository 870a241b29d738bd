import Paging

/// One load, by what is asked for.
struct ModelLoad: Hashable {
  var type: LoadType
  var key: Int?
  var size: Int
  var purpose: LoadPurpose
  /// The how manieth load it is.
  var number = 0
}

/// A page that is held: what was asked for, what came, and where it leads.
struct ModelPage: Hashable {
  var number: Int
  var key: Int?
  var size: Int
  var rows: Range<Int>
  var previous: Int?
  var next: Int?
  /// The number of the load that brought it.
  var load = 0
}

/// One end of a list.
struct ModelEdge {
  enum Next: Hashable {
    case end
    case key(Int)
    case again(ModelPage)
  }

  enum Doing: Hashable {
    case nothing
    case loading(ModelLoad)
    case failed(String)
  }

  var next = Next.end
  var doing = Doing.nothing
  var awaitsReport = false
  var following: LoadPurpose?
  var isForced = false
  /// The load that runs, or ran last, was asked for by a command or a retry.
  var isLoadForced = false
  var commands: [UInt64] = []
  var emptyPages = 0

  var load: ModelLoad? {
    if case .loading(let load) = doing { load } else { nil }
  }

  var hasFailed: Bool {
    if case .failed = doing { true } else { false }
  }

  var state: String {
    switch doing {
    case .nothing: next == .end ? "end" : "rests"
    case .loading: "loads"
    case .failed(let error): "failed \(error)"
    }
  }

  mutating func rest(awaitingReport: Bool) {
    doing = .nothing
    awaitsReport = awaitingReport
    following = nil
    isForced = false
    emptyPages = 0
  }

  mutating func takeCommands() -> [UInt64] {
    defer { commands = [] }
    return commands
  }
}

/// Rows on screen, in coordinates of one generation.
struct ModelViewport: Hashable {
  var lower: Int
  var upper: Int

  func clamped(to bounds: Range<Int>) -> ModelViewport {
    let length = min(upper - lower, bounds.count)
    let start = min(max(lower, bounds.lowerBound), bounds.upperBound - length)
    return ModelViewport(lower: start, upper: start + length)
  }
}

/// What one generation holds. The server's rows are numbers without a gap, so what is loaded is a range of them.
struct ModelList {
  let generation: Int
  var pages: [ModelPage] = []
  var passed: [ModelPage] = []
  var before = 0
  var after = 0
  /// The row at coordinate 0: the first that came, or the one behind it where nothing but placeholders was in front.
  private(set) var base = 0
  var prepend = ModelEdge()
  var append = ModelEdge()
  /// The number of the load that brought the first page, rows or none.
  private(set) var firstLoad = 0

  init(generation: Int, copying list: ModelList) {
    self = ModelList(generation: generation)
    (pages, passed, before, after, base) = (list.pages, list.passed, list.before, list.after, list.base)
    (prepend, append, firstLoad) = (list.prepend, list.append, list.firstLoad)
  }

  init(generation: Int) {
    self.generation = generation
  }

  /// The coordinates of the loaded rows.
  var loaded: Range<Int> {
    guard let first = pages.first, let last = pages.last else { return 0..<0 }
    return first.rows.lowerBound - base..<last.rows.upperBound - base
  }

  /// The numbers of the loaded rows.
  var rows: Range<Int> { loaded.lowerBound + base..<loaded.upperBound + base }

  var bounds: Range<Int> { loaded.lowerBound - before..<loaded.upperBound + after }
  var count: Int { bounds.count }

  subscript(side: LoadType) -> ModelEdge {
    get { side == .prepend ? prepend : append }
    set { if side == .prepend { prepend = newValue } else { append = newValue } }
  }

  func page(at coordinate: Int) -> ModelPage? { pages.first { $0.rows.contains(coordinate + base) } }

  /// The coordinate of a loaded row.
  func coordinate(of row: Int) -> Int? { rows.contains(row) ? row - base : nil }

  // MARK: - Pages come

  /// - Returns: How many rows came.
  mutating func start(_ reply: StillServer.Reply, _ load: ModelLoad, showsHoles: Bool) -> Int {
    if firstLoad == 0 { firstLoad = load.number }
    before = showsHoles && reply.previous != nil ? reply.before ?? 0 : 0
    after = showsHoles && reply.next != nil ? reply.after ?? 0 : 0
    if !reply.rows.isEmpty {
      pages = [page(reply, load, number: 0)]
      base = reply.rows.lowerBound
    }
    prepend.next = next(before: reply.previous)
    append.next = reply.next.map { .key($0) } ?? .end
    return reply.rows.count
  }

  /// - Returns: How many rows came.
  mutating func grow(_ side: LoadType, _ reply: StillServer.Reply, _ load: ModelLoad, showsHoles: Bool) -> Int {
    if pages.isEmpty {
      let other: LoadType = side == .append ? .prepend : .append
      let opposite = self[other].next
      let came = start(reply, load, showsHoles: showsHoles)
      self[other].next = opposite
      if !pages.isEmpty {
        if side == .prepend { base = reply.rows.upperBound }
        if case .key(let key) = opposite {
          if side == .append { pages[0].previous = key } else { pages[0].next = key }
        } else if side == .append {
          pages[0].previous = nil
        } else {
          pages[0].next = nil
        }
      }
      return came
    }
    let isAgain = if side == .prepend, case .again = prepend.next { true } else { false }
    if side == .prepend {
      if isAgain { passed.removeLast() }
      let previous = isAgain ? nil : reply.previous
      if reply.rows.isEmpty {
        pages[0].previous = previous
      } else {
        var new = page(reply, load, number: pages[0].number - 1)
        new.previous = previous
        pages.insert(new, at: 0)
      }
      prepend.next = next(before: previous)
      if showsHoles { before = prepend.next == .end ? 0 : reply.before ?? max(0, before - reply.rows.count) }
    } else {
      if reply.rows.isEmpty {
        pages[pages.count - 1].next = reply.next
      } else {
        pages.append(page(reply, load, number: pages[pages.count - 1].number + 1))
      }
      append.next = reply.next.map { .key($0) } ?? .end
      if showsHoles { after = append.next == .end ? 0 : reply.after ?? max(0, after - reply.rows.count) }
    }
    return reply.rows.count
  }

  private func page(_ reply: StillServer.Reply, _ load: ModelLoad, number: Int) -> ModelPage {
    ModelPage(
      number: number, key: load.key, size: load.size, rows: reply.rows, previous: reply.previous, next: reply.next,
      load: load.number)
  }

  private func next(before previous: Int?) -> ModelEdge.Next {
    previous.map { .key($0) } ?? passed.last.map { .again($0) } ?? .end
  }

  // MARK: - Pages go

  mutating func drop(at side: LoadType, showsHoles: Bool) {
    if side == .prepend {
      let gone = pages.removeFirst()
      if showsHoles { before += gone.rows.count }
      if pages[0].previous == nil { passed.append(gone) }
      prepend.next = next(before: pages[0].previous)
    } else {
      let gone = pages.removeLast()
      if showsHoles { after += gone.rows.count }
      append.next = pages.last?.next.map { .key($0) } ?? .end
    }
    self[side].rest(awaitingReport: true)
  }

  /// The page at which a drop is due; nil: none is.
  func sideToDrop(maxSize: Int, distance: Int, viewport: ModelViewport?, grew: LoadType, isWanted: Bool) -> LoadType? {
    guard loaded.count > maxSize, pages.count > 2, let first = pages.first, let last = pages.last else { return nil }
    guard let viewport else { return grew == .append ? .prepend : .append }
    let mayDropFirst = first.rows.upperBound - base <= viewport.lower - distance
    let mayDropLast = last.rows.lowerBound - base >= viewport.upper + distance
    if mayDropFirst, mayDropLast {
      if isWanted { return grew == .append ? .prepend : .append }
      return viewport.lower - loaded.lowerBound >= loaded.upperBound - viewport.upper ? .prepend : .append
    }
    return mayDropFirst ? .prepend : mayDropLast ? .append : nil
  }
}
