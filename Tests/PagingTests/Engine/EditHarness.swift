import Loading

@testable import Paging

/// A row that says which load brought it; 0 for one that a user made.
struct Entry: Identifiable, Hashable, Sendable {
  var id: Int
  var text = ""
  var load: UInt64 = 0
}

/// A pager's state with edits, and beside it what a naive reading of the contract makes of the same events.
///
/// A value, so that a test can go several ways from one point.
struct EditHarness {
  enum Kind {
    case patch(String)
    case remove
    case insert(Entry, InsertionPoint<Int>)
  }

  struct NaiveEdit {
    let number: UInt64
    var item: Int
    var kind: Kind
    /// The number of the last load that had begun when it was confirmed.
    var confirmed: UInt64?
  }

  var state: PagerState
  var publisher: SnapshotPublisher
  /// The newest snapshot.
  var latest: PagingSnapshot<Entry>
  /// The rows on the server.
  var server: [Entry]
  var goesBack = true
  var counts = false
  private(set) var pending: [(id: UInt64, params: OpaqueParams, generation: UInt64)] = []
  private var lastLoad: UInt64 = 0
  private var firstLoads: [UInt64: UInt64] = [:]
  private(set) var edits: [NaiveEdit] = []
  /// Which row identity an item's row goes by, the newest last.
  private(set) var aliases: [(item: Int, row: Int)] = []

  init(config: PagingConfig, server: [Entry], initialKey: Int? = nil) {
    state = PagerState(config: config, initialKey: initialKey.map { OpaqueKey($0) }, access: TypedRows<Entry>())
    let origin = SnapshotOrigin()
    publisher = SnapshotPublisher(origin: origin, maker: TypedRows<Entry>(), showing: state.visible)
    latest = PagingSnapshot(showing: state, origin: origin)
    self.server = server
  }

  // MARK: - What happens

  mutating func perform(_ event: (inout PagerState) -> [PagerAction]) {
    var actions = event(&state)
    while !actions.isEmpty {
      switch actions.removeFirst() {
      case .openSource(let generation, let question):
        var key: OpaqueKey?
        if case .index(let index) = question, server.indices.contains(index) { key = OpaqueKey(index) }
        actions += state.sourceOpened(generation, traits: SourceTraits(keyKind: .offset), key: key, now: .zero)
      case .chooseSurvivor(let generation, _, _): actions += state.survivorChosen(generation, nil, now: .zero)
      case .load(let id, let generation, let params):
        pending.append((id, params, generation))
        lastLoad = max(lastLoad, id)
      case .cancel(let id): pending.removeAll { $0.id == id }
      case .closeSource, .finish, .wake, .report, .openMediator, .mediate: break
      }
    }
    endNaively()
    let visible = state.visible
    if visible != publisher.shown { latest = SnapshotHub<Entry>.typed(publisher.snapshot(of: state, showing: visible)) }
  }

  mutating func observe() { perform { $0.observerAdded(now: .zero) } }
  mutating func refresh(_ origin: RefreshOrigin = .anchor) { perform { $0.refreshAsked(origin, 1, now: .zero) } }

  /// Ends a pending load with what the server has now.
  mutating func load(at position: Int = 0) {
    let (id, params, generation) = pending.remove(at: position)
    firstLoads[generation] = firstLoads[generation] ?? id
    let key = params.key?.typed(as: Int.self) ?? 0
    let back = params.type == .prepend && goesBack
    let start = back ? max(0, min(key, server.count) - params.loadSize) : min(max(0, key), server.count)
    let end = back ? min(key, server.count) : min(server.count, start + params.loadSize)
    let rows = server[start..<max(start, end)].map { Entry(id: $0.id, text: $0.text, load: id) }
    let page = OpaquePage(
      Page<Int, Entry>(
        rows, previousKey: goesBack && start > 0 ? start : nil, nextKey: end < server.count ? end : nil,
        itemsBefore: counts ? start : nil, itemsAfter: counts ? server.count - end : nil))
    perform { $0.pageLoaded(id, page, now: .zero) }
  }

  mutating func fail(at position: Int = 0) {
    let id = pending.remove(at: position).id
    perform { $0.loadFailed(id, Broken(), now: .zero) }
  }

  mutating func drain(limit: Int = 1000) {
    var left = limit
    while !pending.isEmpty, left > 0 {
      load()
      left -= 1
    }
  }

  mutating func look(at rows: Range<Int>, in snapshot: PagingSnapshot<Entry>? = nil) {
    let body = (snapshot ?? latest).body
    let reported = ReportedSnapshot(
      generation: body.generation, pages: body.pages.tree, firstCoordinate: body.firstCoordinate,
      placeholdersBefore: body.placeholdersBefore, placeholdersAfter: body.placeholdersAfter, layout: body.layout)
    perform { $0.viewportMoved(to: rows, of: reported, from: .pager, now: .zero) }
  }

  // MARK: - Edits

  @discardableResult mutating func edit(_ item: Int, _ kind: Kind) -> UInt64? {
    var kind = kind
    var item = item
    let change: EditOverlay.Change
    switch kind {
    case .patch(let word):
      item = resolved(item)
      change = .patch(RowPatch<Entry> { $0.text += word })
    case .remove:
      item = resolved(item)
      change = .removal
    case .insert(let entry, let point):
      change = .insertion(row: PageBox([entry]), at: place(point))
      aliases.removeAll { $0.row == entry.id }
      kind = .insert(entry, resolved(point))
    }
    var number: UInt64?
    let sought = SoughtItem(item, of: Entry.self)
    let edit = (item: item, kind: kind)
    perform { state in
      let given = state.editGiven(sought, change, now: .zero)
      number = given.edit
      return given.actions
    }
    if let number { edits.append(NaiveEdit(number: number, item: edit.item, kind: edit.kind)) }
    // The naive edits are one event behind.
    endNaively()
    return number
  }

  private func place(_ point: InsertionPoint<Int>) -> EditOverlay.Point {
    switch point {
    case .start: .start
    case .end: .end
    case .before(let id): .before(SoughtItem(id, of: Entry.self))
    case .after(let id): .after(SoughtItem(id, of: Entry.self))
    }
  }

  mutating func confirm(_ number: UInt64, as entry: Entry? = nil) {
    if let position = edits.firstIndex(where: { $0.number == number && $0.confirmed == nil }) {
      edits[position].confirmed = lastLoad
      if let entry, case .insert(let former, let point) = edits[position].kind {
        edits[position].kind = .insert(entry, point)
        if entry.id != former.id { rename(former.id, entry, since: number) }
      }
    }
    let replacement = entry.map { (row: PageBox([$0]) as PageNode, item: SoughtItem($0.id, of: Entry.self)) }
    perform { $0.editConfirmed(number, as: replacement, now: .zero) }
  }

  mutating func rollBack(_ number: UInt64) {
    edits.removeAll { $0.number == number && $0.confirmed == nil }
    perform { $0.editRolledBack(number, now: .zero) }
  }

  // MARK: - The naive reading

  private func resolved(_ id: Int) -> Int { aliases.last { $0.row == id }?.item ?? id }

  private func resolved(_ point: InsertionPoint<Int>) -> InsertionPoint<Int> {
    switch point {
    case .start, .end: point
    case .before(let id): .before(resolved(id))
    case .after(let id): .after(resolved(id))
    }
  }

  private mutating func rename(_ former: Int, _ entry: Entry, since number: UInt64) {
    let new = entry.id
    let row = aliases.first { $0.item == former }?.row ?? former
    aliases.removeAll { $0.item == new || $0.item == former || $0.row == row }
    if new != row { aliases.append((new, row)) }
    for position in edits.indices {
      if edits[position].item == former, edits[position].number >= number {
        edits[position].item = new
        if case .insert(_, let point) = edits[position].kind { edits[position].kind = .insert(entry, point) }
      }
      switch edits[position].kind {
      case .insert(let entry, .before(former)): edits[position].kind = .insert(entry, .before(new))
      case .insert(let entry, .after(former)): edits[position].kind = .insert(entry, .after(new))
      default: break
      }
    }
  }

  /// The rows that the source brought, as the generation holds them.
  var base: [Entry] { PageSequence<Entry>(state.shown.pages).flatMap(\.items) }

  private mutating func endNaively() {
    let loads = Dictionary(uniqueKeysWithValues: base.map { ($0.id, $0.load) })
    let firstLoad = firstLoads[state.shown.number] ?? 0
    var standing: Set<Int> = []
    edits.removeAll { edit in
      var ends = false
      if let confirmed = edit.confirmed {
        if case .patch = edit.kind {
          ends = !standing.contains(edit.item) && loads[edit.item].map { $0 > confirmed } == true
        } else {
          ends = firstLoad > confirmed
        }
      }
      if !ends { standing.insert(edit.item) }
      return ends
    }
  }

  /// The rows as the contract has them: what each goes by, what it shows, and whether it is the generation's own.
  var naive: [(row: Int, item: Entry, isOwn: Bool)] {
    guard state.isShowing else { return [] }
    let base = base
    // What becomes of each item that edits name, or that is there: where it is, and whether it shows.
    var items = Dictionary(uniqueKeysWithValues: base.map { ($0.id, (item: $0, insertion: UInt64?.none, shows: true)) })
    for edit in edits {
      switch edit.kind {
      case .patch(let word): if items[edit.item]?.shows == true { items[edit.item]?.item.text += word }
      case .remove: items[edit.item]?.shows = false
      case .insert(let entry, _):
        if items[edit.item]?.shows != true { items[edit.item] = (entry, edit.number, true) }
      }
    }
    func inserted(at point: InsertionPoint<Int>) -> [Int] {
      edits.filter { edit in
        if case .insert(_, point) = edit.kind { items[edit.item]?.insertion == edit.number } else { false }
      }.map(\.item)
    }
    func expand(_ id: Int) -> [Int] {
      inserted(at: .before(id)).flatMap(expand) + [id] + inserted(at: .after(id)).reversed().flatMap(expand)
    }
    var order: [Int] = []
    if state.shown.prepend.isAtEnd { order += inserted(at: .start).reversed().flatMap(expand) }
    for row in base {
      // A row that was removed and inserted elsewhere has taken with it what is at it.
      order += items[row.id]?.insertion == nil ? expand(row.id) : []
    }
    if state.shown.append.isAtEnd { order += inserted(at: .end).flatMap(expand) }
    let shown = order.filter { items[$0]?.shows == true }
    return shown.compactMap { id in
      guard let item = items[id]?.item else { return nil }
      let alias = aliases.first { $0.item == id }?.row
      let isFree = alias.map { items[$0]?.shows != true } ?? false
      return (isFree ? alias ?? id : id, item, items[id]?.insertion == nil)
    }
  }
}
