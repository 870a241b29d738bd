/// Where a jump goes.
enum JumpTarget: Sendable {
  case index(Int)
  case item(SoughtItem)
  case key(OpaqueKey)
}

/// An item that is not loaded: its identity is all there is.
struct SoughtItem: Sendable {
  /// The identity, for the shell to ask a source with.
  let id: OpaqueKey
  let hash: Int
  /// Whether a row has that identity.
  let isRow: @Sendable (_ page: PageNode, _ offset: Int) -> Bool
}

/// What the engine asks a source outside the lock before a candidate can load.
enum SourceQuestion: Sendable {
  /// Nothing but its traits.
  case traits
  /// Where a refresh around the anchor starts.
  case refreshKey(LoadedPages)
  /// Where a jump to a row starts.
  case index(Int)
  /// Where a jump to an item starts.
  case item(SoughtItem)
  /// Where to start again after a cursor has expired.
  case recovery
}

/// A generation on its way: what it is for, what it has loaded, and what it still wants.
struct Candidate {
  /// What makes it ready to be shown.
  enum Goal {
    /// The first page, as it comes.
    case firstPage
    /// So many rows from the first one.
    case rows(Int)
    /// The anchor and so many rows from it.
    case anchor(Anchor, rows: Int)
    /// Row `index` of the whole list and so many rows from it.
    case index(Int, rows: Int)
    /// An item and so many rows from it; `walks`: from the start, since the source can't load around it.
    case item(SoughtItem, rows: Int, walks: Bool)
    /// The first page, and its neighbours until the item where the reader was is among them.
    case saved(SoughtItem?)
  }

  enum Activity {
    /// Its source is being made and asked.
    case opening
    case loading(LoadInFlight)
    /// All is there; the source is asked which row stands in for an anchor that is gone.
    case choosing
    case failed(LoadFailure)
    /// Nothing runs: the load was cancelled, or conditions forbid one.
    case held
  }

  var build: Generation
  var goal: Goal
  let reason: LoadReason
  /// Whether the viewport's rows keep their indices, as when a viewport landed in placeholders.
  var keepsIndices = false
  var activity: Activity = .opening
  var commands: [CommandID] = []
  /// The key of the first page.
  var firstKey: OpaqueKey?
  /// The ordinal of the anchor's page in the shown generation, whose key is the first one.
  var anchorOrdinal: Int?
  /// It is to keep the reader's place and began before anything was looked at: where that is can only be learned.
  var beganUnseen = false
  /// Pages that hold rows.
  var pagesTaken = 0
  /// Pages that hold rows, at most.
  var pageBudget: Int
  var emptyPages = 0
  /// The last page's key led back to where the source had been.
  var wentRound = false
  /// The data had changed when it began: if it is given up, that is still to be read.
  var owesInvalidation = false
  /// It starts from the source's recovery key, since another one was refused.
  var isRecovery = false
  /// A cursor expired under the recovery itself: to be begun anew, not gone on with.
  var hasExpired = false
  /// It has failed once because it did not come near the anchor.
  var hasFallenShort = false
  /// Commands that waited for a page at an edge whose cursor has expired: their turn comes after the swap.
  var edgeLoads: [(side: EdgeSide, command: CommandID)] = []
  private(set) var started = false

  init(
    build: Generation, goal: Goal, reason: LoadReason, firstKey: OpaqueKey? = nil, pageBudget: Int
  ) {
    self.build = build
    self.goal = goal
    self.reason = reason
    self.firstKey = firstKey
    self.pageBudget = pageBudget
  }

  /// Whether something is under way.
  var isRunning: Bool {
    switch activity {
    case .opening, .loading, .choosing: true
    case .failed, .held: false
    }
  }

  /// Whether it is to show where the viewport has landed in placeholders, which nobody asked for in words.
  var isJumpIntoPlaceholders: Bool { reason == .jump && keepsIndices }

  var inFlight: LoadInFlight? {
    if case .loading(let load) = activity { load } else { nil }
  }

  /// The number of the load that is under way.
  var loadID: UInt64? {
    if case .loading(let load) = activity { load.id } else { nil }
  }

  /// What the states say of it.
  var state: LoadState {
    switch activity {
    case .opening, .loading, .choosing: .loading
    case .failed(let failure): .failed(failure)
    case .held: .notLoading(endReached: false)
    }
  }

  // MARK: - What next

  enum Step {
    case load(OpaqueParams)
    case ready
    case fail(PagingError)
  }

  /// What to do now: load a page, be shown, or give up.
  ///
  /// - Parameter looksBefore: Whether an anchor that hasn't come may still stand before the rows that have.
  func nextStep(looksBefore: () -> Bool) -> Step {
    let config = build.config
    guard started else {
      let size = build.traits.keyKind == .pageNumber ? config.pageSize : config.initialLoadSize
      return .load(params(.refresh, key: firstKey, size: size))
    }
    let wanted: OpaqueParams?
    switch missing(looksBefore: looksBefore) {
    case .nothing: return .ready
    case .rows: wanted = params(at: .append)
    case .target(let sides): wanted = sides.lazy.compactMap { params(at: $0) }.first
    }
    guard let wanted, pagesTaken < pageBudget else { return isSearching ? .fail(.itemNotFound) : .ready }
    // A saved place is worth a look around, and no failure of what has come.
    if case .saved = goal, pagesTaken > 0, wentRound || emptyPages >= config.emptyPageBudget { return .ready }
    if wentRound { return .fail(.keyCycle) }
    if emptyPages >= config.emptyPageBudget { return .fail(.emptyPages(emptyPages)) }
    return .load(wanted)
  }

  /// Whether it looks for one item and is of no use without it.
  private var isSearching: Bool {
    if case .item(let item, _, _) = goal { build.address(of: item) == nil } else { false }
  }

  private enum Missing {
    case nothing
    /// Rows after the target.
    case rows
    /// The target itself; where to look first.
    case target([EdgeSide])
  }

  private func missing(looksBefore: () -> Bool) -> Missing {
    let loaded = build.loaded
    func rows(_ count: Int, from coordinate: Int) -> Missing {
      loaded.upperBound - coordinate >= max(1, count) ? .nothing : .rows
    }
    switch goal {
    case .firstPage: return .nothing
    case .rows(let count): return rows(count, from: loaded.lowerBound)
    case .anchor(let anchor, let count):
      if let found = build.coordinate(of: anchor.row) { return rows(count, from: found) }
      if isRecovery { return .target([.append, .prepend]) }
      return .target(looksBefore() ? [.prepend, .append] : [.append])
    case .index(let index, let count):
      return rows(count, from: max(loaded.lowerBound, loaded.lowerBound + index - build.placeholders.before))
    case .item(let item, let count, let walks):
      guard let address = build.address(of: item) else {
        return .target(walks ? [.append] : [.prepend, .append])
      }
      return rows(count, from: build.coordinate(at: address))
    case .saved(let item):
      guard let item, build.address(of: item) == nil else { return .nothing }
      // Rows may have come or gone in front of it: it is looked for on either side in turn.
      return .target(isRecovery || pagesTaken % 2 == 1 ? [.append, .prepend] : [.prepend, .append])
    }
  }

  private func params(at side: EdgeSide) -> OpaqueParams? {
    guard case .key(let key) = build[side].next else { return nil }
    return params(side.loadType, key: key, size: build.config.pageSize)
  }

  private func params(_ type: LoadType, key: OpaqueKey?, size: Int) -> OpaqueParams {
    OpaqueParams(type: type, key: key, loadSize: size, purpose: .visible)
  }

  // MARK: - Pages come

  /// Takes the page that was asked for.
  mutating func took(_ page: OpaquePage, loadedBy params: OpaqueParams) -> Generation.Arrival {
    let arrival: Generation.Arrival
    if let side = EdgeSide(params.type), started {
      arrival = build.grew(side, with: page, loadedBy: params)
    } else {
      arrival = build.started(with: page, loadedBy: params)
      started = true
    }
    if arrival.shown > 0 {
      pagesTaken += 1
      emptyPages = 0
    } else {
      emptyPages += 1
    }
    wentRound = arrival.closesCircle
    return arrival
  }
}

extension Generation {
  /// Where an item is loaded.
  func address(of item: SoughtItem) -> RowAddress? { address(hash: item.hash, where: item.isRow) }
}

extension PagingError {
  static func emptyPages(_ count: Int) -> PagingError {
    PagingError(
      .emptyPages,
      message: "\(count) pages in a row showed nothing new though each led on to another. "
        + "Retry to read on from there, or raise emptyPageBudget.")
  }

  static var keyCycle: PagingError {
    PagingError(
      .keyCycle,
      message: "The source's keys go round: the next key leads to a page that was read before. "
        + "The server or the source is at fault; set allowsRepeatedKeys if this is right.")
  }

  static var itemNotFound: PagingError {
    PagingError(
      .itemNotFound,
      message: "The item to jump to did not come within the pages that were looked at. "
        + "Give the source a key(around:), or raise jumpWalkLimit.")
  }

  static var unreachableTarget: PagingError {
    PagingError(
      .unreachableTarget,
      message: "The source gives no key for the place to jump to. Implement key(forIndex:), or scroll there.")
  }

  static var frontOutOfReach: PagingError {
    PagingError(
      .unreachableTarget,
      message: "The source gives no keys that go back, and the pages in front are not remembered. "
        + "Refresh from the start.")
  }

  static var closed: PagingError {
    PagingError(.closed, message: "The pager was closed; make a new one.")
  }
}
