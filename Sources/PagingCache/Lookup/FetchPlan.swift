/// Where a page is looked for, and what becomes of what is found: every decision of one fetch, with no cache and no
/// clock.
///
/// | found | good | past its time | malformed |
/// |---|---|---|---|
/// | in memory | delivered | kept as stale, then the disk | let go, then the disk |
/// | on disk | promoted, delivered | kept as stale, then the source | let go, then the source |
/// | at the source | written, delivered | an error | an error |
///
/// A plan that passes caches by takes what it finds in them for stale. A stale page stands in where the source fails,
/// or is delivered at once where it is revalidated, if the rules say so; else it is let go, so that it fills no cache.
struct FetchPlan<Item: Sendable> {
  /// What is to be done next.
  enum Step {
    case readDisk
    case askSource
    case deliver(FetchedPage<Item>)
    case fail(PaginatorError)
  }

  /// What the configuration says.
  struct Rules: Hashable {
    var servesStaleOnFailure = false
    var revalidatesWhileStale = false
    var passesCaches = false

    /// Whether a page that is past its time can be of any use.
    var needsStale: Bool { servesStaleOnFailure || revalidatesWhileStale }
  }

  private let request: PaginatorRequest
  private let rules: Rules
  private(set) var stale: PaginatorPage<Item>?
  private(set) var memoryDiscard: PageDiscard?
  private(set) var diskDiscard: PageDiscard?

  init(_ request: PaginatorRequest, rules: Rules) {
    self.request = request
    self.rules = rules
  }

  /// What memory had, and what there is to say of it.
  mutating func memoryAnswered(_ found: (page: PaginatorPage<Item>, judgement: PageJudgement)?) -> Step {
    let (step, discard) = cacheAnswered(found, from: .memory)
    memoryDiscard = discard
    return step ?? .readDisk
  }

  /// What the disk had. Where there is no disk, it had nothing.
  mutating func diskAnswered(_ found: (page: PaginatorPage<Item>, judgement: PageJudgement)?) -> Step {
    let (step, discard) = cacheAnswered(found, from: .disk)
    diskDiscard = discard
    if let step { return step }
    if let stale, rules.revalidatesWhileStale, !rules.passesCaches {
      return .deliver(FetchedPage(stale, from: .revalidating))
    }
    return .askSource
  }

  private mutating func cacheAnswered(
    _ found: (page: PaginatorPage<Item>, judgement: PageJudgement)?, from origin: FetchedPage<Item>.Origin
  ) -> (Step?, PageDiscard?) {
    guard let (page, judgement) = found else { return (nil, nil) }
    switch judgement {
    case .good where !rules.passesCaches:
      return (.deliver(FetchedPage(page, from: origin)), nil)
    case .good:
      stale = stale ?? page
      return (nil, nil)
    case .expired:
      stale = stale ?? page
      return (nil, rules.needsStale ? nil : .expired)
    case .malformed:
      return (nil, .damaged)
    }
  }

  /// What the source brought.
  func sourceAnswered(_ page: PaginatorPage<Item>, _ judgement: PageJudgement) -> Step {
    let key = PaginatorError.quoted(request.key)
    switch judgement {
    case .good:
      return .deliver(FetchedPage(page, from: .source, previous: stale))
    case .expired:
      let message =
        "The source brought page \(key), which is past its time already; look at its expiresAt and the clock."
      return .fail(PaginatorError(.expiredPage, message: message))
    case .malformed(let reason):
      return .fail(PaginatorError(.malformedPage, message: "The source brought a malformed page \(key): \(reason)"))
    }
  }

  /// The source failed for good, retries included.
  func sourceFailed(_ error: any Error) -> Step {
    let own = error as? PaginatorError
    if let own, own.code != .sourceFailed { return .fail(own) }
    if let stale, rules.servesStaleOnFailure { return .deliver(FetchedPage(stale, from: .stale)) }
    if let own { return .fail(own) }
    let message = "The source failed to bring page \(PaginatorError.quoted(request.key)); see the cause."
    return .fail(PaginatorError(.sourceFailed, message: message, cause: error))
  }
}

/// Why a cached page is let go.
enum PageDiscard: Hashable {
  case expired, damaged
}

/// A page that was found, and where.
struct FetchedPage<Item: Sendable>: Sendable {
  enum Origin: Hashable, Sendable {
    case memory, disk, source
    /// It stands in for what the source failed to bring.
    case stale
    /// It is past its time; the fresh one is to be loaded.
    case revalidating
  }

  let page: PaginatorPage<Item>
  let origin: Origin
  /// For a fresh page, the one that caches had before.
  let previous: PaginatorPage<Item>?

  init(_ page: PaginatorPage<Item>, from origin: Origin, previous: PaginatorPage<Item>? = nil) {
    var page = page
    page.isStale = origin == .stale || origin == .revalidating
    self.page = page
    self.origin = origin
    self.previous = previous
  }
}
