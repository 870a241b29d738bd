/// One end of what is loaded.
enum EdgeSide: CaseIterable, Sendable {
  case prepend
  case append

  var loadType: LoadType { self == .prepend ? .prepend : .append }
  var opposite: EdgeSide { self == .prepend ? .append : .prepend }

  init?(_ type: LoadType) {
    switch type {
    case .prepend: self = .prepend
    case .append: self = .append
    case .refresh: return nil
    }
  }
}

/// Names a command, so that whoever waits for it can be told.
typealias CommandID = UInt64

/// What was asked for when a page was loaded: enough to ask again.
struct PageRecord: Sendable {
  var key: OpaqueKey?
  var loadSize: Int
  var previousKey: OpaqueKey?
  var nextKey: OpaqueKey?
  /// The hash of its last row, once it is let go.
  var lastRow: Int?
  /// The number of the load that brought the page.
  var load: UInt64 = 0
  /// Rows that a later load brought again and put in place, by their offsets, with that load's number.
  var fresher: [Int: UInt64]?
  /// Rows that the page brought and that other pages show.
  var leftOut: LeftOutRows?
}

/// Why a load began, in the word that observers read.
enum LoadReason: String, Sendable {
  case start, restore, viewport, empty, refresh, invalidation, jump, expiry, retry, command, mediator
}

/// A load that is under way.
struct LoadInFlight: Sendable {
  let id: UInt64
  let params: OpaqueParams
  let reason: LoadReason
  /// When it began, on the pager's clock.
  let began: Duration
}

/// One end of a generation: what comes next there, and what it is doing.
struct Edge {
  enum Next {
    /// Nothing: the list ends here.
    case end
    /// The page of a key that the source gave.
    case key(OpaqueKey)
    /// A page that was loaded before, by the key that loaded it, since the source gives none that go back.
    case again(PageRecord)
    /// More than is remembered was dropped here, and the source gives no key that goes back.
    case outOfReach
  }

  enum Activity {
    case idle
    case loading(LoadInFlight)
    case failed(LoadFailure)
  }

  var next: Next = .end
  var activity: Activity = .idle
  /// Nothing starts until a viewport is reported anew or a command comes: after a drop or a cancellation.
  var awaitsReport = false
  /// The last page showed nothing new; the next one is asked for at once, for this purpose.
  var following: LoadPurpose?
  /// A command or a retry asked for one page, whatever the distance.
  var forced: LoadReason?
  /// Who waits for the page.
  var commands: [CommandID] = []
  /// Pages in a row that showed nothing new.
  var emptyPages = 0
  /// It failed since the pages at it show nothing in a content that leaves rows out; another content may want more.
  var isBlank = false
  /// The ordinal of the page that was to come next when the edge was last told to go on after a failure.
  var forgiven: Int?
  var cycle = CycleGuard<OpaqueKey>()

  var inFlight: LoadInFlight? {
    if case .loading(let load) = activity { load } else { nil }
  }

  /// The number of the load that is under way.
  var loadID: UInt64? {
    if case .loading(let load) = activity { load.id } else { nil }
  }

  var isAtEnd: Bool {
    if case .end = next { true } else { false }
  }

  var isIdle: Bool {
    if case .idle = activity { true } else { false }
  }

  /// A page that is wanted, and why.
  struct Want {
    let purpose: LoadPurpose
    let reason: LoadReason
  }

  /// What this edge would load now; nil: nothing.
  func want(_ side: EdgeSide, by rule: PrefetchRule) -> Want? {
    guard isIdle, !isAtEnd else { return nil }
    if let forced { return Want(purpose: .visible, reason: forced) }
    if awaitsReport { return nil }
    if let following { return Want(purpose: following, reason: .empty) }
    return rule.purpose(side).map { Want(purpose: $0, reason: .viewport) }
  }

  var state: LoadState {
    switch activity {
    case .idle: .notLoading(endReached: isAtEnd)
    case .loading: .loading
    case .failed(let failure): .failed(failure)
    }
  }

  /// A page came.
  ///
  /// - Returns: Whether the next one is asked for at once, since this one showed nothing new and the list goes on.
  mutating func tookPage(showing rows: Int, for purpose: LoadPurpose) -> Bool {
    activity = .idle
    emptyPages = rows > 0 ? 0 : emptyPages + 1
    let goesOn = rows == 0 && !isAtEnd
    following = goesOn ? purpose : nil
    return goesOn
  }

  /// Hands over who waits here.
  mutating func takeCommands() -> [CommandID] {
    defer { commands = [] }
    return commands
  }

  /// Back to rest, as if nothing had ever run here; keys and counters of circles stay.
  mutating func rest(awaitingReport: Bool) {
    activity = .idle
    awaitsReport = awaitingReport
    following = nil
    forced = nil
    emptyPages = 0
  }
}
