public import PagingCache

/// Checks one's own store against what a paginator relies on, and says what is broken and which call shows it.
///
/// ```swift
/// let report = await PaginatorStoreVerifier(makeItem: { Message(id: $0) }) { try MessageStore(at: folder) }.verify()
/// #expect(report.isClean, "\(report)")
/// ```
///
/// It empties the store, more than once: give it one of its own. What it can't see: whether what was saved outlives the
/// process, unless a second store is said to hold the same; what happens to a damaged page; limits, as long as 64 small
/// pages fit.
public struct PaginatorStoreVerifier<Store: PaginatorStore>: Sendable where Store.Item: Equatable {
  private let makeStore: @Sendable () async throws -> Store
  private let makeItem: @Sendable (Int) -> Store.Item
  private let isPersistent: Bool
  private let patience: Patience

  /// A verifier of the stores that `makeStore` makes.
  ///
  /// - Parameters:
  ///   - isPersistent: Whether a store that is made later holds what an earlier one saved.
  ///   - patience: How long one call may take; default ten seconds.
  ///   - clock: What the patience is measured on.
  ///   - makeItem: A row by its number; different numbers give different rows.
  ///   - makeStore: Makes a store; called twice where it is persistent.
  public init(
    isPersistent: Bool = false, patience: Duration = .seconds(10), clock: some Clock<Duration> = ContinuousClock(),
    makeItem: @escaping @Sendable (Int) -> Store.Item, makeStore: @escaping @Sendable () async throws -> Store
  ) {
    self.makeStore = makeStore
    self.makeItem = makeItem
    self.isPersistent = isPersistent
    self.patience = Patience(patience, clock: clock)
  }

  /// Makes all checks, one after the other.
  ///
  /// Where a call doesn't end, the rest is left out. Cancelling the task that waits ends it with a failure that says
  /// so.
  public func verify() async -> VerifierReport {
    var findings = Findings()
    findings.begin(.storeOpens)
    do {
      let store = try await patience.wait(for: makeStore)
      var trial = StoreTrial(store: store, makeItem: makeItem, patience: patience)
      await trial.run()
      findings = trial.findings
      if isPersistent {
        await trial.checkPersistence(makeStore)
        findings = trial.findings
      } else {
        findings.skip(.storePersists)
      }
    } catch {
      findings.threw(error, "Making the store", in: .storeOpens)
    }
    return findings.report
  }
}

extension VerifierCheck {
  // MARK: - Paginator stores

  /// The store can be made.
  public static let storeOpens = VerifierCheck(rawValue: "storeOpens")
  /// What was never saved reads as absent, and removing it is no error.
  public static let storeAbsence = VerifierCheck(rawValue: "storeAbsence")
  /// What is saved is read back, all of it.
  public static let storeRoundTrip = VerifierCheck(rawValue: "storeRoundTrip")
  /// A page past its time is read back too: that is the paginator's to judge.
  public static let storeExpired = VerifierCheck(rawValue: "storeExpired")
  /// A page that is saved again replaces the earlier one.
  public static let storeReplaces = VerifierCheck(rawValue: "storeReplaces")
  /// Sizes, identities and keys of all kinds are told apart.
  public static let storeIdentity = VerifierCheck(rawValue: "storeIdentity")
  /// Removing a page removes that one and no other.
  public static let storeRemoves = VerifierCheck(rawValue: "storeRemoves")
  /// Removing a key's pages removes those of every size and identity, and no other's.
  public static let storeRemovesKey = VerifierCheck(rawValue: "storeRemovesKey")
  /// Removing all leaves nothing, and the store in use.
  public static let storeRemovesAll = VerifierCheck(rawValue: "storeRemovesAll")
  /// Calls side by side give what they give one by one.
  public static let storeConcurrency = VerifierCheck(rawValue: "storeConcurrency")
  /// A store that is made later holds what was saved.
  public static let storePersists = VerifierCheck(rawValue: "storePersists")
}
