import Paging

/// One run of a mediator verifier: the list as it was fetched once, and what was found.
struct MediatorTrial<Remote: Mediator, Source: PageSource>: Sendable
where Remote.Key == Source.Key, Remote.Item == Source.Item {
  typealias Key = Source.Key
  typealias ID = Source.Item.ID
  typealias State = PagingState<Key, Source.Item>

  /// A mediator, and the source that reads its store.
  struct Pair: Sendable {
    let mediator: Remote
    let source: Source
  }

  /// What a store holds.
  struct Stored: Sendable {
    var pages: [Page<Key, Source.Item>]
    var ids: [ID] { pages.flatMap(\.items).map(\.id) }
  }

  let makePair: @Sendable () async throws -> (Remote, Source)
  let config: PagingConfig
  let maxLoads: Int
  let patience: Patience
  var findings = Findings()
  /// What the first refresh brought, and all rows once both ends were reached.
  var beginning: [ID] = []
  var list: [ID] = []

  init(
    makePair: @escaping @Sendable () async throws -> (Remote, Source), config: PagingConfig, maxLoads: Int,
    patience: Patience
  ) {
    self.makePair = makePair
    self.config = config
    self.maxLoads = maxLoads
    self.patience = patience
  }

  // MARK: - Calls

  mutating func pair(in check: VerifierCheck) async -> Pair? {
    guard !findings.isOver else { return nil }
    do {
      let make = makePair
      let (mediator, source) = try await patience.wait { try await make() }
      return Pair(mediator: mediator, source: source)
    } catch {
      findings.threw(error, "Making a mediator and its source", in: check)
      return nil
    }
  }

  /// What the mediator is asked with these pages loaded.
  func request(_ type: LoadType, _ stored: Stored) -> MediatorRequest<Key, Source.Item> {
    let rows = stored.ids.count
    let anchor = rows == 0 ? nil : type == .append ? rows - 1 : 0
    return MediatorRequest(type, state: State(pages: stored.pages, anchorIndex: anchor, config: config))
  }

  func text(_ type: LoadType, _ stored: Stored) -> String { "load(.\(type)) with \(stored.ids.count) rows loaded" }

  /// Lets the mediator load; nil where that fails, which is then noted.
  mutating func load(
    _ type: LoadType, _ stored: Stored, _ pair: Pair, in check: VerifierCheck
  ) async -> MediatorResult? {
    guard !findings.isOver else { return nil }
    let request = request(type, stored)
    do {
      return try await patience.wait { try await pair.mediator.load(request) }
    } catch {
      findings.threw(error, text(type, stored), in: check)
      return nil
    }
  }

  /// Reads the store from end to end; nil where that fails, or where a row is there twice, which is then noted.
  mutating func stored(_ pair: Pair, in check: VerifierCheck, after event: String) async -> Stored? {
    guard !findings.isOver else { return nil }
    do {
      let stored = try await read(pair.source)
      var seen: Set<ID> = []
      if let twice = stored.ids.first(where: { !seen.insert($0).inserted }) {
        findings.fail(check, "After \(event) the source serves the ID \(twice) twice.")
        return nil
      }
      return stored
    } catch {
      findings.threw(error, "Reading the source after \(event)", in: check)
      return nil
    }
  }

  /// Walks a source both ways.
  func read(_ source: Source) async throws -> Stored {
    let load = { (params: LoadParams<Key>) in try await patience.wait { try await source.load(params) } }
    let first = try await load(LoadParams(.refresh, loadSize: config.pageSize))
    var pages = [first]
    for type in [LoadType.append, .prepend] {
      var next = type == .append ? first.nextKey : first.previousKey
      var left = maxLoads * 100
      while let key = next {
        left -= 1
        guard left > 0 else { throw StoreWithoutEnd(pages: pages.count) }
        let page = try await load(LoadParams(type, key: key, loadSize: config.pageSize))
        if type == .append { pages.append(page) } else { pages.insert(page, at: 0) }
        next = type == .append ? page.nextKey : page.previousKey
      }
    }
    return Stored(pages: pages.filter { !$0.items.isEmpty })
  }

  // MARK: - Comparing

  /// What tells rows from those of the whole list, of which they are to be a run without gaps; nil where nothing does.
  func gap(in ids: [ID]) -> String? {
    guard let first = ids.first else { return nil }
    guard let start = list.firstIndex(of: first) else {
      return "the first row is \(first), which was not fetched before"
    }
    for (offset, id) in ids.enumerated() where start + offset >= list.count || list[start + offset] != id {
      let wanted = list.indices.contains(start + offset) ? "\(list[start + offset])" : "nothing"
      return "behind \(offset) rows there is \(id), and \(wanted) should follow them"
    }
    return nil
  }

  /// Appends and prepends until both ends are reached, and compares with the whole list.
  mutating func checkRest(of pair: Pair, in check: VerifierCheck, after event: String) async {
    guard var stored = await stored(pair, in: check, after: event) else { return }
    if let gap = gap(in: stored.ids) { return findings.fail(check, "After \(event), \(gap).") }
    for type in [LoadType.append, .prepend] {
      var isAtEnd = false
      for _ in 0...maxLoads where !isAtEnd {
        let call = "\(event) and \(text(type, stored))"
        guard let result = await load(type, stored, pair, in: check),
          let now = await self.stored(pair, in: check, after: call)
        else { return }
        if let gap = gap(in: now.ids) { return findings.fail(check, "After \(call), \(gap).") }
        stored = now
        isAtEnd = result.endReached
      }
    }
    if stored.ids != list {
      findings.fail(
        check, "After \(event) and loads to both ends there are \(stored.ids.count) rows, and there were \(list.count)."
      )
    }
  }
}

/// A store's source gives keys without end.
struct StoreWithoutEnd: Error, CustomStringConvertible {
  let pages: Int

  var description: String { "no error, but after \(pages) pages the source still gives keys" }
}
