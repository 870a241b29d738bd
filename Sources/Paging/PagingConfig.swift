public import Loading

/// How a pager loads: sizes, limits and policies.
///
/// The four sizes constrain one another and are set together by an initialiser; the rest can be changed one by one.
public struct PagingConfig: Sendable {
  /// Rows asked for in one load; default 20, at least 1. A hint to the source: what comes is taken as it comes.
  public let pageSize: Int
  /// An edge loads while fewer loaded rows than this lie beyond the viewport; default `pageSize`.
  ///
  /// Zero is manual: only `load(_:)` loads, as a load-more button does.
  public let prefetchDistance: Int
  /// Rows asked for in the first load of a generation; default three pages. Sources whose keys are page numbers are
  /// always asked for one page.
  public let initialLoadSize: Int
  /// Rows held at most; nil, the default, is no limit.
  ///
  /// Pages far from the viewport are dropped when it is passed and loaded again on the way back. Rows within
  /// `prefetchDistance` of the viewport and the last two pages always stay, so what is held is at most the larger of
  /// this and those rows, and two pages more.
  public let maxSize: Int?
  /// Whether rows that are known to exist and not loaded are shown as placeholders; default true.
  public var placeholders: Bool = true
  /// A viewport that lands this many rows inside placeholders starts a jump there; nil, the default: never.
  ///
  /// Setting a value below 1 stops the program with a message that names it.
  public var jumpThreshold: Int? {
    didSet { Self.require(jumpThreshold ?? 1, atLeast: 1, "jumpThreshold") }
  }
  /// What happens to an item whose ID is in the list already; default `.dropLater`.
  public var duplicates: DuplicatePolicy = .dropLater
  /// How long pages are kept when nobody looks; default `.whileHeld`.
  public var retention: Retention = .whileHeld
  /// Whether a failed load is tried again by itself; default `.none`. Multiplies with the transport's own retries.
  public var retry: RetryPolicy = .none
  /// How many pages in a row may show nothing new before an edge stops as failed, and how many loads of a mediator may
  /// add no row; default 8.
  ///
  /// Setting a value below 1 stops the program with a message that names it.
  public var emptyPageBudget: Int = 8 {
    didSet { Self.require(emptyPageBudget, atLeast: 1, "emptyPageBudget") }
  }
  /// How many pages a jump to an item may walk from the start where the source can't load around it; default 10.
  ///
  /// Setting a value below 1 stops the program with a message that names it.
  public var jumpWalkLimit: Int = 10 {
    didSet { Self.require(jumpWalkLimit, atLeast: 1, "jumpWalkLimit") }
  }
  /// A load older than this, whose rows the viewport has left by more than a page and `prefetchDistance`, is cancelled;
  /// nil, the default: never.
  public var abandonAfter: Duration?

  /// Sizes known when the program is written. A value out of its range stops the program with a message that names it.
  ///
  /// - Parameters:
  ///   - pageSize: Rows in one load, at least 1.
  ///   - prefetchDistance: Rows kept loaded beyond the viewport, at least 0; default `pageSize`.
  ///   - initialLoadSize: Rows in the first load, at least 1; default three pages.
  public init(pageSize: Int = 20, prefetchDistance: Int? = nil, initialLoadSize: Int? = nil) {
    Self.require(pageSize, atLeast: 1, "pageSize")
    Self.require(prefetchDistance ?? 0, atLeast: 0, "prefetchDistance")
    Self.require(initialLoadSize ?? 1, atLeast: 1, "initialLoadSize")
    self.init(unchecked: pageSize, prefetchDistance, initialLoadSize, maxSize: nil)
  }

  /// Sizes that come from outside, or with a limit on what is held.
  ///
  /// - Parameters:
  ///   - pageSize: Rows in one load, at least 1.
  ///   - prefetchDistance: Rows kept loaded beyond the viewport, at least 0; default `pageSize`.
  ///   - initialLoadSize: Rows in the first load, at least 1; default three pages.
  ///   - maxSize: Rows held, at least `pageSize + 2 * prefetchDistance`.
  /// - Throws: ``PagingError/Code/contradictoryConfig``, naming the values that don't fit.
  public init(
    pageSize: Int = 20, prefetchDistance: Int? = nil, initialLoadSize: Int? = nil, maxSize: Int
  ) throws(PagingError) {
    if let problem = Self.problem(pageSize, atLeast: 1, "pageSize")
      ?? Self.problem(prefetchDistance ?? 0, atLeast: 0, "prefetchDistance")
      ?? Self.problem(initialLoadSize ?? 1, atLeast: 1, "initialLoadSize")
    {
      throw PagingError(.contradictoryConfig, message: problem)
    }
    let distance = prefetchDistance ?? pageSize
    let (doubled, overflows) = distance.multipliedReportingOverflow(by: 2)
    let (least, alsoOverflows) = doubled.addingReportingOverflow(pageSize)
    guard !overflows, !alsoOverflows, maxSize >= least else {
      throw PagingError(
        .contradictoryConfig,
        message: "maxSize (\(maxSize)) must be at least pageSize + 2 * prefetchDistance "
          + "(\(pageSize) + 2 * \(distance)), or pages would be dropped and loaded again in turn. "
          + "Raise maxSize or lower prefetchDistance.")
    }
    self.init(unchecked: pageSize, prefetchDistance, initialLoadSize, maxSize: maxSize)
  }

  private init(unchecked pageSize: Int, _ prefetchDistance: Int?, _ initialLoadSize: Int?, maxSize: Int?) {
    self.pageSize = pageSize
    self.prefetchDistance = prefetchDistance ?? pageSize
    let (three, overflows) = pageSize.multipliedReportingOverflow(by: 3)
    self.initialLoadSize = initialLoadSize ?? (overflows ? pageSize : three)
    self.maxSize = maxSize
  }

  private static func problem(_ value: Int, atLeast least: Int, _ name: String) -> String? {
    value >= least ? nil : "\(name) is \(value) and must be at least \(least)."
  }

  private static func require(_ value: Int, atLeast least: Int, _ name: String) {
    if let problem = problem(value, atLeast: least, name) {
      preconditionFailure("PagingConfig: \(problem)")
    }
  }
}

/// What happens to an item whose ID is already in the list. Either way no row appears twice, and none moves while the
/// page that brought it first is loaded.
///
/// When that page is let go, a row that another loaded page brought, too, stays: it stands at the edge of what is
/// loaded until the last of those pages goes. The source's keys lead past it, so nothing else would bring it back. A
/// source that repeats a row on every page, like a pinned one, so shows it at that edge, and among the rows once
/// earlier pages are read again.
public struct DuplicatePolicy: Hashable, Sendable {
  private let rawValue: Int

  /// The copy that came later is left out: the default.
  public static let dropLater = DuplicatePolicy(rawValue: 0)
  /// The copy that came later takes the place of the one that was there.
  public static let replaceEarlier = DuplicatePolicy(rawValue: 1)
}

/// How long a pager keeps its pages when nobody looks.
public struct Retention: Hashable, Sendable {
  let grace: Duration?

  /// As long as the pager is held; `maxSize` bounds it: the default.
  public static let whileHeld = Retention(grace: nil)

  /// Until nobody has observed for `grace`: then loads are cancelled and all pages but the viewport's are released.
  public static func whileObserved(grace: Duration = .seconds(5)) -> Retention {
    Retention(grace: grace)
  }
}
