import Loading
import Paging

/// A generation on its way.
struct ModelCandidate {
  enum Goal {
    case firstPage
    case rows(Int)
    /// A row and so many from it on.
    case anchor(ModelAnchor, rows: Int)
    case index(Int, rows: Int)
    case item(Int, rows: Int)
  }

  var list = ModelList(generation: 0)
  var goal: Goal
  var key: Int?
  var budget: Int
  var keepsIndices = false
  var isJump = false
  /// A refresh around the anchor, from when nothing had been looked at.
  var beganUnseen = false
  var doing = ModelEdge.Doing.nothing
  var commands: [UInt64] = []
  var anchorPage: Int?
  var pagesTaken = 0
  var emptyPages = 0
  var hasBegun = false
  /// Which of all that have begun.
  var number = 0
  /// A change of the data led to it, or came before it.
  var owesInvalidation = false

  init(goal: Goal, key: Int?, budget: Int) {
    self.goal = goal
    self.key = key
    self.budget = budget
  }

  var load: ModelLoad? {
    if case .loading(let load) = doing { load } else { nil }
  }

  var isRunning: Bool { load != nil }

  var isJumpIntoPlaceholders: Bool { isJump && keepsIndices }

  var hasFailed: Bool {
    if case .failed = doing { true } else { false }
  }

  var state: String {
    switch doing {
    case .nothing: "rests"
    case .loading: "loads"
    case .failed(let error): "failed \(error)"
    }
  }
}

extension PagerModel {
  // MARK: - Begins

  mutating func beginRefresh(_ origin: RefreshOrigin, commands: [UInt64], isInvalidation: Bool = false) {
    guard let shown else {
      var first = ModelCandidate(goal: .firstPage, key: origin == .start ? nil : initialKey, budget: 1)
      (first.commands, first.owesInvalidation) = (commands, isInvalidation)
      return begin(first)
    }
    let viewport = anchoringViewport
    var next = ModelCandidate(goal: .rows(1), key: initialKey, budget: pagesTouched(by: viewport) + 2)
    (next.commands, next.owesInvalidation) = (commands, isInvalidation)
    if origin == .start {
      next.goal = .rows(viewport.map { $0.upper - $0.lower } ?? 1)
      next.key = nil
      return begin(next)
    }
    guard let viewport else {
      next.beganUnseen = true
      return begin(next)
    }
    let loaded = shown.loaded
    let nearest = min(max(viewport.lower, loaded.lowerBound), max(loaded.lowerBound, loaded.upperBound - 1))
    if let page = shown.page(at: nearest) {
      next.key = page.key
      next.anchorPage = page.number
      if page.previous == nil {
        next.list.passed = shown.passed + shown.pages.prefix { $0.number < page.number }
      }
    }
    if let anchor {
      next.goal = .anchor(anchor, rows: viewport.upper - anchor.coordinate)
    } else {
      next.keepsIndices = true
    }
    begin(next)
  }

  mutating func beginJump(_ target: ModelTarget, commands: [UInt64], keepsIndices: Bool = false) {
    // A refresh that is on its way leaves the list where something newer has moved it.
    mediator?.refresh.origin = .anchor
    mediator?.following?.origin = .anchor
    let rows = viewport.map { $0.upper - $0.lower } ?? 1
    switch target {
    case .index(let index):
      var next = ModelCandidate(goal: .index(index, rows: rows), key: index, budget: pagesTouched(by: viewport) + 2)
      (next.commands, next.keepsIndices, next.isJump) = (commands, keepsIndices, true)
      begin(next)
      guard !(0..<server.count).contains(index) else { return }
      if keepsIndices { cannotJumpToPlaceholders = true }
      giveUpCandidate("unreachableTarget")
    case .item(let row):
      var next = ModelCandidate(goal: .item(row, rows: rows), key: nil, budget: config.jumpWalkLimit)
      (next.commands, next.isJump) = (commands, true)
      begin(next)
    }
  }

  mutating func begin(_ next: ModelCandidate) {
    var next = next
    next.owesInvalidation = isInvalidated || next.owesInvalidation || candidate?.owesInvalidation == true
    discardCandidate("cancelled")
    isInvalidated = false
    begun += 1
    next.number = begun
    mediator?.generationBegan(begun)
    candidate = next
  }

  private func pagesTouched(by viewport: ModelViewport?) -> Int {
    guard let shown, let viewport, !shown.pages.isEmpty else { return 1 }
    let last = shown.loaded.upperBound - 1
    let from = min(max(viewport.lower, shown.loaded.lowerBound), last)
    let to = min(max(viewport.upper - 1, from), last)
    return shown.pages.count { $0.rows.overlaps(from + shown.base..<to + shown.base + 1) }
  }

  /// Nothing takes its place: the change that it was to read is still to be read.
  mutating func giveUpCandidate(_ error: String) {
    if candidate?.owesInvalidation == true { isInvalidated = true }
    discardCandidate(error)
  }

  mutating func discardCandidate(_ error: String) {
    guard let discarded = candidate else { return }
    candidate = nil
    finish(discarded.commands, error)
  }

  // MARK: - Goes on

  mutating func candidateContinues() -> Bool {
    guard var next = candidate, next.doing == .nothing, conditions != .suspended else { return false }
    if let anchor, let viewport = anchoringViewport {
      if next.beganUnseen { next.goal = .anchor(anchor, rows: 0) }
      if case .anchor = next.goal { next.goal = .anchor(anchor, rows: viewport.upper - anchor.coordinate) }
    }
    candidate = next
    if !next.hasBegun {
      return start(ModelLoad(type: .refresh, key: next.key, size: config.initialLoadSize, purpose: .visible))
    }
    let sides = sidesToLook(next)
    guard !sides.isEmpty else { return present(next) }
    let wanted = sides.compactMap { side -> ModelLoad? in
      guard case .key(let key) = next.list[side].next else { return nil }
      return ModelLoad(type: side, key: key, size: config.pageSize, purpose: .visible)
    }
    guard let load = wanted.first, next.pagesTaken < next.budget else {
      if case .item(let row, _) = next.goal, !next.list.rows.contains(row) {
        giveUpCandidate("itemNotFound")
        return false
      }
      return present(next)
    }
    if next.emptyPages >= config.emptyPageBudget {
      failCandidate("emptyPages")
      return false
    }
    return start(load)
  }

  private mutating func start(_ load: ModelLoad) -> Bool {
    let numbered = numbered(load)
    candidate?.doing = .loading(numbered)
    return true
  }

  /// Where more is to be looked for; empty: all is there.
  private func sidesToLook(_ next: ModelCandidate) -> [LoadType] {
    let list = next.list
    func rows(_ count: Int, from coordinate: Int) -> [LoadType] {
      list.loaded.upperBound - coordinate >= max(1, count) ? [] : [.append]
    }
    switch next.goal {
    case .firstPage: return []
    case .rows(let count): return rows(count, from: list.loaded.lowerBound)
    case .anchor(let anchor, let count):
      if let found = list.coordinate(of: anchor.row) { return rows(count, from: found) }
      let old = shown.map { $0.rows.lowerBound..<max($0.rows.lowerBound, anchor.row) } ?? 0..<0
      return old.overlaps(list.rows) ? [.append] : [.prepend, .append]
    case .index(let index, let count):
      return rows(count, from: max(list.loaded.lowerBound, list.loaded.lowerBound + index - list.before))
    case .item(let row, let count):
      return list.coordinate(of: row).map { rows(count, from: $0) } ?? [.append]
    }
  }

  mutating func failCandidate(_ error: String) {
    finish(candidate?.commands ?? [], error)
    candidate?.commands = []
    candidate?.doing = .failed(error)
    followUpFailed(error)
    endWaitingLoads(error)
  }

  /// Nothing is shown that more could be loaded of.
  mutating func endWaitingLoads(_ error: String) {
    guard shown == nil else { return }
    finish(waitingLoads.map(\.command), error)
    waitingLoads = []
  }

  // MARK: - Takes over

  /// - Returns: Whether the candidate still runs.
  private mutating func present(_ ready: ModelCandidate) -> Bool {
    guard let shown, case .anchor(let anchor, _) = ready.goal else {
      swapIn(ready, from: nil, to: 0)
      return false
    }
    if let found = ready.list.coordinate(of: anchor.row) {
      swapIn(ready, from: anchor.coordinate, to: found)
      return false
    }
    if ready.beganUnseen || (ready.anchorPage != nil && ready.anchorPage != anchor.page) {
      candidate?.commands = []
      beginRefresh(.anchor, commands: ready.commands)
      return candidateContinues()
    }
    let survivors = shown.rows.clamped(to: ready.list.rows)
    guard !survivors.isEmpty else {
      let last = max(ready.list.loaded.lowerBound, ready.list.loaded.upperBound - 1)
      swapIn(ready, from: anchor.coordinate, to: min(ready.list.loaded.lowerBound + anchor.offset, last))
      return false
    }
    // The nearest by the old order, of two the later one.
    let nearest =
      survivors.min { (abs($0 - anchor.row), -$0) < (abs($1 - anchor.row), -$1) } ?? anchor.row
    swapIn(ready, from: nearest - shown.base, to: nearest - ready.list.base)
    return false
  }

  private mutating func swapIn(_ ready: ModelCandidate, from old: Int?, to new: Int) {
    for side in [LoadType.prepend, .append] {
      guard var edge = shown?[side] else { continue }
      finish(edge.takeCommands(), edge.load == nil ? nil : "cancelled")
      shown?[side] = edge
    }
    let replacedStart = shown?.bounds.lowerBound
    candidate = nil
    generations += 1
    var next = ModelList(generation: generations, copying: ready.list)
    next.append.emptyPages = ready.emptyPages
    if ready.emptyPages > 0, next.append.next != .end { next.append.following = .visible }
    if let viewport {
      let length = viewport.upper - viewport.lower
      var lower = viewport.lower
      if let old {
        lower += new - old
      } else if let target = target(of: ready.goal, in: next), !ready.keepsIndices {
        lower = target
      } else if let replacedStart {
        lower += next.bounds.lowerBound - replacedStart
      }
      self.viewport = ModelViewport(lower: lower, upper: lower + length).clamped(to: next.bounds)
    }
    shown = next
    cannotJumpToPlaceholders = false
    shownNumber = ready.number
    finish(ready.commands)
    mediatorIsShown()
    dropPages(grew: .append)
    presentEdits()
  }

  private func target(of goal: ModelCandidate.Goal, in list: ModelList) -> Int? {
    switch goal {
    case .firstPage, .anchor: nil
    case .rows: list.loaded.lowerBound
    case .index(let index, _):
      min(max(list.bounds.lowerBound + index, list.bounds.lowerBound), list.bounds.upperBound)
    case .item(let row, _): list.coordinate(of: row)
    }
  }
}
