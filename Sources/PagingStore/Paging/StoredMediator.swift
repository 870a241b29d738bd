import Paging
import Synchronization

/// Brings a remote's pages into a stored list for its pager.
///
/// What is stored shows without it. A refresh follows the list's policy: the head page goes in above and a gap is
/// recorded, discarded or caught up, or the list is replaced once the new pages cover the screen. An append goes on at
/// the oldest stored row, a prepend above the newest, where the remote says how.
struct StoredMediator<Item: StoredItem>: Mediator {
  typealias Key = ListKey

  private let asker: ListAsker<Item>
  private let policy: ListPolicy
  private let entry: MediatorEntry<Item.ID>
  private let window: DetachedWindow<Item>?
  /// Whether the rows around the entry were asked for, or needn't be.
  private let hasEntered: Entered

  /// How many pages a refresh gathers at most.
  static var gatheredPages: Int { 50 }

  /// - Parameter window: Where the rows around the entry go if they share nothing with the list.
  init(
    _ asker: ListAsker<Item>, policy: ListPolicy, entry: MediatorEntry<Item.ID>, window: DetachedWindow<Item>? = nil
  ) {
    self.asker = asker
    self.window = window
    self.policy = policy
    self.entry = entry
    hasEntered = Entered(!entry.isMissing)
  }

  /// An item that is stored needs no request to be shown; any other entry begins with a refresh.
  @concurrent func initialize() async -> InitializeAction { entry.isStoredItem ? .skip : .refresh }

  @concurrent func load(_ request: MediatorRequest<ListKey, ListRow<Item>>) async throws -> MediatorResult {
    switch request.type {
    case .refresh: try await refresh(request.state)
    case .append: try await append(request.state.config)
    case .prepend: try await prepend(request.state.config)
    }
  }

  // MARK: - At the ends

  private func append(_ config: PagingConfig) async throws -> MediatorResult {
    let asker = window?.asker ?? asker
    guard let tail = try asker.list.facts().tail else {
      let answer = try await asker.askHead(size: headSize(config))
      return MediatorResult(endReached: answer.reachedEnd)
    }
    let answer = try await asker.ask(beyond: EdgeName(run: tail.number, side: .older), size: config.pageSize)
    if try window?.join(after: answer.ids) == true { return MediatorResult(endReached: false) }
    return MediatorResult(endReached: try asker.list.facts().endsAtTail)
  }

  /// The newest row is the list's first, unless a page said how to go on above it.
  private func prepend(_ config: PagingConfig) async throws -> MediatorResult {
    let asker = window?.asker ?? asker
    guard let head = try asker.list.facts().head, head.newer.state == .open, head.newer.token != nil else {
      return MediatorResult(endReached: true)
    }
    let answer = try await asker.ask(beyond: EdgeName(run: head.number, side: .newer), size: config.pageSize)
    if try window?.join(after: answer.ids) == true { return MediatorResult(endReached: false) }
    return MediatorResult(endReached: answer.reachedEnd || answer.ids.isEmpty)
  }

  // MARK: - A refresh

  private func refresh(_ state: PagingState<ListKey, ListRow<Item>>) async throws -> MediatorResult {
    if let id = entry.missing, !hasEntered.value {
      let answer = try await asker.ask(around: id, size: headSize(state.config)) { [window] in
        try window?.open(with: $0)
      }
      // Of two pagers that asked at the same time one took the rows in.
      if answer.outcome.refusal == .detached { try window?.lookAgain() }
      hasEntered.set()
      guard answer.ids.isEmpty else { return MediatorResult(endReached: false) }
    }
    if policy.order == .ids, let ids = asker.remote.ids {
      let request = try list.request(.head)
      try list.supplant(withIDs: try await ids(), for: request)
      return MediatorResult(endReached: false)
    }
    return try await refreshPages(state)
  }

  private func refreshPages(_ state: PagingState<ListKey, ListRow<Item>>) async throws -> MediatorResult {
    var plan = RefreshPlan(try building(state), hasChangeLog: asker.remote.changes != nil)
    var gathered = Gathered(cover: cover(state))
    while true {
      try Task.checkCancellation()
      switch plan.step {
      case .finish: return MediatorResult(endReached: false)
      case .askChanges(let maxPages):
        try await catchUp(maxPages: maxPages)
        plan.changesCame()
      case .askHead:
        _ = try await asker.askHead(size: headSize(state.config))
        plan.headCame(try list.facts())
      case .askBelowHead(let run):
        let before = try list.facts()
        _ = try await asker.ask(beyond: EdgeName(run: run, side: .older), size: state.config.pageSize)
        plan.belowHeadCame(try list.facts(), before: before)
      case .gather(let token):
        if gathered.request == nil { gathered.request = try list.request(.head) }
        let size = token == nil ? headSize(state.config) : state.config.pageSize
        let page = try await asker.page(token == nil ? .refresh : .append, token: token, size: size)
        gathered.add(page)
        plan.gathered(covers: gathered.cover.isCovered || gathered.cover.isStuck, token: page.olderToken)
      case .switchOver:
        if let request = gathered.request { _ = try list.supplant(with: gathered.page, for: request) }
        plan.stored()
      case .discardBelow(let run):
        try list.discard(below: run)
        plan.stored()
      }
    }
  }

  private func building(_ state: PagingState<ListKey, ListRow<Item>>) throws -> RefreshPlan.Building {
    var replaces = policy.freshness == .replace
    if case .ranked = policy.order.kind { replaces = true }
    if replaces { return .beside(maxPages: try depth(state)) }
    switch policy.gaps.kind {
    case .record: return .inPlace(.record)
    case .discard: return .inPlace(.discard)
    case .catchUp(let maxPages): return .inPlace(.catchUp(maxPages: maxPages))
    }
  }

  /// As many pages as lie before the row that is to come again, and two.
  private func depth(_ state: PagingState<ListKey, ListRow<Item>>) throws -> Int {
    guard let anchor = anchor(state) else { return Self.gatheredPages }
    let (limit, overflow) = Self.gatheredPages.multipliedReportingOverflow(by: state.config.pageSize)
    let rows = try list.depth(of: anchor, limit: overflow ? .max : limit) ?? 0
    return min(Self.gatheredPages, rows / state.config.pageSize + 3)
  }

  /// The row at the top of the screen; before there is one, the row that the list is opened at.
  private func anchor(_ state: PagingState<ListKey, ListRow<Item>>) -> Item.ID? {
    if case .ranked = policy.order.kind { return nil }
    if state.pages.isEmpty { return entry.place }
    guard let index = state.anchorIndex else { return nil }
    return state.closestItem(to: index) { $0.item != nil }?.item?.id
  }

  private func cover(_ state: PagingState<ListKey, ListRow<Item>>) -> ScreenCover<Item.ID> {
    ScreenCover(anchor: anchor(state), rowsBelow: min(state.config.pageSize, headSize(state.config)))
  }

  // MARK: - The log of changes

  /// Applies what changed since the last time. In a keyed list, what is newer than its rows goes in above them, if the
  /// log was read to its end: then nothing is missing between.
  private func catchUp(maxPages: Int) async throws {
    guard let changes = asker.remote.changes else { return }
    var token = try list.changeToken()
    let isFirst = token == nil
    let head = try list.facts().head
    let above = try head.map { try list.request(at: EdgeName(run: $0.number, side: .newer)) } ?? nil
    var newcomers: [Item] = []
    for number in 1...max(1, maxPages) {
      let request = try list.request(.head)
      let page = try await changes(token)
      let upserts = page.needsFullReload ? [] : page.upserts
      newcomers += try list.apply(
        RemoteChanges(
          upserts: upserts, deletions: page.needsFullReload ? [] : page.deletions, token: page.nextToken,
          request: request))
      if page.needsFullReload || isFirst { newcomers = [] }
      guard page.hasMore, !page.needsFullReload, let next = page.nextToken, next != token else {
        if page.needsFullReload || page.hasMore { return }
        break
      }
      if number == max(1, maxPages) { return }
      token = next
    }
    let rows = try list.aboveAll(newcomers)
    guard let above, !rows.isEmpty else { return }
    _ = try list.merge(RemotePage(rows, reachedEnd: true), for: above)
  }

  // MARK: - Parts

  private var list: any MediatedList<Item> { asker.list }

  private func headSize(_ config: PagingConfig) -> Int {
    asker.remote.hasEvenPages ? config.pageSize : config.initialLoadSize
  }

  /// Pages that are kept aside.
  private struct Gathered {
    var request: ListRequest<Item>?
    /// All pages as one.
    var page = RemotePage<Item>([])
    var cover: ScreenCover<Item.ID>

    init(cover: ScreenCover<Item.ID>) {
      self.cover = cover
    }

    mutating func add(_ page: RemotePage<Item>) {
      if self.page.items.isEmpty { self.page.newerToken = page.newerToken }
      self.page.items += page.items
      self.page.olderToken = page.olderToken
      self.page.reachedEnd = page.reachedEnd
      self.page.provesAbsence = page.provesAbsence
      cover.came(page.items.lazy.map(\.id))
    }
  }
}

/// Where a mediator's list is opened.
struct MediatorEntry<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The item that the list stands at; nil: its newest rows.
  var place: ID?
  /// The item was asked for by name.
  var isItem = false
  /// It is a row of the list.
  var isStored = true

  /// The item that is to be asked for before anything can be shown.
  var missing: ID? { isMissing ? place : nil }
  var isMissing: Bool { isItem && !isStored }
  var isStoredItem: Bool { isItem && isStored }
}

/// Whether something was done, once for all who ask.
final class Entered: Sendable {
  private let done: Mutex<Bool>

  init(_ done: Bool) {
    self.done = Mutex(done)
  }

  var value: Bool { done.withLock { $0 } }
  func set() { done.withLock { $0 = true } }
}
