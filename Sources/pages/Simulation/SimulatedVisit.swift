import Paging
import PagingTesting

/// One visit of a list: from its opening, with a pager of its own, until the reader leaves.
struct SimulatedVisit {
  private let pager: Pager<OffsetKey<Int>, SimulatedRow>
  private let observation: PagingSnapshots<SimulatedRow>.AsyncIterator
  private let heard: HeardEvents
  private let world: SimulatedWorld
  private let clock: ManualClock
  private let bell: Tally
  private let link: SimulatedLink
  private var account: ScrollAccount
  private var trace: SimulationTrace?
  private var snapshot: PagingSnapshot<SimulatedRow>

  /// A visit whose pager begins to load at once.
  init(
    config: PagingConfig, world: SimulatedWorld, clock: ManualClock, bell: Tally, link: SimulatedLink,
    account: ScrollAccount, trace: SimulationTrace?
  ) {
    heard = HeardEvents(ringing: bell, tellingOn: trace?.observer)
    pager = Pager(
      config: config, clock: clock, observer: heard.observer, source: SimulatedSource(rows: world.rows, behind: link))
    observation = pager.snapshots().makeAsyncIterator()
    snapshot = pager.snapshot
    self.world = world
    self.clock = clock
    self.bell = bell
    self.link = link
    self.account = account
    self.trace = trace
  }

  // MARK: - What the reader does

  /// Waits for the first screen.
  mutating func open(number: Int) async throws {
    trace?.visit(number, begins: true)
    account.visitBegan(at: clock.now.offset)
    try await quiet()
    try await show(0)
    try await waitForScreen()
  }

  /// Scrolls, waits until all rows on screen are there, and looks at them for a while.
  mutating func play(_ gesture: Gesture) async throws {
    let start = clock.now
    trace?.gestureBegan(gesture.kind, to: gesture.moves.last?.top ?? account.screen.lowerBound)
    for move in gesture.moves {
      try await goOn(to: start.advanced(by: move.after))
      try await show(move.top)
    }
    trace?.gestureEnded()
    try await waitForScreen()
    try await goOn(to: clock.now.advanced(by: gesture.pause))
  }

  /// Ends the visit: what is under way is cancelled.
  mutating func leave(number: Int) async throws -> ScrollAccount {
    pager.close()
    try await quiet()
    withExtendedLifetime(observation) {}
    account.visitEnded(at: clock.now.offset)
    look()
    trace?.visit(number, begins: false)
    return account
  }

  // MARK: - Time

  private mutating func goOn(to instant: ManualClock.Instant) async throws {
    while let arrival = link.nextArrival, arrival <= instant { try await receive(at: arrival) }
    clock.move(to: instant)
  }

  /// Lets the next answer come, and all happen that follows from it.
  private mutating func receive(at arrival: ManualClock.Instant) async throws {
    let ended = pager.statistics.endedLoads + 1
    clock.move(to: arrival)
    try await quiet(afterLoads: ended)
    try check()
    for rows in link.takeDelivered() { account.loaded(rows) }
    let first = snapshot.placeholdersBefore
    account.holds(first..<first + snapshot.items.count, at: clock.now.offset)
    look()
    // A screen reports its rows for each snapshot that it shows.
    try await report()
  }

  private mutating func show(_ top: Int) async throws {
    account.shows(top..<min(top + world.screen, world.rows), at: clock.now.offset)
    look()
    try await report()
  }

  private mutating func report() async throws {
    guard !account.screen.isEmpty, snapshot.count > 0 else { return }
    pager.viewportChanged(to: account.screen, of: snapshot)
    // Whatever a report starts or ends is seen in a new snapshot at once. Who tells the observer may be another thread.
    if pager.snapshot.version != snapshot.version { try await quiet() }
  }

  /// Nobody scrolls on while rows on screen are missing.
  private mutating func waitForScreen() async throws {
    while !account.screenIsFull {
      if let arrival = link.nextArrival {
        try await receive(at: arrival)
        continue
      }
      try await report()
      if link.nextArrival != nil { continue }
      // Where nothing loads by itself there is a button.
      pager.load(account.screen.upperBound > account.held.upperBound ? .append : .prepend)
      try await quiet()
      if link.nextArrival != nil { continue }
      let states = pager.snapshot.states
      if let failure = states.refresh.failure ?? states.append.failure ?? states.prepend.failure { throw failure.error }
      throw Simulation.Fault.stoppedLoading(row: account.screen.lowerBound)
    }
  }

  // MARK: - Quiet

  /// Returns when nothing runs any more but answers that are on their way: all loads that were begun have reached the
  /// server, what was cancelled is gone, and the observer has heard of everything.
  ///
  /// - Parameter loads: How many loads must be over, too.
  private mutating func quiet(afterLoads loads: Int = 0) async throws {
    while true {
      let rung = bell.count
      let statistics = pager.statistics
      snapshot = pager.snapshot
      let counts = heard.heard
      let traffic = link.traffic
      let running = snapshot.states.source.runningLoads
      if statistics.endedLoads >= loads, counts.isAll(of: statistics, running: running),
        traffic.left == statistics.endedLoads, traffic.entered == counts.begun
      {
        return
      }
      try Task.checkCancellation()
      await bell.reached(rung + 1)
    }
  }

  private func check() throws {
    for place in [snapshot.placeholdersBefore, snapshot.placeholdersBefore + snapshot.items.count - 1] {
      if let row = snapshot[place].item?.id, row != place { throw Simulation.Fault.wrongRow(at: place, is: row) }
    }
  }

  private mutating func look() {
    guard trace != nil else { return }
    trace?.looked(isWaiting: !account.screenIsFull, held: account.held.count)
  }
}

extension LoadStates {
  /// How many loads are under way: at most one of each type.
  fileprivate var runningLoads: Int { [refresh, prepend, append].count { $0.isLoading } }
}
