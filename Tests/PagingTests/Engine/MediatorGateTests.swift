import Loading
import Testing

@testable import Paging

/// Every order of the events of small scripts for a pager with a mediator.
@Suite struct MediatorGateTests {
  typealias Event = (name: String, run: (inout EngineHarness) -> Void)

  private let refresh: Event = (
    "refresh", { harness in _ = harness.command { $0.refreshAsked(.anchor, $1, now: $2) } }
  )
  private let refreshFromStart: Event = (
    "refresh from start", { harness in _ = harness.command { $0.refreshAsked(.start, $1, now: $2) } }
  )
  private let retry: Event = ("retry", { harness in _ = harness.command { $0.retryAsked(nil, $1, now: $2) } })
  private let loadAppend: Event = (
    "load append", { harness in _ = harness.command { $0.loadAsked(.append, $1, now: $2) } }
  )
  private let loadPrepend: Event = (
    "load prepend", { harness in _ = harness.command { $0.loadAsked(.prepend, $1, now: $2) } }
  )
  private let jump: Event = ("jump", { harness in _ = harness.command { $0.jumpAsked(.index(4), $1, now: $2) } })
  private let bottom: Event = ("bottom", { $0.look(at: $0.list.count - 1..<$0.list.count) })
  /// The table that the mediator writes to says so.
  private let signal: Event = (
    "signal",
    {
      $0.server.count += 1
      $0.perform { $0.sourceInvalidated(now: $1) }
    }
  )

  /// Plays all orders of `events` with all ways in which what runs can end, to `depth` events.
  ///
  /// - Parameter isQuiet: Nothing but the mediator's loads changes the list, so what is shown can be told from it.
  /// - Returns: How many ends were reached.
  private func playAll(_ start: EngineHarness, _ events: [Event], depth: Int, isQuiet: Bool = true) -> Int {
    var ends = 0
    func play(_ harness: EngineHarness, _ left: [Event], _ trace: [String]) {
      if let problem = harness.brokenInvariant ?? harness.brokenPromise(isQuiet: isQuiet) {
        Issue.record("\(problem) after \(trace.joined(separator: ", "))")
        return
      }
      let isOver = left.isEmpty && harness.pending.isEmpty && harness.remote.isEmpty && !harness.isMediatorAsked
      if trace.count == depth || isOver {
        ends += 1
        finish(harness, trace, isQuiet: isQuiet)
        return
      }
      func go(_ name: String, _ left: [Event], _ change: (inout EngineHarness) -> Void) {
        var next = harness
        change(&next)
        play(next, left, trace + [name])
      }
      for position in left.indices {
        var rest = left
        let event = rest.remove(at: position)
        go(event.name, rest, event.run)
      }
      for position in harness.pending.indices {
        let name = "\(harness.pending[position].params.type)"
        go("\(name) loaded", left) { $0.load(at: position) }
        go("\(name) failed", left) { $0.fail(at: position, Broken()) }
        go("\(name) cancelled", left) { $0.fail(at: position, CancellationError()) }
      }
      if let type = harness.remote.first?.type {
        go("remote \(type) brought a row", left) { $0.mediate(rows: 1) }
        go("remote \(type) ended", left) { $0.mediate(endReached: true) }
        go("remote \(type) failed", left) { $0.failRemote(Broken()) }
        go("remote \(type) cancelled", left) { $0.failRemote(CancellationError()) }
      }
      if harness.isMediatorAsked {
        go("asked to refresh", left) { $0.answer(.refresh) }
        go("asked to skip", left) { $0.answer(.skip) }
      }
      for position in harness.remoteCancelled.indices {
        var late = harness
        late.mediateLate(at: position)
        if late.state.visible != harness.state.visible || late.remote.map(\.id) != harness.remote.map(\.id) {
          Issue.record("P29: a late answer counts after \(trace.joined(separator: ", "))")
        }
      }
    }
    play(start, events, [])
    return ends
  }

  /// From any point all that there is can be shown, and nobody waits for ever.
  private func finish(_ harness: EngineHarness, _ trace: [String], isQuiet: Bool) {
    var harness = harness
    let trace = trace.joined(separator: ", ")
    harness.perform { $0.conditionsChanged(.normal, now: $1) }
    harness.settleAll()
    _ = harness.command { $0.retryAsked(nil, $1, now: $2) }
    harness.settleAll()
    for _ in 0..<10 {
      harness.look(at: max(0, harness.list.count - 1)..<harness.list.count)
      harness.settleAll()
    }
    if let problem = harness.brokenInvariant ?? harness.brokenPromise(isQuiet: isQuiet) {
      Issue.record("\(problem) at the end of \(trace)")
    }
    if isQuiet, harness.rows.last != harness.server.count - 1 {
      Issue.record("the end of \(harness.server.count) rows is not reached from \(trace): \(harness.rows)")
    }
    if harness.given != Set(harness.finished.keys) { Issue.record("P12: a command never ends after \(trace)") }
    if harness.state.mediator?.following != nil { Issue.record("P29: no generation followed after \(trace)") }
    let states = CombinedLoadStates(source: harness.state.states, mediator: harness.state.mediatorStates)
    if !states.append.isAtEnd { Issue.record("P29: the mediator wasn't asked for the end after \(trace)") }
  }

  private func started(_ count: Int = 3, loaded isLoaded: Bool = false) -> EngineHarness {
    var harness = EngineHarness(
      config: PagingConfig(pageSize: 2, prefetchDistance: 1, initialLoadSize: 4),
      server: StillServer(count: count, counts: false), hasMediator: true)
    harness.observe()
    if isLoaded {
      harness.answer(.skip)
      harness.drain()
    }
    return harness
  }

  // MARK: - All orders

  @Test func P28_everyOrderOfBeginnings() {
    let ends = playAll(started(), [bottom, refresh, retry], depth: 6)
    #expect(ends > 1000)
  }

  @Test func P29_everyOrderOfAppendsRefreshesAndJumps() {
    let ends = playAll(started(5, loaded: true), [bottom, refreshFromStart, jump, bottom], depth: 6)
    #expect(ends > 1000)
  }

  @Test func P29_everyOrderOfTheSourcesSignals() {
    let ends = playAll(started(loaded: true), [bottom, signal, refresh, bottom], depth: 6, isQuiet: false)
    #expect(ends > 1000)
  }

  @Test func P30_everyOrderOfLoadsByCommandAndRetries() {
    let ends = playAll(started(loaded: true), [loadAppend, loadPrepend, retry, loadAppend, refresh], depth: 6)
    #expect(ends > 1000)
  }

  @Test func P36_everyOrderOfConditions() {
    let suspended: Event = ("suspended", { $0.perform { $0.conditionsChanged(.suspended, now: $1) } })
    let normal: Event = ("normal", { $0.perform { $0.conditionsChanged(.normal, now: $1) } })
    let ends = playAll(started(), [bottom, suspended, loadAppend, normal], depth: 6)
    #expect(ends > 1000)
  }

  @Test func P24_closingAtAnyPointEndsEverything() {
    let close: Event = ("close", { $0.perform { $0.closed(now: $1) } })
    var ends = 0
    func play(_ harness: EngineHarness, _ left: [Event], _ depth: Int) {
      var closed = harness
      close.run(&closed)
      ends += 1
      #expect(closed.remote.isEmpty && closed.pending.isEmpty && closed.openSources.isEmpty)
      #expect(closed.given == Set(closed.finished.keys))
      #expect(closed.finished.values.allSatisfy { $0 == 1 })
      #expect(closed.state.isSettled)
      let visible = closed.state.visible
      #expect(LoadType.allCases.allSatisfy { visible.mediator?[$0].isLoading == false })
      if closed.isMediatorAsked { closed.answer(.refresh) }
      for position in closed.remoteCancelled.indices.reversed() { closed.mediateLate(at: position) }
      #expect(closed.state.visible == visible && closed.remote.isEmpty && closed.pending.isEmpty)
      guard depth > 0 else { return }
      for position in left.indices {
        var (next, rest) = (harness, left)
        rest.remove(at: position).run(&next)
        play(next, rest, depth - 1)
      }
      if harness.isMediatorAsked {
        var next = harness
        next.answer(.refresh)
        play(next, left, depth - 1)
      }
      if !harness.remote.isEmpty {
        var next = harness
        next.mediate(rows: 1)
        play(next, left, depth - 1)
      }
      if !harness.pending.isEmpty {
        var next = harness
        next.load()
        play(next, left, depth - 1)
      }
    }
    play(started(), [refresh, bottom, loadAppend], 6)
    #expect(ends > 100)
  }
}

extension EngineHarness {
  /// Ends all that runs well, the mediator having nothing more, until nothing runs.
  mutating func settleAll(limit: Int = 200) {
    for _ in 0..<limit {
      if isMediatorAsked {
        answer(.skip)
      } else if !pending.isEmpty {
        load()
      } else if !remote.isEmpty {
        mediate(endReached: true)
      } else {
        return
      }
    }
  }

  /// What the mediator is promised to be; nil: it is so.
  func brokenPromise(isQuiet: Bool) -> String? {
    guard let gate = state.mediator, !state.isClosed else { return nil }
    if isQuiet, gate.following == nil, state.shown.append.isAtEnd, let last = rows.last, last != server.count - 1 {
      return "P25: states are shown of \(server.count) rows, with rows to \(last)"
    }
    if let type = remote.first?.type, let side = EdgeSide(type) {
      if gate.refresh.isRequired { return "P28: \(type) runs before the refresh that was asked for" }
      if gate[side].isEnded, gate.following == nil { return "P29: \(type) runs at a side that is ended" }
    }
    return nil
  }
}
