/// What the edits do to which rows of a generation. Costs a few look-ups for each edit.
struct EditPlan {
  /// An inserted row that is shown.
  struct Inserted {
    /// The place of its edit among the edits.
    let edit: Int
    var patches: [Patch]
    var alias: RowAliases.Alias?
  }

  struct Patch {
    let edit: UInt64
    let node: PatchNode
  }

  /// What becomes of a row of the generation.
  struct RowWork {
    var isHidden = false
    var patches: [Patch] = []
    var alias: RowAliases.Alias?
    /// Rows in front of it and behind it, in order.
    var before: [Inserted] = []
    var after: [Inserted] = []
  }

  /// The rows that edits touch, by the ordinals of their pages and by their offsets.
  private(set) var rows: [Int: [Int: RowWork]] = [:]
  /// Rows in front of the first one and behind the last, in order.
  private(set) var start: [Inserted] = []
  private(set) var end: [Inserted] = []

  var isEmpty: Bool { rows.isEmpty && start.isEmpty && end.isEmpty }

  /// A plan that does nothing.
  init() {}

  init(_ edits: [EditOverlay.Edit], _ aliases: RowAliases, on generation: Generation) {
    var items = EditedItems(edits, on: generation)
    for alias in aliases.all where items.isVisible(alias.item) && !items.isVisible(alias.row) {
      items.alias(alias)
    }
    for (_, item) in items.states {
      guard let address = item.address else { continue }
      let isHidden = !item.isVisible || item.insertion != nil
      guard isHidden || !item.patches.isEmpty || item.alias != nil else { continue }
      var work = RowWork()
      work.isHidden = isHidden
      if !isHidden {
        work.patches = item.patches
        work.alias = item.alias
      }
      rows[address.ordinal, default: [:]][address.offset] = work
    }
    place(items)
    if generation.prepend.isAtEnd { start = items.flattened(items.atStart.reversed()) }
    if generation.append.isAtEnd { end = items.flattened(items.atEnd) }
  }

  /// Puts inserted rows at the rows of the generation that they were put before or behind.
  private mutating func place(_ items: EditedItems) {
    for (target, inserted) in items.before {
      guard let address = items.addressOfTarget(target) else { continue }
      rows[address.ordinal, default: [:]][address.offset, default: RowWork()].before = items.flattened(inserted)
    }
    for (target, inserted) in items.after {
      guard let address = items.addressOfTarget(target) else { continue }
      rows[address.ordinal, default: [:]][address.offset, default: RowWork()].after =
        items.flattened(inserted.reversed())
    }
  }
}

/// What the edits of each item come to, one after the other.
private struct EditedItems {
  struct State {
    /// Where the generation holds it.
    var address: RowAddress?
    /// The insertion by which it is where it is, the last one that had an effect; it keeps its place when it is hidden.
    var insertion: Int?
    var isVisible: Bool
    var patches: [EditPlan.Patch] = []
    var alias: RowAliases.Alias?
  }

  private let edits: [EditOverlay.Edit]
  private let generation: Generation
  private(set) var states: [ItemKey: State] = [:]
  private var targets: [ItemKey: SoughtItem] = [:]
  /// Insertions by where they go, in the order in which they were given.
  private(set) var atStart: [Int] = []
  private(set) var atEnd: [Int] = []
  private(set) var before: [ItemKey: [Int]] = [:]
  private(set) var after: [ItemKey: [Int]] = [:]

  init(_ edits: [EditOverlay.Edit], on generation: Generation) {
    self.edits = edits
    self.generation = generation
    for (position, edit) in edits.enumerated() { apply(edit, position) }
    for (position, edit) in edits.enumerated() {
      guard case .insertion(_, let point) = edit.change, states[edit.item.key]?.insertion == position else { continue }
      switch point {
      case .start: atStart.append(position)
      case .end: atEnd.append(position)
      case .before(let target):
        targets[target.key] = target
        before[target.key, default: []].append(position)
      case .after(let target):
        targets[target.key] = target
        after[target.key, default: []].append(position)
      }
    }
  }

  private mutating func apply(_ edit: EditOverlay.Edit, _ position: Int) {
    let key = edit.item.key
    var state = states[key] ?? unedited(edit.item)
    switch edit.change {
    case .patch(let node):
      if state.isVisible { state.patches.append(EditPlan.Patch(edit: edit.number, node: node)) }
    case .removal:
      state.isVisible = false
      state.patches = []
    case .insertion:
      // Where the item is there already, that one shows.
      if !state.isVisible {
        state.insertion = position
        state.isVisible = true
        state.patches = []
      }
    }
    states[key] = state
  }

  private func unedited(_ item: SoughtItem) -> State {
    let address = generation.address(of: item)
    return State(address: address, isVisible: address != nil)
  }

  func isVisible(_ item: SoughtItem) -> Bool { states[item.key]?.isVisible ?? (generation.address(of: item) != nil) }

  mutating func alias(_ alias: RowAliases.Alias) {
    var state = states[alias.item.key] ?? unedited(alias.item)
    state.alias = alias
    states[alias.item.key] = state
  }

  /// Where the generation has a row that others were put at; nil where that is an inserted one itself, or not there.
  func addressOfTarget(_ key: ItemKey) -> RowAddress? {
    if let state = states[key] { return state.insertion == nil ? state.address : nil }
    return targets[key].flatMap { generation.address(of: $0) }
  }

  /// Inserted rows with all that was put at them, in the order of the list.
  ///
  /// Rows that were put at one another and at nothing else are reached from nowhere, and don't show.
  func flattened(_ roots: [Int]) -> [EditPlan.Inserted] {
    var rows: [EditPlan.Inserted] = []
    // A stack of its own: a long chat is a chain of rows, each behind the one before.
    var stack = roots.reversed().map { (insertion: $0, isOpened: false) }
    while let (insertion, isOpened) = stack.popLast() {
      let key = edits[insertion].item.key
      if isOpened {
        guard let state = states[key], state.isVisible else { continue }
        rows.append(EditPlan.Inserted(edit: insertion, patches: state.patches, alias: state.alias))
        continue
      }
      for later in after[key] ?? [] { stack.append((later, false)) }
      stack.append((insertion, true))
      for earlier in (before[key] ?? []).reversed() { stack.append((earlier, false)) }
    }
    return rows
  }
}
