import Loading
import Testing

@testable import Paging

/// A list with a mediator: the SNP, FET and MED scenarios of `Documentation/PagingScenarios.md` that have one, and what is
/// in place of some of them.
///
/// In brackets: what a state says. L loading, E failed, C ended, and nothing for what is neither; r, p, a are the source's
/// refresh, prepend and append, mr, mp, ma the mediator's.
@Suite struct MediatorScenarios {
  /// A list of `count` rows by offset, whose mediator has answered.
  private func list(
    _ action: InitializeAction = .skip, count: Int = 100, at key: Int? = nil, page: Int = 1, distance: Int = 1,
    initial: Int = 2
  ) -> EngineHarness {
    var harness = EngineHarness(
      config: PagingConfig(pageSize: page, prefetchDistance: distance, initialLoadSize: initial),
      server: StillServer(count: count, counts: false), initialKey: key, hasMediator: true)
    harness.observe()
    harness.answer(action)
    return harness
  }

  /// A list of three rows that is shown, with all of them on screen.
  private func watched(_ action: InitializeAction = .skip) -> EngineHarness {
    var harness = list(action, count: 3, initial: 4)
    harness.drain()
    harness.look(at: 0..<3)
    return harness
  }

  // MARK: - What is loaded first

  @Test func SNP_60_aRefreshThatFailsLeavesTheSourcesRows() {
    var list = list(.refresh, at: 0, initial: 3)
    #expect(list.seen == "r:L mr:L")
    list.failRemote(Broken())
    #expect(list.seen == "r:L mr:E")
    list.load()
    #expect(list.rows == [0, 1, 2] && list.seen == "p:C mr:E")
    list.look(at: 0..<3)
    list.drain()
    #expect(list.remote.isEmpty && list.combined.refresh.failure != nil)
  }

  /// In place of SNP-61.
  @Test func P29_aLoadThatInvalidatesTheSourceIsOneLoad() {
    var list = list(at: 0, distance: 2, initial: 1)
    list.drain()
    list.look(at: 0..<1)
    list.drain()
    #expect(list.remote.map(\.type) == [.prepend])
    list.perform { $0.sourceInvalidated(now: $1) }
    list.drain()
    list.look(at: 0..<1)
    list.drain()
    #expect(list.mediated == [.prepend] && list.remoteCancelled.isEmpty)
  }

  @Test func SNP_63_aRefreshIsToldWhatIsLoaded() {
    var list = list(.refresh, count: 1)
    #expect(list.remote[0].loaded.records.isEmpty)
    list.mediate(endReached: true)
    list.drain()
    list.refresh()
    #expect(list.remote[0].loaded.records.count == 1 && list.remote[0].loaded.anchorIndex == nil)
    #expect(list.mediated == [.refresh, .refresh])
  }

  /// In place of SNP-64.
  @Test func P25_aRefreshThatIsFasterThanTheSource() {
    var list = list(.refresh, count: 1)
    list.mediate(endReached: true)
    #expect(list.seen == "r:L mr:L" && list.pending.count == 1)
    list.load()
    #expect(list.rows == [0] && list.seen == "p:C a:C mp:C ma:C")
    #expect(list.pending.isEmpty && list.remote.isEmpty)
  }

  /// In place of SNP-65.
  @Test func P29_thePrependAtTheStartOfTheList() {
    var list = list(at: 0, distance: 2, initial: 1)
    list.load()
    #expect(list.rows == [0] && list.seen == "p:C" && list.remote.isEmpty)
    list.look(at: 0..<1)
    #expect(list.seen == "p:C a:L mp:L")
    list.mediate(endReached: true)
    list.drain()
    #expect(list.seen == "p:C mp:C" && list.mediated == [.prepend])
  }

  /// In place of SNP-66.
  @Test func P29_theAppendAtTheEndOfTheList() {
    var list = list(at: 99, distance: 2, initial: 1)
    list.load()
    #expect(list.rows == [99] && list.seen == "a:C" && list.remote.isEmpty)
    list.look(at: 0..<1)
    #expect(list.seen == "p:L a:C ma:L")
    list.mediate(endReached: true)
    list.drain()
    #expect(list.seen == "a:C ma:C" && list.mediated == [.append])
  }

  @Test func SNP_68_theAppendThatTheSourcesEndAsksFor() {
    var list = list(at: 96, distance: 2, initial: 3)
    list.load()
    #expect(list.rows == [96, 97, 98])
    list.look(at: 2..<3)
    #expect(list.seen == "a:L" && list.remote.isEmpty)
    list.load()
    #expect(list.rows.last == 99 && list.seen == "a:C ma:L")
    list.mediate(endReached: true)
    list.drain()
    #expect(list.seen == "a:C ma:C")
  }

  @Test func SNP_70_aRefreshThatInvalidatesTheSourceIsOneRefresh() {
    var list = list(.refresh, at: 50, initial: 1)
    #expect(list.seen == "r:L mr:L")
    list.perform { $0.sourceInvalidated(now: $1) }
    list.mediate()
    #expect(list.seen == "r:L mr:L")
    list.load()
    #expect(list.rows == [50] && list.seen == "" && list.pending.isEmpty)
    #expect(list.mediated == [.refresh])
  }

  /// In place of SNP-71.
  @Test func P25_aSlowRefreshBesideRowsThatAreShown() {
    var list = list(.refresh, count: 1)
    list.load()
    #expect(list.rows == [0] && list.seen == "p:C a:C mr:L" && list.combined.refresh == .loading)
    list.mediate(endReached: true)
    list.drain()
    #expect(list.seen == "p:C a:C mp:C ma:C")
  }

  @Test(arguments: [LoadType.prepend, .append]) func SNP_72_and_73_retryRepeatsTheSideThatFails(failing: LoadType) {
    var list = list(count: 2)
    list.drain()
    list.look(at: 0..<2)
    func answer() {
      while let load = list.remote.first {
        if load.type == failing { list.failRemote(Broken()) } else { list.mediate(endReached: true) }
        list.drain()
        list.look(at: 0..<2)
      }
    }
    answer()
    for _ in 0..<2 {
      list.retry()
      answer()
    }
    #expect(list.mediated.count { $0 == failing } == 3 && list.mediated.count == 4)
    #expect(!list.mediated.contains(.refresh))
  }

  // MARK: - Generations

  @Test func FET_04_endsNeverForbidARefresh() {
    var list = list(.refresh, count: 0)
    list.mediate(endReached: true)
    list.drain()
    #expect(list.seen == "p:C a:C mp:C ma:C")
    list.refresh()
    #expect(list.mediated == [.refresh, .refresh])
  }

  @Test func FET_14_aBeginningWithARefreshIsOneLoad() {
    var list = list(.refresh)
    list.drain()
    list.mediate()
    list.drain()
    #expect(list.mediated == [.refresh])
  }

  @Test func FET_15_oneAppendAtTheSourcesEnd() {
    var list = list(at: 97)
    list.drain()
    #expect(list.rows == [97, 98] && list.remote.isEmpty)
    list.look(at: 1..<2)
    list.drain()
    #expect(list.rows == [97, 98, 99] && list.mediated.isEmpty)
    for _ in 0..<2 {
      list.look(at: 2..<3)
      #expect(list.mediated == [.append])
    }
  }

  @Test(arguments: [false, true]) func FET_24_and_25_theStatesOfARefresh(isInstant: Bool) {
    var list = list(.refresh, count: 0)
    var seen = [list.seen]
    func see() { if seen.last != list.seen { seen.append(list.seen) } }
    func answer() {
      if !isInstant { list.drain() }
      see()
      list.mediate(endReached: true)
      see()
      list.drain()
      see()
    }
    answer()
    list.refresh()
    see()
    answer()
    let beginning = isInstant ? ["r:L mr:L"] : ["r:L mr:L", "p:C a:C mr:L", "r:L p:C a:C mr:L"]
    #expect(
      seen == beginning + [
        "p:C a:C mp:C ma:C", "p:C a:C mr:L mp:C ma:C", "r:L p:C a:C mr:L mp:C ma:C", "p:C a:C mp:C ma:C",
      ])
  }

  /// In place of FET-27.
  @Test func P9_whatARefreshReplacedSaysNothingMore() {
    var list = list(.refresh)
    list.drain()
    list.refresh()
    #expect(list.remoteCancelled.count == 1)
    let seen = list.seen
    list.mediateLate(at: 0)
    #expect(list.seen == seen && list.remote.count == 1 && list.pending.isEmpty)
  }

  @Test func FET_28_aSourceThatIsInvalidAtOnceDoesNotKeepTheRefreshAway() {
    var list = list(.refresh)
    list.fail(PagingError.invalidated)
    #expect(list.remote.map(\.type) == [.refresh] && list.pending.count == 1)
    list.load()
    list.mediate()
    list.drain()
    #expect(list.rows == [0, 1] && list.seen == "p:C")
  }

  // MARK: - One after the other

  @Test func MED_02_aRefreshThatIsAskedForMeanwhileIsTheOneAtTheBeginning() {
    var list = EngineHarness(config: PagingConfig(), server: StillServer(count: 3), hasMediator: true)
    let refresh = list.refresh()
    #expect(list.isMediatorAsked && list.remote.isEmpty && list.seen == "mr:L")
    list.answer(.refresh)
    list.mediate()
    list.drain()
    #expect(list.mediated == [.refresh] && list.finished[refresh] == 1 && list.errors[refresh] == nil)
  }

  @Test func MED_03_and_21_aFailedRefreshIsRepeatedWithWhatIsLoadedThen() {
    var list = list(.refresh, count: 3, initial: 4)
    list.failRemote(Broken())
    list.drain()
    list.retry()
    #expect(list.mediated == [.refresh, .refresh])
    #expect(list.remote[0].loaded.records.count == 1)
  }

  /// In place of MED-04.
  @Test func P28_sidesWaitForARefreshThatRuns() {
    var list = list(count: 3, initial: 4)
    list.drain()
    list.refresh()
    list.look(at: 0..<3)
    #expect(list.mediated == [.refresh] && list.seen == "p:C a:C mr:L")
    list.mediate(rows: 1)
    #expect(list.mediated == [.refresh])
    list.drain()
    #expect(list.seen == "p:C a:C mp:L", "the row that came is between the screen and the end")
    #expect(list.remote[0].loaded.pages.rowCount == 4, "what is loaded now")
    list.mediate(endReached: true)
    list.drain()
    list.look(at: 0..<4)
    #expect(list.mediated == [.refresh, .prepend, .append])
  }

  /// In place of MED-05.
  @Test func P29_aRefreshCancelsAPrependThatRuns() {
    var list = watched()
    list.mediate(endReached: true)
    list.drain()
    #expect(list.remote.map(\.type) == [.prepend])
    list.refresh()
    #expect(list.remoteCancelled.map(\.type) == [.prepend] && list.remote.map(\.type) == [.refresh])
    list.mediate()
    list.drain()
    #expect(list.mediated == [.append, .prepend, .refresh, .append], "sides are thought about anew")
  }

  /// Also in place of MED-06.
  @Test func MED_22_aBeginningThatFailsHoldsTheSides() {
    var list = watched(.refresh)
    #expect(list.seen == "p:C a:C mr:L")
    list.failRemote(Broken())
    list.look(at: 0..<3)
    #expect(list.seen == "p:C a:C mr:E" && list.mediated == [.refresh])
    list.retry()
    list.mediate()
    list.drain()
    list.mediate(endReached: true)
    list.drain()
    #expect(list.mediated == [.refresh, .refresh, .append, .prepend])
  }

  @Test func MED_07_aRefreshThatReachesTheEndEndsTheSides() {
    var list = watched(.refresh)
    list.mediate(endReached: true)
    list.drain()
    list.look(at: 0..<3)
    #expect(list.mediated == [.refresh] && list.seen == "p:C a:C mp:C ma:C")
  }

  /// In place of MED-08 and MED-09.
  @Test func P25_sidesLoadUntilTheyEnd() {
    var list = watched()
    #expect(list.seen == "p:C a:C ma:L")
    list.mediate(endReached: true)
    #expect(list.seen == "r:L p:C a:C ma:L")
    list.drain()
    #expect(list.seen == "p:C a:C mp:L ma:C")
    list.mediate(endReached: true)
    list.drain()
    #expect(list.seen == "p:C a:C mp:C ma:C")
  }

  @Test func MED_10_and_11_askingTwiceIsOneLoad() {
    for side in EdgeSide.allCases {
      var list = list(count: 3, initial: 4)
      list.drain()
      let commands = (0..<2).map { _ in list.command { $0.loadAsked(side.loadType, $1, now: $2) } }
      #expect(list.mediated == [side.loadType])
      list.mediate(endReached: true)
      list.drain()
      #expect(list.mediated == [side.loadType] && commands.allSatisfy { list.finished[$0] == 1 })
    }
  }

  /// In place of MED-12.
  @Test func P12_aSecondRefreshTakesThePlaceOfTheFirst() {
    var list = list(count: 3, initial: 4)
    list.drain()
    let (first, second) = (list.refresh(), list.refresh())
    #expect(list.errors[first] is CancellationError && list.finished[second] == nil)
    #expect(list.remoteCancelled.count == 1 && list.remote.count == 1)
  }

  /// In place of MED-13.
  @Test func P29_neverTwoAtOnce() {
    var list = watched()
    list.mediate(endReached: true)
    list.drain()
    list.refresh()
    list.mediate()
    list.drain()
    for _ in 0..<2 {
      list.mediate(endReached: true)
      list.drain()
    }
    #expect(list.mediated == [.append, .prepend, .refresh, .append, .prepend])
    #expect(list.mostRemote == 1)
  }

  /// Also in place of MED-14.
  @Test func MED_16_theSecondSideStartsAfterTheFirst() {
    var list = watched()
    #expect(list.mediated == [.append])
    list.mediate(endReached: true)
    #expect(list.mediated == [.append], "not before the generation that follows")
    list.drain()
    #expect(list.mediated == [.append, .prepend])
  }

  /// In place of MED-15.
  @Test func P28_withoutTheRefreshAtTheBeginningNoSideLoads() {
    var list = watched(.refresh)
    list.failRemote(CancellationError())
    list.drain()
    #expect(list.mediated == [.refresh] && list.seen == "p:C a:C")
    let append = list.command { $0.loadAsked(.append, $1, now: $2) }
    #expect(list.mediated == [.refresh, .refresh], "a command is a sign that the refresh is to be done")
    list.failRemote(Broken())
    #expect(list.errors[append] is Broken)
  }

  /// Also in place of MED-19.
  @Test func MED_18_aRefreshCancelsAnAppendThatRuns() {
    var list = watched()
    list.refresh()
    #expect(list.remoteCancelled.map(\.type) == [.append] && list.seen == "p:C a:C mr:L")
    list.mediate()
    list.drain()
    #expect(list.mediated == [.append, .refresh, .append])
    list.mediate(endReached: true)
    list.drain()
    #expect(list.seen == "p:C a:C mp:L ma:C")
  }

  // MARK: - Errors

  @Test func MED_20_errorsStayUntilARefreshSucceeds() {
    var list = watched()
    list.mediate(endReached: true)
    list.drain()
    list.failRemote(Broken())
    #expect(list.seen == "p:C a:C mp:E ma:C")
    let append = list.command { $0.loadAsked(.append, $1, now: $2) }
    #expect(list.finished[append] == 1 && list.remote.isEmpty)
    list.refresh()
    #expect(list.seen == "p:C a:C mr:L mp:E ma:C")
    list.mediate()
    list.load()
    #expect(list.seen == "p:C a:C ma:L")
  }

  /// In place of MED-25.
  @Test func P30_ofThreeThatFailedTheRefreshIsRepeated() {
    var list = failedThrice()
    #expect(list.seen == "p:C a:C mr:E mp:E ma:E")
    list.retry()
    #expect(list.seen == "p:C a:C mr:L mp:E ma:E" && list.remote.map(\.type) == [.refresh])
    list.mediate(endReached: true)
    list.drain()
    #expect(list.seen == "p:C a:C mp:C ma:C")
  }

  /// In place of MED-26.
  @Test func P29_afterARefreshThatFailsTheSidesGoOn() {
    var list = list(count: 3, initial: 4)
    list.drain()
    list.refresh()
    list.look(at: 0..<3)
    list.failRemote(Broken())
    #expect(list.seen == "p:C a:C mr:E ma:L")
    list.mediate(endReached: true)
    list.drain()
    list.mediate(endReached: true)
    list.drain()
    #expect(list.seen == "p:C a:C mr:E mp:C ma:C")
  }

  @Test func MED_27_aNewRefreshEndsTheErrorOfTheLast() {
    var list = list(count: 3, initial: 4)
    list.drain()
    list.refresh()
    list.failRemote(Broken())
    #expect(list.seen == "p:C a:C mr:E")
    list.refresh()
    #expect(list.seen == "p:C a:C mr:L")
  }

  @Test func MED_29_aRefreshThatFailsAgainLeavesTheOtherErrors() {
    var list = failedThrice()
    let before = list.state.mediatorStates
    list.retry()
    list.failRemote(Broken())
    let after = list.state.mediatorStates
    #expect(list.seen == "p:C a:C mr:E mp:E ma:E")
    #expect(after?.append == before?.append && after?.prepend == before?.prepend)
    #expect(after?.refresh.failure?.number == 4)
  }

  /// Append, prepend and refresh of the mediator have failed.
  private func failedThrice() -> EngineHarness {
    var list = watched()
    list.failRemote(Broken())
    list.failRemote(Broken())
    list.refresh()
    list.failRemote(Broken())
    return list
  }
}

extension EngineHarness {
  @discardableResult fileprivate mutating func refresh() -> CommandID {
    command { $0.refreshAsked(.anchor, $1, now: $2) }
  }

  @discardableResult fileprivate mutating func retry() -> CommandID { command { $0.retryAsked(nil, $1, now: $2) } }

  fileprivate mutating func fail(_ error: any Error) { fail(at: 0, error) }

  fileprivate var combined: CombinedLoadStates {
    CombinedLoadStates(source: state.states, mediator: state.mediatorStates)
  }

  /// The types of all loads of the mediator so far.
  fileprivate var mediated: [LoadType] {
    events.filter { $0.name == "mediatorLoad" && $0.phase == .begin }.compactMap(\.loadType)
  }

  /// How many loads of the mediator ran at the same time, at most.
  fileprivate var mostRemote: Int {
    var (running, most) = (0, 0)
    for event in events where event.name == "mediatorLoad" {
      running += event.phase == .begin ? 1 : -1
      most = max(most, running)
    }
    return most
  }

  /// The states in the words of the suite's comment.
  fileprivate var seen: String {
    func word(_ name: String, _ state: LoadState?) -> String? {
      switch state {
      case .loading: "\(name):L"
      case .failed: "\(name):E"
      case .notLoading(endReached: true): "\(name):C"
      default: nil
      }
    }
    let (source, mediator) = (state.states, state.mediatorStates)
    return [
      word("r", source.refresh), word("p", source.prepend), word("a", source.append), word("mr", mediator?.refresh),
      word("mp", mediator?.prepend), word("ma", mediator?.append),
    ].compactMap(\.self).joined(separator: " ")
  }
}
