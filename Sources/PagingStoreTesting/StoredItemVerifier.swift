public import PagingStore
public import PagingTesting

/// Checks one's own item type against what a store relies on, and says what is broken and how it shows.
///
/// ```swift
/// let report = await StoredItemVerifier(Post.samples, newer: { $0.revision += 1 }, edit: { $0.isLiked.toggle() }).verify()
/// #expect(report.isClean, "\(report)")
/// ```
///
/// It puts the items into stores in memory and reads them again: whether they come back as they were, whether each has
/// a row of its own, whether their versions and sort keys say what the server means. Give it a few dozen items with all
/// that may be in one: empty and long texts, nil, the largest numbers, IDs that look alike. What it can't see: whether
/// items that an earlier version of the app stored still decode; keep some of their bytes for a test of your own.
public struct StoredItemVerifier<Item: StoredItem & Equatable>: Sendable {
  private let items: [Item]
  private let order: ListPolicy.Order
  private let config: ListStoreConfig
  private let newer: (@Sendable (inout Item) -> Void)?
  private let edit: (@Sendable (inout Item) -> Void)?

  /// A verifier of items.
  ///
  /// - Parameters:
  ///   - items: Different items, as a page of the server has them: the newest first. At least two.
  ///   - order: The order of the lists that the items are for. With `keyed` their sort keys must say what the page
  ///     says; with every other order sort keys aren't looked at.
  ///   - config: How the app's store works; its coder is what matters.
  ///   - newer: Makes an item what the server has after a change of it, with a later version; nil, the default: the
  ///     type has no version.
  ///   - edit: Changes an item as a reader does, to see that the edit lasts; nil, the default: not looked at.
  public init(
    _ items: [Item], order: ListPolicy.Order = .cursor, config: ListStoreConfig = ListStoreConfig(),
    newer: (@Sendable (inout Item) -> Void)? = nil, edit: (@Sendable (inout Item) -> Void)? = nil
  ) {
    self.items = items
    self.order = order
    self.config = config
    self.newer = newer
    self.edit = edit
  }

  /// Makes all checks, one after the other. Of one check the first three failures are told.
  ///
  /// It opens a store in memory for each check, and touches no disk.
  public func verify() async -> VerifierReport {
    var trial = ItemTrial(items: items, order: order, config: config)
    guard trial.checkSamples() else { return trial.report }
    trial.checkCoding()
    await trial.checkIdentity()
    trial.checkBytes()
    trial.check(newer: newer)
    await trial.checkOrder()
    trial.check(edit: edit)
    return trial.report
  }
}

extension VerifierCheck {
  // MARK: - Stored items

  /// A store can be made, and there are items to look at.
  public static let itemSamples = VerifierCheck(rawValue: "itemSamples")
  /// An item comes back from the store as it went in.
  public static let itemCoding = VerifierCheck(rawValue: "itemCoding")
  /// Different IDs are different rows, and each item is found by its ID.
  public static let itemIdentity = VerifierCheck(rawValue: "itemIdentity")
  /// An item that is stored once more is no change.
  public static let itemBytes = VerifierCheck(rawValue: "itemBytes")
  /// A later copy has a larger version, and an earlier one doesn't take its place.
  public static let itemVersion = VerifierCheck(rawValue: "itemVersion")
  /// Sort keys put items where the server does.
  public static let itemOrder = VerifierCheck(rawValue: "itemOrder")
  /// An edit shows, keeps the ID, and isn't wiped by a page.
  public static let itemEdit = VerifierCheck(rawValue: "itemEdit")
}
