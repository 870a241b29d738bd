public import Paging

/// Checks one's own page source against what a pager relies on, and says what is broken and which load shows it.
///
/// ```swift
/// let report = await PageSourceVerifier { MessageSource(database) }.verify()
/// #expect(report.isClean, "\(report)")
/// ```
///
/// It walks the whole list, forward and back, in several sizes, and asks for pages again, at the same time, and
/// cancelled. So give it a list of a few dozen rows that nobody changes meanwhile; lists that are empty or one row long
/// are worth a verifier of their own. What a source can't do, such as going back, is left out and listed in
/// `VerifierReport.skipped`.
///
/// What it can't see: whether a load runs on the main actor by an isolation of the source's own, which is allowed;
/// whether one blocks its thread for a short time; whether `changes()` tells of every change.
public struct PageSourceVerifier<Source: PageSource>: Sendable {
  private let makeSource: @Sendable () -> Source
  private let pageSize: Int
  private let maxPages: Int
  private let invalidKey: Source.Key?
  private let patience: Patience

  /// A verifier of the sources that `makeSource` makes, all of the same list.
  ///
  /// - Parameters:
  ///   - pageSize: Rows asked for in a load; other sizes are derived from it. At least 1; default 5.
  ///   - maxPages: How many pages the list may have at that size, at most a million; default 100.
  ///   - invalidKey: A key that no page has, to see that it is refused; nil, the default: not looked at.
  ///   - patience: How long one load may take, and ten times as long as it may hold its thread; default ten seconds.
  ///   - clock: What the patience is measured on.
  ///   - makeSource: Makes a source. Called a few times, since a pager may use one source or a new one for each
  ///     refresh.
  public init(
    pageSize: Int = 5, maxPages: Int = 100, invalidKey: Source.Key? = nil, patience: Duration = .seconds(10),
    clock: some Clock<Duration> = ContinuousClock(), makeSource: @escaping @Sendable () -> Source
  ) {
    self.makeSource = makeSource
    self.pageSize = min(max(1, pageSize), 1_000_000)
    self.maxPages = min(max(1, maxPages), 1_000_000)
    self.invalidKey = invalidKey
    self.patience = Patience(patience, clock: clock)
  }

  /// Makes all checks, one after the other.
  ///
  /// Where a load doesn't end, the rest is left out. Cancelling the task that waits ends it with a failure that says
  /// so.
  public func verify() async -> VerifierReport {
    var trial = SourceTrial(
      makeSource: makeSource, pageSize: pageSize, maxPages: maxPages, patience: patience)
    await trial.checkBlocking()
    guard await trial.walk() else { return trial.findings.report }
    await trial.checkRepeatability()
    await trial.checkWayBack()
    await trial.checkLoadSizes()
    trial.checkCounts()
    await trial.checkRefreshKeys()
    await trial.checkJumps()
    trial.checkSurvivor()
    await trial.checkConcurrency()
    await trial.checkCancellation()
    await trial.check(invalidKey: invalidKey)
    return trial.findings.report
  }
}
