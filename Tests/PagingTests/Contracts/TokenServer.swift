import Paging
import PagingTesting

/// A cursor of a server whose cursors end: a place in a list sorted by ID, as long as the server's epoch lasts.
struct Token: Hashable, Codable, Sendable {
  var epoch: Int
  var from: Int
  var goesBack = false
}

/// A server that pages by such cursors, whose list a test changes while a pager reads it.
final class TokenServer: Sendable {
  let list: ListServer
  /// Loads in the order in which they began.
  let calls = Box<[LoadParams<Token>]>([])
  /// Loads by number, from 1, that wait until a test lets them go on.
  let holds: Box<[Int: Hold]>
  /// What loads of these numbers throw.
  let errors = Box<[Int: any Error]>([:])
  /// The most rows in a page that is not the list's first.
  let longest = Box(Int.max)
  /// Where the source says to start again.
  let recovery = Box<Token?>(nil)
  /// What happens to the list before each load is answered.
  let meanwhile = Box<(@Sendable () -> Void)?>(nil)
  private let epoch = Box(0)
  private let goesBack: Bool

  init(_ list: ListServer, goesBack: Bool = false, holding numbers: [Int] = []) {
    self.list = list
    self.goesBack = goesBack
    holds = Box(Dictionary(uniqueKeysWithValues: numbers.map { ($0, Hold()) }))
  }

  /// From now on no cursor that was given out is good any more.
  func expire() { epoch.change { $0 += 1 } }

  /// A cursor that is good now.
  func token(from id: Int) -> Token { Token(epoch: epoch.value, from: id) }

  /// The load of that number, from 1, waits until it is let go.
  @discardableResult
  func hold(_ number: Int) -> Hold {
    holds.change { holds in
      let hold = holds[number] ?? Hold()
      holds[number] = hold
      return hold
    }
  }

  /// The number of the load that begins next.
  var nextCall: Int { calls.value.count + 1 }

  /// What was asked for since load `number`: nil is the start of the list.
  func starts(since number: Int) -> [Int?] { calls.value.dropFirst(number - 1).map { $0.key?.from } }

  var source: TokenSource { TokenSource(server: self) }

  func load(_ params: LoadParams<Token>) async throws -> Page<Token, Row> {
    let number = calls.change { calls in
      calls.append(params)
      return calls.count
    }
    if let hold = holds.value[number] { try await hold.pass() }
    if let error = errors.value[number] { throw error }
    if let key = params.key, key.epoch != epoch.value { throw PagingError.cursorExpired }
    meanwhile.value?()
    return page(params)
  }

  private func page(_ params: LoadParams<Token>) -> Page<Token, Row> {
    let all = list.all
    let items: ArraySlice<Row>
    switch params.key {
    case nil: items = all.prefix(params.loadSize)
    case .some(let key) where key.goesBack: items = all.prefix { $0.id < key.from }.suffix(params.loadSize)
    case .some(let key): items = all.drop { $0.id < key.from }.prefix(min(params.loadSize, longest.value))
    }
    guard let first = items.first, let last = items.last else { return Page([]) }
    let hasMore = all.last?.id != last.id
    var previous: Token?
    if goesBack, all.first?.id != first.id { previous = Token(epoch: epoch.value, from: first.id, goesBack: true) }
    return Page(Array(items), previousKey: previous, nextKey: hasMore ? token(from: last.id + 1) : nil)
  }
}

struct TokenSource: PageSource {
  let server: TokenServer

  @concurrent func load(_ params: LoadParams<Token>) async throws -> Page<Token, Row> { try await server.load(params) }
  var recoveryKey: Token? { server.recovery.value }
  func key(around id: Int) -> Token? { server.token(from: id) }
}

extension Pager where Key == Token, Item == Row {
  /// A pager of `server`, read from its start until row `id` is loaded, with a screen of ten rows at the end of the list.
  static func read(
    _ server: TokenServer, to id: Int, config: PagingConfig = PagingConfig(pageSize: 10, initialLoadSize: 10),
    observer: PagingObserver? = nil
  ) async throws -> Pager {
    let pager = Pager(config: config, observer: observer, source: server.source)
    await pager.settled()
    while pager.snapshot.items.last.map({ $0.id < id }) ?? false {
      try await pager.see(max(0, pager.snapshot.count - 15)..<max(0, pager.snapshot.count - 5))
      if pager.snapshot.source.append.isAtEnd { break }
      if pager.snapshot.source.failures.count > 0 { throw NeverCame() }
      if let last = pager.snapshot.items.last, last.id < id {
        try await pager.load(.append).finished()
      }
    }
    return pager
  }

  /// The IDs of the ten rows of the screen whose first row is `id`, as the snapshot has them.
  func screen(from id: Int) -> [Int] {
    let ids = snapshot.ids
    guard let start = ids.firstIndex(of: id) else { return [] }
    return Array(ids[start..<min(ids.count, start + 10)])
  }
}
