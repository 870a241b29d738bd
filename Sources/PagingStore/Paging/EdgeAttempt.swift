import Paging

/// One question at an edge, carried out: an ``EdgePlan`` with its effects.
struct EdgeAttempt<Item: StoredItem>: Sendable {
  typealias Answer = ListAsker<Item>.Answer

  private let edge: EdgeName
  private let list: any MediatedList<Item>
  private let remote: ListRemote<Item>
  private let rule: ListRule
  private let size: Int

  init(_ edge: EdgeName, of list: any MediatedList<Item>, remote: ListRemote<Item>, rule: ListRule, size: Int) {
    self.edge = edge
    self.list = list
    self.remote = remote
    self.rule = rule
    self.size = size
  }

  func run() async throws -> Answer {
    guard let run = try list.facts().run(edge.run) else { return Answer() }
    let rows = try list.rows(at: edge)
    var plan = EdgePlan(
      edge.side, of: edge.side == .older ? run.older : run.newer, hasRow: rows != nil,
      ways: try ways(from: rows))
    var answer = Answer()
    var walk = Walk()
    // The token was refused, now or earlier.
    var isRecovering = (edge.side == .older ? run.older : run.newer).token == nil
    var hasGoneOn = false
    while true {
      try Task.checkCancellation()
      switch plan.step {
      case .finish:
        guard !hasGoneOn, isRecovering, answer.outcome.inserted == 0, !answer.reachedEnd,
          let next = try list.facts().run(edge.run).map({ edge.side == .older ? $0.older : $0.newer }),
          next.state == .open, next.token != nil
        else { return answer }
        // The way is known again, and nothing new came with it.
        hasGoneOn = true
        plan = EdgePlan(edge.side, of: next, hasRow: true, ways: RemoteWays())
      case .isEnd: return Answer(reachedEnd: true)
      case .isDead: throw PagingError.deadEdge
      case .impossible: throw ListStoreError.cannotAskThere
      case .die:
        if let request = try list.request(at: edge) { try list.kill(request) }
        throw PagingError.deadEdge
      case .askToken(let token):
        guard let request = try list.request(at: edge), request.token == token else { return answer }
        if let came = try await asked({ try await newRows(from: token, for: request) }) {
          answer = came.answer
          plan.answered(meets: true, token: came.token)
        } else {
          try list.refuse(request)
          plan.refused()
          isRecovering = true
        }
      case .askByKey:
        let token = try rows.flatMap { try remote.tokenOfRows($0.items, $0.index, size) }
        try await ask(around: rows?.boundary, token: token, &plan, &answer)
      case .askAround:
        let token = try rows.flatMap { try remote.tokenAround($0.boundary.id) }
        try await ask(around: rows?.boundary, token: token, &plan, &answer)
      case .askNewerThan: try await askNewer(than: rows?.boundary, &plan, &answer)
      case .walk(let token): try await self.walk(from: token, to: rows?.boundary, &walk, &plan, &answer)
      }
    }
  }

  private func ways(from rows: EdgeRows<Item>?) throws -> RemoteWays {
    guard let rows, !rule.isRanked else { return RemoteWays() }
    return RemoteWays(
      byKey: rule.isKeyed && edge.side == .older,
      around: try remote.tokenAround(rows.boundary.id) != nil,
      newerThan: remote.newerThan != nil,
      walkedPages: ListAsker<Item>.walkedPages)
  }

  // MARK: - By the edge's token

  private struct Came {
    var answer: Answer
    var token: String?
  }

  /// The page at the token. A ranked list passes over pages that hold nothing new: three in a row end it.
  private func newRows(from token: String, for request: ListRequest<Item>) async throws -> Came {
    var token = token
    for passed in 1... {
      var page = try await page(edge.side == .older ? .append : .prepend, token: token)
      if rule.isRanked {
        let known = try list.known(page.items.map(\.id))
        page.items.removeAll { known.contains($0.id) }
        if page.items.isEmpty, !page.reachedEnd, let next = page.olderToken {
          if passed < ListAsker<Item>.passedPages, next != token {
            token = next
            continue
          }
          page = RemotePage([], reachedEnd: true)
        }
      }
      return Came(answer: try apply(page, for: request), token: page.olderToken)
    }
    return Came(answer: Answer(), token: nil)
  }

  // MARK: - By the row at the edge

  private func ask(
    around boundary: Item?, token: String?, _ plan: inout EdgePlan, _ answer: inout Answer
  ) async throws {
    guard let boundary, let token else { return plan.answered(meets: false, token: nil) }
    let request = try list.request(.around(boundary.id))
    guard let page = try await asked({ try await page(.refresh, token: token) }) else { return plan.refused() }
    answer = try apply(page, for: request)
    plan.answered(meets: page.items.contains { $0.id == boundary.id }, token: page.olderToken)
  }

  private func askNewer(than boundary: Item?, _ plan: inout EdgePlan, _ answer: inout Answer) async throws {
    guard let boundary, let newerThan = remote.newerThan, let request = try list.request(at: edge) else {
      return plan.answered(meets: false, token: nil)
    }
    let head = try list.request(.head)
    guard let came = try await asked({ try await newerThan(boundary, size) }) else { return plan.refused() }
    // Rows that don't reach down to the edge are the newest ones, with rows missing below them.
    answer = try apply(came.page, for: came.reachesRow ? request : head)
    plan.answered(meets: true, token: nil)
  }

  // MARK: - From the head

  /// The pages of a walk so far; they are merged as one when it ends, so that they are known to continue one another.
  private struct Walk {
    var request: ListRequest<Item>?
    var items: [Item] = []
  }

  private func walk(
    from token: String?, to boundary: Item?, _ walk: inout Walk, _ plan: inout EdgePlan, _ answer: inout Answer
  ) async throws {
    if token == nil { walk = Walk(request: try list.request(.head)) }
    guard let boundary, let request = walk.request,
      let page = try await asked({ try await page(token == nil ? .refresh : .append, token: token) })
    else { return plan.refused() }
    walk.items += page.items
    plan.answered(meets: page.items.contains { $0.id == boundary.id }, token: page.olderToken)
    if case .walk = plan.step { return }
    var whole = RemotePage(walk.items, olderToken: page.olderToken, reachedEnd: page.reachedEnd)
    whole.provesAbsence = page.provesAbsence
    answer = try apply(whole, for: request)
  }

  // MARK: - The remote

  /// What a question brings; nil: the remote refuses the place that was asked with.
  private func asked<Value>(_ ask: () async throws -> Value) async throws -> Value? {
    do {
      return try await ask()
    } catch let error as PagingError where error.refusesPlace {
      return nil
    }
  }

  private func page(_ type: LoadType, token: String?) async throws -> RemotePage<Item> {
    let excluded = remote.takesExclusions ? try list.shown() : []
    return try await remote.page(.init(type: type, token: token, size: size, excluded: excluded))
  }

  private func apply(_ page: RemotePage<Item>, for request: ListRequest<Item>) throws -> Answer {
    Answer(outcome: try list.merge(page, for: request), ids: page.items.map(\.id), reachedEnd: page.reachedEnd)
  }
}
