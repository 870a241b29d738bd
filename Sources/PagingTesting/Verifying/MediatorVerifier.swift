public import Paging

/// Checks one's own mediator, together with the source that reads its store, against what a pager relies on.
///
/// ```swift
/// let report = await MediatorVerifier {
///   let table = PostTable()
///   return (FeedMediator(api: FakeAPI(posts: 40), table: table), PostSource(table))
/// }.verify()
/// #expect(report.isClean, "\(report)")
/// ```
///
/// Each pair has a store of its own, which may be empty or hold the beginning of the list, and all pairs fetch the same
/// list of a few dozen rows from something that doesn't change. The source must read the store at each load. The
/// verifier refreshes, appends and prepends to the end, again, with nothing loaded, cancelled, and while the store is
/// read.
public struct MediatorVerifier<Remote: Mediator, Source: PageSource>: Sendable
where Remote.Key == Source.Key, Remote.Item == Source.Item {
  private let makePair: @Sendable () async throws -> (Remote, Source)
  private let pageSize: Int
  private let maxLoads: Int
  private let patience: Patience

  /// A verifier of the pairs that `makePair` makes.
  ///
  /// - Parameters:
  ///   - pageSize: `pageSize` of the configuration that the mediator sees, at least 1; default 5.
  ///   - maxLoads: How many loads the list may take, one way, at most a million; default 100.
  ///   - patience: How long one load may take, and ten times as long as it may hold its thread; default ten seconds.
  ///   - clock: What the patience is measured on.
  ///   - makePair: Makes a mediator with a store of its own, and a source that reads that store. Called about ten
  ///     times.
  public init(
    pageSize: Int = 5, maxLoads: Int = 100, patience: Duration = .seconds(10),
    clock: some Clock<Duration> = ContinuousClock(),
    makePair: @escaping @Sendable () async throws -> (Remote, Source)
  ) {
    self.makePair = makePair
    self.pageSize = min(max(1, pageSize), 1_000_000)
    self.maxLoads = min(max(1, maxLoads), 1_000_000)
    self.patience = Patience(patience, clock: clock)
  }

  /// Makes all checks, one after the other.
  ///
  /// Where a load doesn't end, the rest is left out. Cancelling the task that waits ends it with a failure that says
  /// so.
  public func verify() async -> VerifierReport {
    var trial = MediatorTrial(
      makePair: makePair, config: PagingConfig(pageSize: pageSize), maxLoads: maxLoads, patience: patience)
    await trial.checkBlocking()
    guard await trial.fill() else { return trial.findings.report }
    await trial.checkRefreshAgain()
    await trial.checkAppendAgain()
    await trial.checkEmptyState()
    await trial.checkCancellation()
    await trial.checkConcurrency()
    return trial.findings.report
  }
}

extension VerifierCheck {
  // MARK: - Mediators

  /// A mediator answers whether to refresh first.
  public static let initialize = VerifierCheck(rawValue: "initialize")
  /// The source serves what the store holds, each row once.
  public static let storedRows = VerifierCheck(rawValue: "storedRows")
  /// A refresh brings rows, or says that there are none.
  public static let remoteRefresh = VerifierCheck(rawValue: "remoteRefresh")
  /// An append adds rows behind those that are there, or says that the end is reached.
  public static let remoteAppend = VerifierCheck(rawValue: "remoteAppend")
  /// A prepend adds rows in front of those that are there, or says that the end is reached.
  public static let remotePrepend = VerifierCheck(rawValue: "remotePrepend")
  /// The end is reached within the budget, and nothing follows it.
  public static let remoteEnd = VerifierCheck(rawValue: "remoteEnd")
  /// Another refresh leaves no row twice, and appends lead on from it as they did from the first.
  public static let refreshAgain = VerifierCheck(rawValue: "refreshAgain")
  /// The same append with the same state leaves no row twice, and no gap.
  public static let appendAgain = VerifierCheck(rawValue: "appendAgain")
  /// An append with nothing loaded is no failure, and leaves no gap.
  public static let emptyState = VerifierCheck(rawValue: "emptyState")
}
