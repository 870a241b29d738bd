public import Paging
public import PagingStore
public import PagingTesting

/// Checks the page source that a stored list is to be filled from, and says what is broken and which load shows it.
///
/// ```swift
/// let report = await RemoteVerifier { FeedSource(api: FakeAPI(posts: 40)) }.verify()
/// #expect(report.isClean, "\(report)")
/// ```
///
/// It makes all checks of a `PageSourceVerifier`, then those of a store: the source's keys are kept on disk as JSON,
/// its items as the coder writes them, and a list that is opened again goes on from both. Give it a list of a few dozen
/// rows that nobody changes meanwhile. It writes one file in the temporary folder, and deletes it.
public struct RemoteVerifier<Remote: PageSource>: Sendable
where Remote.Item: StoredItem & Equatable, Remote.Key: Codable {
  private let makeRemote: @Sendable () -> Remote
  private let policy: ListPolicy
  private let config: ListStoreConfig
  private let pageSize: Int
  private let maxPages: Int
  private let patience: Duration

  /// A verifier of the sources that `makeRemote` makes, all of the same list.
  ///
  /// - Parameters:
  ///   - policy: What kind of list it fills.
  ///   - config: How the app's store works.
  ///   - pageSize: Rows asked for in a load. At least 1; default 5.
  ///   - maxPages: How many pages the list may have at that size, at most a million; default 100.
  ///   - patience: How long one load may take; default ten seconds.
  ///   - makeRemote: Makes a source.
  public init(
    policy: ListPolicy = ListPolicy(), config: ListStoreConfig = ListStoreConfig(), pageSize: Int = 5,
    maxPages: Int = 100, patience: Duration = .seconds(10), makeRemote: @escaping @Sendable () -> Remote
  ) {
    self.makeRemote = makeRemote
    self.policy = policy
    self.config = config
    self.pageSize = min(max(1, pageSize), 1_000_000)
    self.maxPages = min(max(1, maxPages), 1_000_000)
    self.patience = patience
  }

  /// Makes all checks, one after the other. Where the source itself is broken, those of the store are left out.
  public func verify() async -> VerifierReport {
    var report = await PageSourceVerifier(
      pageSize: pageSize, maxPages: maxPages, patience: patience, makeSource: makeRemote
    ).verify()
    guard report.isClean else {
      for check in [VerifierCheck.remoteKeys, .remoteList, .remoteReopened] { report.skip(check) }
      return report
    }
    var trial = RemoteTrial(
      remote: makeRemote(), policy: policy, config: config, pageSize: pageSize, maxPages: maxPages, report: report)
    await trial.checkKeys()
    if trial.rows.count > 1 {
      trial.report.add(await StoredItemVerifier(trial.rows, order: policy.order, config: config).verify())
    }
    if trial.report.isClean { await trial.checkList() }
    return trial.report
  }
}

extension VerifierCheck {
  // MARK: - Remotes of stored lists

  /// Keys are the same after they were kept on disk.
  public static let remoteKeys = VerifierCheck(rawValue: "remoteKeys")
  /// A stored list that is filled from the source has its rows, in its order.
  public static let remoteList = VerifierCheck(rawValue: "remoteList")
  /// A list that is opened again goes on where it was left.
  public static let remoteReopened = VerifierCheck(rawValue: "remoteReopened")
}
