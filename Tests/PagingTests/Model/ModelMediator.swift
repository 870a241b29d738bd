import Loading
import Paging

/// What a mediator is asked for, does, and has said.
struct ModelMediator {
  enum Opening {
    case unasked
    case asked
    case answered
  }

  /// A load that runs.
  struct Load {
    let type: LoadType
    /// The failure that it repeats.
    let repeats: String?
    /// The source has said that its data changed since this began, and no generation has begun since.
    var hearsChange = false
    /// The first generation that began after such a word.
    var seenFrom: Int?
  }

  struct Refresh {
    var isWanted = false
    /// Asked for by the mediator itself: until one succeeds nothing else of it loads.
    var isRequired = false
    var origin = RefreshOrigin.anchor
    var commands: [UInt64] = []
    var failure: String?
    var said: Bool?
    var awaitsSign = false
  }

  struct Side {
    var isEnded = false
    var commands: [UInt64] = []
    var failure: String?
    /// What a load said of the end; nil where that is shown, or none has said anything.
    var said: Bool?
    var isRetried = false
    var awaitsReport = false
    var emptyLoads = 0
    /// Where the list ended when the last load of this side began, until it is known whether it brought a row.
    var edge: Edge?
  }

  enum Edge: Equatable {
    case empty
    case row(Int)
  }

  /// A generation that is to show what a load has brought.
  struct Following {
    /// The first that will do.
    var from: Int
    var origin = RefreshOrigin.anchor
    var isRemoteRefresh = false
    var commands: [UInt64] = []
    var awaitsSign = false
  }

  var opening = Opening.unasked
  var load: Load?
  var refresh = Refresh()
  var prepend = Side()
  var append = Side()
  var following: Following?

  subscript(side: LoadType) -> Side {
    get { side == .prepend ? prepend : append }
    set { if side == .prepend { prepend = newValue } else { append = newValue } }
  }

  /// Whether a load of a side may begin.
  var isFree: Bool {
    opening == .answered && load == nil && following == nil && !refresh.isWanted && !refresh.isRequired
  }

  mutating func signCame() {
    refresh.awaitsSign = false
    following?.awaitsSign = false
  }

  mutating func reported() {
    signCame()
    prepend.awaitsReport = false
    append.awaitsReport = false
  }

  mutating func sourceSaysChanged() { load?.hearsChange = true }

  mutating func generationBegan(_ number: Int) {
    guard load?.hearsChange == true else { return }
    load?.seenFrom = number
    load?.hearsChange = false
  }
}

// What is wanted of a mediator, and what that starts.
extension PagerModel {
  /// Refresh, prepend, append of the mediator; nil without one.
  var mediatorStates: [String]? {
    guard let mediator else { return nil }
    func state(_ type: LoadType, _ said: Bool?, _ failure: String?, _ isEnded: Bool) -> String {
      if mediator.load?.type == type || (said != nil && isFollowed) { return "loads" }
      return failure.map { "failed \($0)" } ?? (isEnded ? "end" : "rests")
    }
    let refresh = mediator.refresh
    return [mediator.opening == .asked ? "loads" : state(.refresh, refresh.said, refresh.failure, false)]
      + [LoadType.prepend, .append].map { side in
        state(side, mediator[side].said, mediator[side].failure, mediator[side].isEnded)
      }
  }

  /// Of both parties: who loads comes first, then who failed, and the mediator's failure of two.
  var combinedStates: [String] {
    guard let mediatorStates else { return states }
    return zip(states, mediatorStates).map { source, remote in
      if source == "loads" || remote == "loads" { return "loads" }
      if remote.hasPrefix("failed") { return remote }
      if source.hasPrefix("failed") { return source }
      return source == "end" && remote == "end" ? "end" : "rests"
    }
  }

  /// Whether the generation that is to follow is on its way.
  private var isFollowed: Bool {
    guard let following = mediator?.following, !following.awaitsSign, followUpError == nil else { return false }
    return conditions != .suspended || candidate?.isRunning == true
  }

  /// The candidate is the generation that is to follow. A jump is none, though one that succeeds will do.
  var isFollowUpOnItsWay: Bool {
    guard let candidate, let following = mediator?.following else { return false }
    return !candidate.isJump && candidate.number >= following.from
  }

  private var followUpError: String? {
    guard isFollowUpOnItsWay, case .failed(let error) = candidate?.doing else { return nil }
    return error
  }

  // MARK: - What starts

  /// The mediator is asked first, and a remote refresh that is wanted comes before all else of it.
  ///
  /// - Returns: Whether anything else may begin.
  mutating func mediatorLetsLoad() -> Bool {
    guard let mediator else { return true }
    if mediator.opening == .unasked, conditions != .suspended { self.mediator?.opening = .asked }
    guard mediator.opening == .answered else { return false }
    if mediator.refresh.isWanted, !mediator.refresh.awaitsSign, conditions != .suspended {
      cancelMediatorLoad()
      beginMediatorLoad(.refresh)
    }
    return true
  }

  /// - Returns: Whether the generation that follows a load has begun.
  mutating func beginFollowUp() -> Bool {
    guard let following = mediator?.following, !following.awaitsSign, conditions != .suspended else { return false }
    if let candidate {
      let isFailedJump = candidate.isJump && candidate.hasFailed
      if candidate.number >= following.from, !isFailedJump { return false }
      // What runs is let to end, but for rows that a remote refresh has replaced.
      guard candidate.hasFailed || (following.isRemoteRefresh && !candidate.isJump) else { return false }
      mediator?.following?.commands += candidate.commands
      self.candidate?.commands = []
    }
    beginRefresh(following.origin, commands: [])
    return true
  }

  mutating func startMediatorLoad() {
    guard mediator != nil else { return }
    for side in [LoadType.prepend, .append] where mediator?[side].isRetried == true {
      let block = mediatorBlock
      if block == nil, shown?[side].next == .end { continue }
      mediator?[side].isRetried = false
      if block == nil { mediator?[side].failure = nil }
      finishMediatorSide(side, block)
    }
    guard mediator?.isFree == true else { return }
    let wanted = [LoadType.append, .prepend].compactMap { side in mediatorWant(side).map { (side, $0) } }
    // What is on screen first, then what is ahead of it, and the end of the list before its start.
    for (side, _) in wanted.filter({ $0.1 == .visible }) + wanted.filter({ $0.1 == .prefetch }) {
      if mediator?[side].isRetried == true || stillAddsRows(side) { return beginMediatorLoad(side) }
    }
  }

  private func mediatorWant(_ side: LoadType) -> LoadPurpose? {
    guard shown?[side].next == .end, let state = mediator?[side] else { return nil }
    if state.isRetried { return .visible }
    guard state.failure == nil, !state.isEnded, !state.awaitsReport, let purpose = purpose(side) else { return nil }
    return purpose == .visible || conditions == .normal ? purpose : nil
  }

  private mutating func stillAddsRows(_ side: LoadType) -> Bool {
    guard var state = mediator?[side] else { return false }
    if let edge = state.edge { state.emptyLoads = edge == edgeNow(side) ? state.emptyLoads + 1 : 0 }
    state.edge = nil
    let isSpent = state.emptyLoads >= config.emptyPageBudget
    if isSpent { (state.emptyLoads, state.failure) = (0, "emptyPages") }
    mediator?[side] = state
    return !isSpent
  }

  private func edgeNow(_ side: LoadType) -> ModelMediator.Edge {
    guard let rows = shown?.rows, let first = rows.first, let last = rows.last else { return .empty }
    return .row(side == .prepend ? first : last)
  }

  private mutating func beginMediatorLoad(_ type: LoadType) {
    guard var gate = mediator else { return }
    if type == .refresh {
      gate.load = ModelMediator.Load(type: type, repeats: gate.refresh.failure)
      gate.refresh.failure = nil
      gate.refresh.isWanted = false
    } else {
      gate.load = ModelMediator.Load(type: type, repeats: gate[type].failure)
      gate[type].failure = nil
      gate[type].isRetried = false
      gate[type].awaitsReport = false
      gate[type].edge = edgeNow(type)
    }
    mediator = gate
  }

  // MARK: - Commands

  /// A user's refresh, or a retry of one.
  mutating func refreshMediator(_ origin: RefreshOrigin, _ command: UInt64) {
    if mediator?.load?.type == .refresh { cancelMediatorLoad() }
    finish(mediator?.refresh.commands ?? [], "cancelled")
    mediator?.refresh.commands = [command]
    mediator?.refresh.isWanted = true
    mediator?.refresh.awaitsSign = false
    mediator?.refresh.origin = origin
  }

  /// - Returns: Whether the command waits for it.
  mutating func retryMediator(_ type: LoadType?, _ command: UInt64) -> Bool {
    guard let gate = mediator else { return false }
    if type == nil || type == .refresh, gate.refresh.failure != nil {
      refreshMediator(gate.refresh.origin, command)
      return true
    }
    var isWaited = false
    for side in [LoadType.prepend, .append] where (type ?? side) == side && gate[side].failure != nil {
      mediator?[side].emptyLoads = 0
      mediator?[side].edge = nil
      mediator?[side].isRetried = true
      if !isWaited { mediator?[side].commands.append(command) }
      isWaited = true
    }
    return isWaited
  }

  /// A page was asked for where the source has none.
  ///
  /// - Returns: Whether the mediator takes care of it.
  mutating func mediatorTakes(_ side: LoadType, _ command: UInt64) -> Bool {
    guard let gate = mediator, shown?[side].next == .end else { return false }
    if gate.load?.type == side {
      mediator?[side].commands.append(command)
    } else if let block = mediatorBlock {
      finish([command], block)
    } else if !gate.isFree {
      waitingLoads.append((side, command))
    } else if gate[side].isEnded {
      finish([command])
    } else {
      mediator?[side].emptyLoads = 0
      mediator?[side].commands.append(command)
      beginMediatorLoad(side)
    }
    return true
  }

  /// Why the mediator loads nothing until something is repeated.
  private var mediatorBlock: String? {
    guard let gate = mediator else { return nil }
    if let followUpError { return followUpError }
    if gate.refresh.isRequired, !gate.refresh.isWanted, let failure = gate.refresh.failure { return failure }
    let waits = gate.following?.awaitsSign == true || (gate.refresh.isWanted && gate.refresh.awaitsSign)
    return waits ? "cancelled" : nil
  }

  /// Ends those that wait for a side's load.
  mutating func finishMediatorSide(_ side: LoadType, _ error: String?) {
    finish(mediator?[side].commands ?? [], error)
    mediator?[side].commands = []
  }
}
